#pragma once

#include "internal_force.h"

namespace percussion {

/// Residual of the balance on the free degrees of freedom, and what rounding explains of it.
struct MeasuredResidual {
  double relative = 0;        ///< largest norm relative to the largest term, 0 if it is round-off
  double power = 0;           ///< product with v_θ, over θ [energy]: error of the energy balance
  double power_round_off = 0; ///< its round-off [energy]
};

/// Measure of the residual of a nonlinear balance, relative to the terms of each elastic body and,
/// with links, of all rigid bodies together: the terms of a stiff or fast body would hide the
/// others. Moments count as forces at the radius of gyration. Without links, rows of rigid bodies
/// do not count: they are linear, and every correction satisfies them to round-off.
template <int dim>
class ResidualMeasure {
public:
  ResidualMeasure(const System<dim> &bodies, double theta, const InternalForce<dim> &internal);

  /// Returns the measured residual −θ r + θ Hᵀ p of an iterate with the momentum M v_θ, at which
  /// the internal force was last evaluated.
  MeasuredResidual measure(const Iterate<dim> &iterate, const Vector &Mv_theta,
                           const InternalForce<dim> &internal);

private:
  /// Degrees of freedom that are measured together.
  struct Group {
    unsigned int begin, end;
    double stiffness_norm; ///< error of the force per rounding error of q [force / length]
  };
  void add_rigid_bodies(const System<dim> &bodies);
  void add_to(MeasuredResidual &all, const Group &group, const Iterate<dim> &iterate,
              const Vector &Mv_theta, const InternalForce<dim> &internal) const;

  double theta;
  std::vector<Group> groups;
  /// Factors of each degree of freedom that relate forces and velocities of rotations to the radius
  /// of gyration: 1 / radius and radius; 1 for translations, 0 if it is not measured.
  std::vector<double> force_units, speed_units;
  Vector contact_force; ///< θ Hᵀ p; zero except while the balance is measured
};

} // namespace percussion
