#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solves a single problem by ConeSolver::solve(), after scaling it to natural units, so that the
/// same tolerance suits all problems. On entry, p and status of `solution` are the warm start if
/// their sizes fit. On return p and u have the units of the problem; `residual` is in natural
/// units. Throws std::invalid_argument like ConeSolver::solve().
void solve_in_natural_units(const FrictionContactProblem &problem, const ConeOptions &options,
                            ConeSolution &solution);
/// Solves a global problem in the same way by solve_global(), in the natural units of its reduced
/// problem. The warm start includes v, which is returned in the units of the problem.
void solve_in_natural_units(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                            GlobalConeSolution &solution);

/// Returns "converged", "out of time", ...
const char *outcome_name(ConeOutcome outcome);

} // namespace percussion
