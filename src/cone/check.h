#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Throws std::invalid_argument, which names the entry and its value, unless all sizes fit, q is
/// finite and, if `operators` is set, W and mu satisfy the conditions of ConeSolver::solve().
void check_problem(const FrictionContactProblem &problem, bool operators);

/// Checks a global problem likewise.
void check_problem(const GlobalFrictionContactProblem &problem);

/// Returns the first contact that approaches faster than the tolerance permits and that no
/// percussion can stop, because its normal row of W vanishes; the number of contacts if there is
/// none.
std::size_t unstoppable_contact(const FrictionContactProblem &problem, double tolerance);

/// Returns true if some contacts close on bodies that cannot move: λ ≥ 0 with λᵀ W_N = 0, W_N the
/// normal rows, and λ · q_N < 0, so that λ · u_N < 0 for all percussions. Searches up to 1e8 times
/// the usual size of percussions for W and q; up to 200 contacts, otherwise returns false.
bool closes_on_what_cannot_give(const FrictionContactProblem &problem);

} // namespace percussion
