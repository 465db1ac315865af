#pragma once

#include <percussion/dynamics/balance.h>

#include "balance_with_additions.h"
#include "linear_energy.h"
#include "rigid_rows.h"
#include "rule_terms.h"

namespace percussion {

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
  LinearBalance(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace,
                bool may_share_nodes);

  void complete(State<dim> &state) override;
  bool is_nonlinear() const override { return false; }
  std::optional<Failure> start(Iterate<dim> &iterate) override;
  std::optional<Failure> evaluate(Iterate<dim> &iterate) override;
  std::optional<Failure> update_factor(const Iterate<dim> &iterate, bool has_new_pattern) override;
  bool renew() override;
  BalanceVerdict judge(Iterate<dim> &iterate, ContactProgress contacts) override;
  std::vector<double> account(const Iterate<dim> &iterate, const Vector &velocity_change,
                              State<dim> &state, Works &works) override;
  ContactSystem &system() override { return contact_system; }
  const ContactRoute &contact_route() const override { return route; }
  MomentumMemory memory() override {
    return {factored_length, false, contact_system.interface_dofs(), {}, 0};
  }
  void restore(const MomentumMemory &memory) override;

private:
  [[nodiscard]] std::optional<Failure> refactor(double h, const Vector &spin);
  void accelerate(State<dim> &state);

  const System<dim> &bodies;
  const StepChoices &choices;
  const TimeRule rule;
  ContactRoute route;
  ContactSystem contact_system;
  LinearEnergy<dim> energy;
  BalanceWithAdditions<dim> additions;
  RigidRows<dim> rigid;
  RuleTerms<dim> terms;
  double factored_length = 0;      ///< h of the factor of Â
  bool factor_is_stale = true;     ///< true if Â must be rebuilt before the next correction
  Vector previous_Mv, previous_Kq; ///< M v and K q at the beginning of the last interval
  Vector viscous_force;            ///< C times the velocity of TimeRule
};

} // namespace percussion
