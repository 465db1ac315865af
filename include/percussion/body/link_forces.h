#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/link_coordinates.h>
#include <percussion/body/link_law.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace percussion {

/// Row of a sparse matrix over all degrees of freedom, by index in LinkForces::dofs().
struct LinkRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  /// Change of the coordinate at the end of the step per velocity times h, in 3D: by the same
  /// columns; empty if it equals `value` up to terms of the order of the rotation in the step.
  std::vector<double> tangent;
  /// Force per displacement along the row at the end of the step; infinite for a joint.
  double stiffness = 0;
  double defect = 0; ///< displacement of a joint out of position at the end of the step [length; an
                     ///< angle of a weld]
  std::optional<LinkLaw> law = {}; ///< law of limits and friction; none for a joint
  double rate = 0, impulse = 0;    ///< mean rate and impulse Λ under this law
  BoundImpulses bounds = {};       ///< impulses of limits and friction in it

  /// True for a joint or a law, which has an impulse Λ.
  bool has_impulse() const { return std::isinf(stiffness); }
};

/// Interval of a step for motors: a rate or force f has the mean (1 − θ) f(t0) + θ f(t1).
struct LinkInterval {
  double t0 = 0, t1 = 0; ///< [time]
  double theta = 0.5;
};

/// Impulses of the link on its second body in a step, or their sums: force, and moment about the
/// end of the link, in space (x, y, z).
using LinkImpulse = std::array<double, 6>;

/// Forces of springs, dashpots, motors and joints over a step from q0 to q1. Each link is a list of
/// coordinates x, see LinkCoordinate, with x1 − x0 = G (q1 − q0) exactly. A drive has the force
///
///     f = (k (x_m − x_rest) + c (x1 − x0)/h − f_motor) Gᵀ ,
///     f · (q1 − q0) = ΔE + dissipation − work of the motor ,
///
/// exactly, for all q0 and q1, with the mean x_m of x0 and x1. A constraint or a prescribed motion
/// has an impulse Λ: h f = −Gᵀ Λ, which does the work Λ (x1 − x0)/h: none in steps that end with x1
/// = x0 (Gonzalez 1999). Limits and friction of a coordinate have an impulse by PosedBounds.
template <int dim>
class LinkForces {
public:
  /// The bodies must outlive this object.
  explicit LinkForces(const System<dim> &bodies);

  bool empty() const { return coordinates.empty(); }
  /// Returns the degrees of freedom that links act on, in ascending order.
  const std::vector<unsigned int> &dofs() const { return all_dofs; }
  /// Returns the number of impulses Λ.
  unsigned int n_impulses() const { return number_of_impulses; }

  /// Returns the energy of the springs at q [energy]. `turns` are the numbers of full turns of the
  /// angles, see BodyState; empty: none.
  double energy(const Vector &q, const std::vector<double> &turns = {}) const;
  /// Returns the coordinates of drives and motors at q, link by link.
  std::vector<double> drive_coordinates(const Vector &q, const std::vector<double> &turns) const;
  /// Returns the names of these coordinates: of a link and "angle", "displacement" or "length".
  std::vector<std::pair<std::string, std::string>> drive_names() const;

  /// Sets the start q0 of the steps evaluated next.
  void begin_step(const Vector &q0, const std::vector<double> &turns = {},
                  const LinkInterval &interval = {});
  /// Poses the limits and friction of this step of length h, after begin_step(), with the
  /// velocities v0 at its beginning and the bound_memory() of the step before; empty: none. Throws
  /// RunError if a formula of friction is negative.
  void begin_bounds(const Vector &v0, double h, const std::vector<double> &memory);
  /// Adds f(q0, q1) of the step of length h to q1 with the impulses Λ of joints to `force`.
  void evaluate(const Vector &q1, double h, const std::vector<double> &impulse, Vector &force);

