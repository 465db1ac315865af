#pragma once

#include <percussion/balance/balance.h>
#include <percussion/balance/gyration.h>
#include <percussion/balance/time_rule.h>

namespace percussion {

/// Rows of rigid bodies in the balance of linear bodies. In 3D they have the torque Ω_s × I Ω_s of
/// TimeRule, and start from the initial velocities: their blocks of Â are the tangent there.
template <int dim>
class RigidRows {
public:
  /// Stores references to the bodies and the rule, which must outlive this object.
  RigidRows(const System<dim> &b, const TimeRule &r) : bodies(b), rule(r), gyration(b) {
    if (!have_torque())
      return;
    for (Vector *work : {&jump, &momentum_jump, &spin, &Ma0, &torque})
      work->reinit(b.n_dofs());
  }

  /// True if rigid bodies have a torque, so that one correction is not enough.
  bool have_torque() const { return gyration.acts(); }
  /// Sets the first v_θ, and evaluates the rows there.
  void start(Iterate &iterate) {
    iterate.v_theta = 0.;
    gyration.start(iterate);
    if (rule.has_acceleration())
      multiply(bodies.operators.mass, iterate.start->a, Ma0);
    find_residual(iterate);
  }

  /// Computes the rows M (v0 − v̄) + (h (F − Ω_s × I Ω_s) − n h M a0)/m. The difference of
  /// velocities is exact; a difference of momenta would be rounded.
  void find_residual(Iterate &iterate) {
    const double h = iterate.interval.h;
    const double *const v0 = iterate.start->v.data(), *const v = iterate.v_theta.data();
    const double *const a0 = rule.has_acceleration() ? iterate.start->a.data() : nullptr;
    const unsigned int first = bodies.n_elastic_dofs(), end = jump.size();
    for (unsigned int i = first; i < end; ++i)
      jump[i] = v0[i] - v[i];
    multiply(bodies.operators.mass, jump, momentum_jump);
    double *const b = iterate.minus_residual.data();
    for (unsigned int i = first; i < end; ++i)
      b[i] = momentum_jump[i] + h * rule.percussion_factor * (*iterate.force_theta)[i];
    for (unsigned int i = first; i < end && rule.has_acceleration(); ++i)
      b[i] -= h * rule.percussion_factor * rule.inertia_of_a * Ma0[i];
    for (unsigned int i = first; i < end && !rule.has_mean_spin(); ++i)
      spin[i] = v0[i] + rule.spin * (v[i] - v0[i]) +
                (rule.has_acceleration() ? rule.spin_of_a * h * a0[i] : 0.);
    gyration.add(-h * rule.percussion_factor, spin_velocity(iterate), iterate.minus_residual);
  }

  /// Sets the blocks of Â in an interval of length h with the angular velocities Ω_s in `v`.
  void set_tangent(double h, const Vector &v, ContactSystem &system) const {
    gyration.set_tangent(tangent_factor(h), v, system.blocks());
  }

  /// Sets these blocks for the rows last computed, and factorises them.
  [[nodiscard]] std::optional<Failure> factorise(const Iterate &iterate,
                                                 ContactSystem &system) const {
    return gyration.factorise(tangent_factor(iterate.interval.h), spin_velocity(iterate), system);
  }

  /// Returns Ω_s of the rows last computed.
  const Vector &spin_velocity(const Iterate &iterate) const {
    return rule.has_mean_spin() ? iterate.v_theta : spin;
  }

  /// Returns the state of the balance: it is met if the residual is round-off or, when it no longer
  /// shrinks, at most `tolerance`.
  BalanceVerdict judge(Iterate &iterate, bool converged, double tolerance,
                       ContactSystem &system) const {
    const double imbalance =
        gyration.imbalance(iterate.interval.h * rule.percussion_factor, iterate);
    auto &history = iterate.residuals;
    constexpr double slow = 0.1;
    const bool shrinks_slowly = !history.empty() && imbalance > slow * history.back();
    history.push_back(imbalance);
    // A residual that no longer shrinks is round-off of larger contact forces.
    if (converged && (imbalance == 0 || (shrinks_slowly && imbalance <= tolerance)))
      return {true};
    return {false, shrinks_slowly ? factorise(iterate, system) : std::nullopt};
  }

  /// Returns the impulses h Ω_s × I Ω_s on all degrees of freedom; call it if there is a torque.
  const Vector &torque_impulse(const Iterate &iterate) {
    torque = 0.;
    gyration.add(iterate.interval.h, spin_velocity(iterate), torque);
    return torque;
  }

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
