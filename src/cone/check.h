#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Throws std::invalid_argument, which names the entry and its value, unless all sizes fit, q is
/// finite and, with `operators`, W and mu are what ConeSolver::solve() asks for.
void check_problem(const FrictionContactProblem &problem, bool operators);

/// The same for a global problem.
void check_problem(const GlobalFrictionContactProblem &problem);

/// A contact that approaches, by more than the tolerance could overlook, and that no percussion can
/// stop, for its normal row of W vanishes; or the number of contacts.
std::size_t unstoppable_contact(const FrictionContactProblem &problem, double tolerance);

} // namespace percussion
