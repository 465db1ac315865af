#pragma once

#include <percussion/balance/iterate.h>
#include <percussion/balance/time_rule.h>
#include <percussion/body/system.h>

namespace percussion {

/// Terms of a TimeRule other than the θ-rule in the balance of linear bodies.
template <int dim>
class RuleTerms {
public:
  /// Stores references to the bodies and the rule, which must outlive this object.
  RuleTerms(const System<dim> &b, const TimeRule &r, bool is_theta_rule) : bodies(b), rule(r) {
    if (is_theta_rule) // none of the terms
      return;
    for (Vector *work : {&inertial_impulse, &internal_impulse, &argument, &product})
      work->reinit(b.n_dofs());
  }

  /// Subtracts the terms that depend on v0 and a0 from −θ r(0).
  void start(Iterate &iterate) {
    const double h = iterate.interval.h;
    const BodyState &state = *iterate.start;
    if (rule.has_acceleration())
      a0 = state.a;
    const auto subtract = [&](const SparseMatrix &matrix, double factor_v, double factor_a) {
      if (factor_v == 0. && factor_a == 0.)
        return;
      argument = 0.;
      argument.add(factor_v, state.v);
      if (rule.has_acceleration())
        argument.add(factor_a, state.a);
      multiply(matrix, bodies.operators.partition, argument, product);
      iterate.minus_residual.add(-rule.percussion_factor * h, product);
    };
    subtract(bodies.operators.mass, 0., rule.inertia_of_a);
    subtract(bodies.operators.stiffness, h * rule.internal_of_start, 0.);
    if (bodies.operators.viscous)
      subtract(bodies.operators.viscosity, 1. - rule.viscous, h * rule.viscous_of_a);
  }

  /// Returns v0 + w (v̄ − v0) + w_a h a0, with v1 in the state and `change` = v1 − v0.
  const Vector &viscous_velocity(const Iterate &iterate, const BodyState &state,
                                 const Vector &change) {
    if (rule.viscous == 1.)
      return iterate.v_theta;
    argument = state.v;
    argument -= change;
    argument *= 1. - rule.viscous;
    argument.add(rule.viscous, iterate.v_theta, rule.viscous_of_a * iterate.interval.h, a0);
    return argument;
  }

  /// Computes M (m (v̄ − v0) + n h a0) and h K (q0 + h (k v̄ + k_0 v0)), from K q at both ends.
  void find_impulses(const Iterate &iterate, const BodyState &state, const Vector &change,
                     const Vector &Kq0) {
    const double h = iterate.interval.h;
    Vector v0 = state.v;
    v0 -= change;
    argument = iterate.v_theta;
    argument -= v0;
    argument *= 1. / rule.percussion_factor;
    if (rule.has_acceleration())
      argument.add(h * rule.inertia_of_a, a0);
    multiply(bodies.operators.mass, bodies.operators.partition, argument, inertial_impulse);
    internal_impulse = 0.;
    if (rule.internal_of_start != 0.) {
      multiply(bodies.operators.stiffness, bodies.operators.partition, v0, internal_impulse);
      internal_impulse *= h * h * rule.internal_of_start;
    }
    internal_impulse.add(h * (1. - rule.internal), Kq0, h * rule.internal, state.Kq);
  }

  Vector inertial_impulse, internal_impulse; ///< results of find_impulses()

private:
  const System<dim> &bodies;
  const TimeRule &rule;
  Vector a0;                ///< acceleration at the beginning of the interval
  Vector argument, product; ///< vector that a matrix multiplies, and their product
};

} // namespace percussion
