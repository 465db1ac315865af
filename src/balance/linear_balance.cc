#include <percussion/balance/balance.h>
#include <percussion/base/error.h>

#include "balance_with_additions.h"
#include "balances.h"
#include "indefinite_matrix.h"
#include "linear_energy.h"
#include "matrix_pattern.h"
#include "rigid_rows.h"
#include "rule_terms.h"
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

/// Returns Â = M + (h w C + h² k K)/m; with the θ-rule M + hθ C + h²θ² K: AC24 (92).
MatrixRows iteration_matrix(const Operators &operators, double h, const TimeRule &rule) {
  MatrixRows A(operators.stiffness, h * h * rule.percussion_factor * rule.internal);
  A.add(operators.mass, 1.);
  if (operators.viscous)
    A.add(operators.viscosity, h * rule.percussion_factor * rule.viscous);
  return A;
}

/// Balance of linear and rigid bodies by any TimeRule; with the θ-rule
///
///   M (v1 − v0) + h K q_θ + h C v_θ = h F_θ + Hᵀ p ,
///
/// which in v_θ reads Â v_θ = M v0 + hθ (F_θ − K q0) + θ Hᵀ p with Â = M + hθ C + h²θ² K (AC24
/// (97)). The first v_θ is zero, and one correction is the solution if the statuses of contacts are
/// consistent. Â is constant if h is constant.
///
/// The numerical work of other rules is the energy stored by M and K minus the work of their
/// impulses in the balance, ΔT + ΔU − v̄ · (impulses).
///
/// Further corrections follow if the factor has additions (BalanceWithAdditions), or if rigid
/// bodies have gyroscopic torques (RigidRows).
template <int dim>
class LinearBalance final : public Balance<dim> {
public:
  /// Factorises Â. Throws RunError if it is not positive definite.
  LinearBalance(const System<dim> &b, const BalanceChoices &c, const Trace<dim> &t,
                const ContactRoute &chosen_route)
      : bodies(b), choices(c), rule(time_rule(c)), route(chosen_route),
        contact_system(
            matrix_pattern(b, route, t, MatrixValues::constant, t.dofs(), b.operators.partition)),
        energy(b), additions(b, c, rule, t), rigid(b, rule),
        terms(b, rule, c.integrator == Integrator::theta) {
    if (needs_velocity_change())
      for (Vector *work : {&previous_Mv, &previous_Kq})
        work->reinit(b.n_dofs());
    if (b.operators.viscous)
      viscous_force.reinit(b.n_dofs());
    if (refactor(c.h, Vector(b.n_dofs())))
      throw RunError("the system matrix is not positive definite: " +
                     cause_of_indefinite_matrix(b, c, rule));
  }

  void complete(BodyState &state) override {
    state.Mv.reinit(bodies.n_dofs());
    state.Kq.reinit(bodies.n_dofs());
    energy.evaluate(state);
  }

  bool is_nonlinear() const override { return false; }
  bool needs_velocity_change() const override {
    return choices.integrator != Integrator::theta || choices.theta != 0.5;
  }
  std::optional<Failure> start(Iterate &iterate) override {
    const double h = iterate.interval.h, factor = h * rule.percussion_factor;
    factor_is_stale = factor_is_stale || h != factored_length;
    iterate.replaces_velocity = !rigid.have_torque();
    const double *const F = iterate.force_theta->data();
    const double *const Mv = iterate.start->Mv.data(), *const Kq = iterate.start->Kq.data();
    double *const b = iterate.minus_residual.data();
    for (unsigned int i = 0, n = iterate.minus_residual.size(); i < n; ++i)
      b[i] = Mv[i] + factor * (F[i] - Kq[i]);
    terms.start(iterate);
    additions.start(iterate.minus_residual, additions.has_additions() || factor_is_stale);
    if (!rigid.have_torque())
      return {};
    rigid.start(iterate);
    return factor_is_stale ? std::nullopt : rigid.factorise(iterate, contact_system);
  }

  /// Evaluates the residual. In the rows of elastic bodies, a correction leaves only contact
  /// forces.
  std::optional<Failure> evaluate(Iterate &iterate) override {
    if (additions.has_additions())
      additions.find_residual(iterate);
    else if (rigid.have_torque()) {
      iterate.minus_residual = 0.;
      for (std::size_t c = 0; c < iterate.contact_forces.dofs.size(); ++c)
        iterate.minus_residual[iterate.contact_forces.dofs[c]] = -iterate.contact_forces.applied[c];
      rigid.find_residual(iterate);
    } else
      return {};
    if (!std::isfinite(dot(iterate.minus_residual, iterate.minus_residual)))
      return Failure{"a velocity is not finite"};
    return {};
  }

  std::optional<Failure> update_factor(const Iterate &iterate, bool has_new_pattern) override {
    if (!factor_is_stale && !has_new_pattern)
      return {};
    return refactor(iterate.interval.h, rigid.spin_velocity(iterate));
  }

  bool renew() override {
    if (!additions.omit())
      return false;
    return factor_is_stale = true;
  }

  /// Returns the state of the balance. If the statuses of contacts are not consistent, v_θ is
  /// computed again with their last percussions.
  BalanceVerdict judge(Iterate &iterate, ContactProgress progress) override {
    if (additions.has_additions())
      return additions.judge(iterate, progress.converged);
    if (rigid.have_torque())
      return rigid.judge(iterate, progress.converged, choices.newton_tolerance, contact_system);
    if (progress.converged)
      return {true};
    for (std::size_t i = 0; i < iterate.prescribed.size(); ++i)
      iterate.prescribed[i] = iterate.v_theta[bodies.motion.dofs()[i]];
    iterate.replaces_velocity = true;
    return {};
  }

