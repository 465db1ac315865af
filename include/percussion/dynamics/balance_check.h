#pragma once

#include <percussion/dynamics/momentum.h>
#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>

namespace percussion {

/// Energies of the bodies and of springs that replace contacts, at one time [energy].
struct Energies {
  double kinetic = 0, strain = 0, contact_potential = 0;

  /// Returns the total energy.
  double sum() const { return kinetic + strain + contact_potential; }
};

/// Returns the energies of a state.
template <int dim>
Energies energies(const State<dim> &state) {
  return {state.kinetic, state.strain, state.contact_potential};
}

/// Largest term of the balance of a step.
struct BalanceTerm {
  const char *name; ///< name for messages
  double size;      ///< magnitude [energy]
};

/// Returns the largest of the energies at both ends of a step and of its works.
BalanceTerm largest_term(const Energies &start, const Energies &end, const Works &works);

/// Throws RunError if the energy balance of a step, whose residual is in the record, has an error
/// beyond round-off. The balance is an identity of the step for any percussions (theory.md,
/// Proposition 1): a larger residual is an error of the program. A residual is accepted if it is at
/// most 1e-10 of the largest term or, because terms may be differences of larger numbers, at most
/// 1000 times the round-off of the products that form the terms (Momentum::round_off() and the
/// products with contact forces).
template <int dim>
void require_balance(const Energies &start, const State<dim> &end, const Interval &interval,
                     const PosedLaw<dim> &law, const Reaction &reaction,
                     const Momentum<dim> &momentum, const StepRecord<dim> &record);

} // namespace percussion
