#pragma once

#include <percussion/dynamics/iterate.h>
#include <percussion/dynamics/time_rule.h>

namespace percussion {

/// Terms of a TimeRule other than the θ-rule in the balance of linear bodies.
template <int dim>
class RuleTerms {
public:
  /// Stores references to the bodies and the rule, which must outlive this object.
  RuleTerms(const System<dim> &bodies, const TimeRule &rule);

  /// Subtracts the terms that depend on v0 and a0 from −θ r(0).
  void start(Iterate<dim> &iterate);
  /// Returns v0 + w (v̄ − v0) + w_a h a0, with v1 in the state and `change` = v1 − v0.
  const Vector &viscous_velocity(const Iterate<dim> &iterate, const State<dim> &state,
                                 const Vector &change);
  /// Computes M (m (v̄ − v0) + n h a0) and h K (q0 + h (k v̄ + k_0 v0)), from K q at both ends.
  void find_impulses(const Iterate<dim> &iterate, const State<dim> &state, const Vector &change,
                     const Vector &Kq0);

  Vector inertial_impulse, internal_impulse; ///< results of find_impulses()

private:
  const System<dim> &bodies;
  const TimeRule &rule;
  Vector a0;                ///< acceleration at the beginning of the interval
  Vector argument, product; ///< vector that a matrix multiplies, and their product
};

} // namespace percussion
