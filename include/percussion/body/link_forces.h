#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/system.h>

namespace percussion {

/// Row of a sparse matrix over all degrees of freedom, by index in LinkForces::dofs().
struct LinkRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  /// Force per displacement along the row at the end of the step; infinite for a joint.
  double stiffness = 0;
  double defect = 0; ///< displacement of a joint out of position at the end of the step [length; an
                     ///< angle of a weld]
};

/// Forces of springs, dashpots and joints over a step from q0 to q1. For the vector d from the
/// first end to the second there is a matrix G(q0, q1) with d1 − d0 = G (q1 − q0) exactly: for the
/// rotation of a rigid body it is the derivative in the middle times sin(Δφ/2) / (Δφ/2). With the
/// mean d_m of d0 and d1 and the mean ℓ_m of the lengths
///
///     ℓ1² − ℓ0² = 2 d_m · G (q1 − q0) ,
///     f = (k (ℓ_m − ℓ_rest) + c (ℓ1 − ℓ0)/h) Gᵀ d_m / ℓ_m ,   f · (q1 − q0) = ΔE + dissipation ,
///
/// exactly, for all q0 and q1. A joint has the impulses Λ: h f = −Gᵀ Λ, which do no work in steps
/// that end with d1 = d0 = 0 (Gonzalez 1999).
template <int dim>
class LinkForces {
public:
  /// The bodies must outlive this object.
  explicit LinkForces(const System<dim> &bodies);

  bool empty() const { return links.empty(); }
  /// Returns the degrees of freedom that links act on, in ascending order.
  const std::vector<unsigned int> &dofs() const { return all_dofs; }
  /// Returns the number of impulses Λ.
  unsigned int n_impulses() const { return number_of_impulses; }

  /// Returns the energy of the springs at q [energy].
  double energy(const Vector &q) const;

  /// Sets the start q0 of the steps evaluated next.
  void begin_step(const Vector &q0);
  /// Adds f(q0, q1) of the step of length h to q1 with the impulses Λ of joints to `force`.
  void evaluate(const Vector &q1, double h, const std::vector<double> &impulse, Vector &force);

  /// Returns the heat dissipated by dashpots in the step last evaluated, ≥ 0.
  double dissipation() const { return dissipated; }
  /// Returns the work of the joints in this step, zero in a converged step.
  double work_of_joints() const { return joint_work; }
  /// Returns the largest displacement of a joint out of position at the end of this step, relative
  /// to the size of the coordinates.
  double largest_defect() const { return worst_defect; }

  /// Returns G of each joint and the rows Gᵀ d_m/ℓ_m, … of each spring in the step last evaluated,
  /// which approximate the symmetric part of the derivative of the forces.
  const std::vector<LinkRow> &rows() const { return all_rows; }
  /// Returns the error of the forces last evaluated, divided by the unit round-off. In stiff
  /// springs its largest contribution is the error of the positions of the ends [force].
  double round_off_scale() const { return scale_of_errors; }
  /// Returns the error of the work of joints, divided by the unit round-off: their forces times the
  /// size of the coordinates to which their ends coincide [energy].
  double work_scale_of_joints() const { return joint_work_scale; }

private:
  struct EndMotion; // end of a link over a step
  EndMotion end_motion(const LinkEnd<dim> &end, const double *q0, const double *q1) const;
  LinkRow row_along(const EndMotion &first, const EndMotion &second,
                    const dealii::Tensor<1, dim> &direction) const;
  void add_spring(const Link<dim> &link, const EndMotion &first, const EndMotion &second, double h,
                  double *force);
  void add_joint(const Link<dim> &link, const EndMotion &first, const EndMotion &second, double h,
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