  std::vector<double> account(const Iterate &iterate, const Vector &velocity_change,
                              BodyState &state, Works &works) override {
    const double h = iterate.interval.h, T0 = state.kinetic, U0 = state.strain;
    factor_is_stale = additions.finish() || factor_is_stale;
    const std::vector<double> Mv0 = prescribed_values(state.Mv), Kq0 = prescribed_values(state.Kq);
    if (needs_velocity_change()) {
      state.Mv.swap(previous_Mv);
      state.Kq.swap(previous_Kq);
    }
    energy.evaluate(state);
    const double *const Mv1 = state.Mv.data(), *const Kq1 = state.Kq.data();
    const Vector &v_theta = iterate.v_theta;
    const double *const F = iterate.force_theta->data();
    works.external += h * dot(v_theta, *iterate.force_theta);
    const bool viscous = bodies.operators.viscous;
    if (viscous) {
      multiply(bodies.operators.viscosity, bodies.operators.partition,
               terms.viscous_velocity(iterate, state, velocity_change), viscous_force);
      works.viscous -= h * dot(v_theta, viscous_force);
    }
    // Momentum and internal impulse are terms of the rule's balance.
    const double theta = choices.theta;
    const bool is_theta = choices.integrator == Integrator::theta;
    if (is_theta && theta != 0.5) {
      const double *const Mv = previous_Mv.data(), *const Kq = previous_Kq.data();
      const double *const v_mean = v_theta.data(), *const jump = velocity_change.data();
      works.numerical += (0.5 - theta) * sum_over(state.v.size(), [&](unsigned int i, double &sum) {
                           sum += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
                         });
    }
    const Vector *const torque = rigid.have_torque() ? &rigid.torque_impulse(iterate) : nullptr;
    if (!is_theta) {
      terms.find_impulses(iterate, state, velocity_change, previous_Kq);
      works.numerical +=
          state.kinetic - T0 + state.strain - U0 - dot(v_theta, terms.inertial_impulse) -
          dot(v_theta, terms.internal_impulse) - (torque ? dot(v_theta, *torque) : 0.);
    }
    std::vector<double> reactions;
    reactions.reserve(bodies.motion.dofs().size());
    for (const unsigned int i : bodies.motion.dofs()) {
      const std::size_t k = reactions.size();
      const double sum = is_theta ? Mv1[i] - Mv0[k] + h * ((1. - theta) * Kq0[k] + theta * Kq1[i])
                                  : terms.inertial_impulse[i] + terms.internal_impulse[i];
      reactions.push_back(sum + (torque ? (*torque)[i] : 0.) +
                          h * ((viscous ? viscous_force[i] : 0.) - F[i]));
    }
    return reactions;
  }

  ContactSystem &system() override { return contact_system; }
  const ContactRoute &contact_route() const override { return route; }
  MomentumMemory memory() override {
    return {factored_length, false, contact_system.interface_dofs(), {}, 0};
  }

  void restore(const MomentumMemory &memory) override {
    const bool is_same = memory.interface == contact_system.interface_dofs();
    if (!is_same)
      contact_system.set_interface(memory.interface);
    if (!is_same || memory.length != factored_length)
      factor_is_stale = refactor(memory.length, Vector(bodies.n_dofs())).has_value();
  }

private:
  /// Returns the entries of a vector at the prescribed degrees of freedom.
  std::vector<double> prescribed_values(const Vector &vector) const {
    std::vector<double> values;
    values.reserve(bodies.motion.dofs().size());
    for (const unsigned int i : bodies.motion.dofs())
      values.push_back(vector[i]);
    return values;
  }

  /// Rebuilds Â of intervals of length h, with the angular velocities Ω_s in `spin`.
  [[nodiscard]] std::optional<Failure> refactor(double h, const Vector &spin) {
    factored_length = h;
    MatrixRows A = iteration_matrix(bodies.operators, h, rule);
    additions.add_to(A, !rigid.have_torque());
    contact_system.set_matrix(A);
    rigid.set_tangent(h, spin, contact_system);
    factor_is_stale = !contact_system.factorise();
    if (factor_is_stale)
      return Failure{"the matrix of the balance is not positive definite"};
    return {};
  }

  const System<dim> &bodies;
  const BalanceChoices &choices;
  const TimeRule rule;
  ContactRoute route;
  ContactSystem contact_system;
  LinearEnergy<dim> energy;
  BalanceWithAdditions<dim> additions;
  RigidRows<dim> rigid;
  RuleTerms<dim> terms;
  double factored_length = 0;  ///< h of the factor of Â
  bool factor_is_stale = true; ///< true if Â must be rebuilt before the next correction
  /// M v and K q at the beginning of the last interval, if needs_velocity_change(); else empty.
  Vector previous_Mv, previous_Kq;
  Vector viscous_force; ///< C times the velocity of TimeRule
};

} // namespace

template <int dim>
std::unique_ptr<Balance<dim>>
make_linear_balance(const System<dim> &bodies, const BalanceChoices &choices,
                    const Trace<dim> &trace, const ContactRoute &route) {
  return std::make_unique<LinearBalance<dim>>(bodies, choices, trace, route);
}

template std::unique_ptr<Balance<2>> make_linear_balance(const System<2> &, const BalanceChoices &,
                                                         const Trace<2> &, const ContactRoute &);
template std::unique_ptr<Balance<3>> make_linear_balance(const System<3> &, const BalanceChoices &,
                                                         const Trace<3> &, const ContactRoute &);

} // namespace percussion
