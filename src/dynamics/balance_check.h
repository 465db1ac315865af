#pragma once

#include "substep.h"

namespace percussion {

/// Throws RunError if the energy balance of a step, whose residual is in the record, has an error
/// beyond round-off. The balance is an identity of the step for any percussions (theory.md,
/// Proposition 1): a larger residual is an error of the program. A residual is accepted if it is at
/// most 1e-10 of the largest term or, because terms may be differences of larger numbers, at most
/// 1000 times the round-off of the products that form the terms (Momentum::round_off() and the
/// products with contact forces).
template <int dim>
void require_balance(const StateEnergies &start, const Substep<dim> &substep);

} // namespace percussion