  /// Returns the heat dissipated by dashpots in the step last evaluated, ≥ 0.
  double dissipation() const { return sums.dissipation; }
  /// Returns the work of the joints in this step times h, zero in a converged step without motors.
  double work_of_joints() const { return sums.joint_work; }
  /// Returns the work of motors that prescribe motions in this step.
  double work_of_motions() const { return sums.motion_work; }
  /// Returns the work of motors that prescribe forces in this step.
  double work_of_motors() const { return sums.motor_work; }
  /// Returns the largest displacement of a joint out of position at the end of this step, relative
  /// to the size of the coordinates; of lengths, to the largest size, because the error of a
  /// correction is relative to its largest entry.
  double largest_defect() const { return sums.worst_defect; }
  /// Returns the largest distance of a coordinate from the values that the laws of its bounds
  /// permit with their impulses at the end of this step, relative to the size of the coordinates.
  double largest_law_defect() const { return sums.worst_law_defect; }
  /// Returns the works of limits and friction in this step with the mean velocities v_θ, which are
  /// more accurate than changes of coordinates; neither is positive.
  BoundWorks bound_works(const Vector &v_theta) const;
  /// True if a limit or friction has changed the rate of a coordinate at once in this step.
  bool has_impact() const { return sums.has_stop || sums.has_limit_impact; }
  /// True if a limit has.
  bool has_impact_at_limit() const { return sums.has_limit_impact; }
  /// Returns the rows of the rates at q of joints without motors, and of the coordinates that
  /// limits or friction have brought to rest in this step.
  std::vector<LinkRow> rows_at_rest(const Vector &q) const;
  /// Returns the impulses of limits and friction in this step, by the index of the coordinate in
  /// drive_coordinates(); empty without bounds.
  const std::vector<BoundImpulses> &bound_impulses() const { return step_bounds.impulses; }
  /// Returns the memory at the end of this step, see BoundMemory, in the order of the coordinates
  /// with bounds.
  const std::vector<double> &bound_memory() const { return step_bounds.memory; }
  /// Returns the numbers of full turns of the angles at the end of this step.
  const std::vector<double> &turns() const { return final_turns; }
  /// Returns the impulses of each link in this step.
  const std::vector<LinkImpulse> &impulses() const { return all_impulses; }

  /// Returns G of each joint and of each drive, and the directions across each spring in tension,
  /// which approximate the derivative of the forces in the step last evaluated.
  const std::vector<LinkRow> &rows() const { return all_rows; }
  /// Returns the rates of the held coordinates, in the order of the impulses Λ, with the velocities
  /// v and the rows last evaluated.
  std::vector<double> held_rates(const Vector &v) const;
  /// Returns the error of the forces last evaluated, divided by the unit round-off. In stiff
  /// springs its largest contribution is the error of the positions of the ends [force].
  double round_off_scale() const { return sums.scale_of_errors; }
  /// Returns the error of the work of joints, divided by the unit round-off: their forces times the
  /// size of the coordinates to which their ends coincide [energy].
  double work_scale_of_joints() const { return sums.joint_work_scale; }

private:
  /// Limits and friction in a step, coordinate by coordinate.
  struct BoundsOfStep {
    std::vector<PosedBounds> posed; ///< bounds of the coordinates that have some
    std::vector<BoundImpulses> impulses;
    std::vector<double> memory;
    std::vector<double> sliding_impulses; ///< impulse c of each bounded coordinate
  };
  /// Sums over the links in the step last evaluated.
  struct Sums {
    double dissipation = 0, joint_work = 0, motion_work = 0, motor_work = 0, worst_defect = 0,
           worst_length_defect = 0, scale_of_errors = 0, joint_work_scale = 0, worst_law_defect = 0,
           worst_law_length_defect = 0;
    bool has_limit_impact = false, has_stop = false;
  };
  /// Destination of the forces of a link.
  struct Target {
    double h;
    double *force;
    LinkImpulse &impulse;
    dealii::Tensor<1, dim> reaction = {}; ///< impulse of the joint on the second body so far
  };
  template <typename Visit>
  void visit_drives(const Vector &q, const std::vector<double> &turns, const Visit &visit) const;
  LinkRow row_of(const LinkMotion<dim> &link, const LinkWrench<dim> &secant,
                 const LinkWrench<dim> &tangent) const;
  void apply(const LinkMotion<dim> &link, const LinkWrench<dim> &wrench, double size,
             const Target &target);
  void add_drive(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                 const CoordinateMotion<dim> &motion, const Target &target);
  void add_joint(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                 const CoordinateMotion<dim> &motion, double impulse, Target &target);
  double sliding_impulse(std::size_t k, double impulse);
  void add_bounds(const LinkMotion<dim> &link, const LinkCoordinate<dim> &coordinate,
                  const CoordinateMotion<dim> &motion, double impulse, const Target &target);

  const System<dim> &bodies;
  std::vector<std::vector<LinkCoordinate<dim>>> coordinates; ///< one list for each link
  std::vector<unsigned int> all_dofs;
  unsigned int number_of_impulses = 0;
  Vector begin;
  LinkInterval interval;
  std::vector<double> initial_turns, final_turns;
  std::vector<LinkRow> all_rows;
  std::vector<LinkImpulse> all_impulses;
  BoundsOfStep step_bounds;
  unsigned int n_evaluations = 0; ///< evaluations in this step
  double largest_impulse = 0;     ///< largest impulse of joints and bounds [impulse]
  Sums sums;
};

} // namespace percussion
