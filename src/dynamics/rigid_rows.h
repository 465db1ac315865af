#pragma once

#include <percussion/dynamics/balance.h>
#include <percussion/dynamics/gyration.h>

namespace percussion {

/// Rows of rigid bodies in the balance of linear bodies. In 3D they have the torque Ω_s × I Ω_s of
/// TimeRule, and start from the initial velocities: their blocks of Â are the tangent there.
template <int dim>
class RigidRows {
public:
  /// Stores references to the bodies and the rule, which must outlive this object.
  RigidRows(const System<dim> &bodies, const TimeRule &rule);

  /// True if rigid bodies have a torque, so that one correction is not enough.
  bool have_torque() const { return gyration.acts(); }
  /// Sets the first v_θ, and evaluates the rows there.
  void start(Iterate<dim> &iterate);
  /// Computes the rows M (v0 − v̄) + (h (F − Ω_s × I Ω_s) − n h M a0)/m. The difference of
  /// velocities is exact; a difference of momenta would be rounded.
  void find_residual(Iterate<dim> &iterate);
  /// Sets the blocks of Â in an interval of length h with the angular velocities Ω_s in `v`.
  void set_tangent(double h, const Vector &v, ContactSystem &system) const;
  /// Sets these blocks for the rows last computed, and factorises them.
  [[nodiscard]] std::optional<Failure> factorise(const Iterate<dim> &iterate,
                                                 ContactSystem &system) const;
  /// Returns Ω_s of the rows last computed.
  const Vector &spin_velocity(const Iterate<dim> &iterate) const {
    return rule.has_mean_spin() ? iterate.v_theta : spin;
  }
  /// Returns the state of the balance: it is met if the residual is round-off or, when it no longer
  /// shrinks, at most `tolerance`.
  BalanceVerdict judge(Iterate<dim> &iterate, bool converged, double tolerance,
                       ContactSystem &system) const;
  /// Returns the impulses h Ω_s × I Ω_s on all degrees of freedom; 0 if there is no torque.
  const Vector &torque_impulse(const Iterate<dim> &iterate);

private:
  double tangent_factor(double h) const { return h * rule.percussion_factor * rule.spin; }

  const System<dim> &bodies;
  const TimeRule &rule;
  Gyration<dim> gyration;
  Vector jump, momentum_jump; ///< v0 − v̄ of rigid bodies, and M times it
  Vector spin; ///< Ω_s of TimeRule in the rows of rigid bodies, unless it equals the mean velocity
  Vector Ma0, torque;
};

} // namespace percussion
