#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Throws std::invalid_argument, which names the entry and its value, unless all sizes fit, q is
/// finite and, if `operators` is set, W and mu satisfy the conditions of ConeSolver::solve().
void check_problem(const FrictionContactProblem &problem, bool operators);

/// The same for a global problem.
void check_problem(const GlobalFrictionContactProblem &problem);

/// The first contact that approaches faster than the tolerance permits and that no percussion can
/// stop, because its normal row of W vanishes; the number of contacts if there is none.
std::size_t unstoppable_contact(const FrictionContactProblem &problem, double tolerance);

} // namespace percussion
