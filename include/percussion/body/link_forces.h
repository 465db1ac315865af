#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/system.h>

namespace percussion {

/// A row of a sparse matrix over all degrees of freedom, by place in LinkForces::dofs().
struct LinkRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  /// Force per displacement along the row at the end of the step; infinite for a joint, which is
  double stiffness = 0;
  double defect = 0; ///< out of its place by so much then [length; an angle of a weld]
};

/// The forces of springs, dashpots and joints over a step from q0 to q1. For the vector d from the
/// first end to the second there is a matrix G(q0, q1) with d1 − d0 = G (q1 − q0) exactly: of a
/// rigid body's rotation it is the derivative in the middle times sin(Δφ/2) / (Δφ/2). So with the
/// mean d_m of d0 and d1 and ℓ_m of the lengths
///
///     ℓ1² − ℓ0² = 2 d_m · G (q1 − q0) ,
///     f = (k (ℓ_m − ℓ_rest) + c (ℓ1 − ℓ0)/h) Gᵀ d_m / ℓ_m ,   f · (q1 − q0) = ΔE + dissipation ,
///
/// exactly, for all q0 and q1. A joint has the impulses Λ: h f = −Gᵀ Λ, which do no work in steps
/// that end with d1 = d0 = 0 (Gonzalez 1999).
template <int dim>
class LinkForces {
public:
  /// The bodies must live as long.
  explicit LinkForces(const System<dim> &bodies);

  bool empty() const { return links.empty(); }
  /// Degrees of freedom that links act on, ascending.
  const std::vector<unsigned int> &dofs() const { return all_dofs; }
  /// Number of Λ.
  unsigned int n_impulses() const { return number_of_impulses; }

  /// Energy of the springs [energy].
  double energy(const Vector &q) const;

  /// Set where the steps evaluated next begin.
  void begin_step(const Vector &q0);
  /// Add f(q0, q1) of the step of length h to q1 with the impulses Λ of joints to `force`.
  void evaluate(const Vector &q1, double h, const std::vector<double> &impulse, Vector &force);

  /// Work that dashpots have turned to heat in the step last evaluated, ≥ 0.
  double dissipation() const { return dissipated; }
  /// Work of the joints in it, which a step that has converged brings to zero.
  double work_of_joints() const { return joint_work; }
  /// The largest distance that a joint is out of place by at its end, relative to the size of the
  /// coordinates.
  double largest_defect() const { return worst_defect; }

  /// G of each joint and the rows Gᵀ d_m/ℓ_m, … of each spring in the step last evaluated: near the
  /// symmetric part of the derivative of the forces.
  const std::vector<LinkRow> &rows() const { return all_rows; }
  /// Times the unit round-off the error of the forces last evaluated, of which that of the places
  /// of the ends is the largest part in stiff springs [force].
  double round_off_scale() const { return scale_of_errors; }
  /// Times the unit round-off the error of the work of joints: their forces times the size of the
  /// coordinates to which their ends coincide [energy].
  double work_scale_of_joints() const { return joint_work_scale; }

private:
  struct Place; // of an end over a step
  Place place(const LinkEnd<dim> &end, const double *q0, const double *q1) const;
  LinkRow row_along(const Place &first, const Place &second,
                    const dealii::Tensor<1, dim> &direction) const;
  void add_spring(const Link<dim> &link, const Place &first, const Place &second, double h,
                  double *force);
  void add_joint(const Link<dim> &link, const Place &first, const Place &second, double h,
                 const double *impulse, const double *q0, const double *q1, double *force);
  void apply(const LinkRow &row, double size, double *force) const;

  const System<dim> &bodies;
  const std::vector<Link<dim>> &links;
  std::vector<unsigned int> all_dofs;
  unsigned int number_of_impulses = 0;
  Vector begin;
  std::vector<LinkRow> all_rows;
  double dissipated = 0, joint_work = 0, worst_defect = 0, scale_of_errors = 0,
         joint_work_scale = 0;
};

} // namespace percussion
