#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solves a problem in natural units, in which the tolerance means the same for all problems, for
/// programs that pose single problems: see solve_global() and ConeSolver::solve(). On entry p and
/// status, and v, are the warm start if their sizes fit; on return p, u and v have the units of the
/// problem, `residual` has natural ones. Throws std::invalid_argument like these functions.
void solve_in_natural_units(const FrictionContactProblem &problem, const ConeOptions &options,
                            ConeSolution &solution);
/// Solves a global problem likewise; the units are the same as in the reduced problem.
void solve_in_natural_units(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                            GlobalConeSolution &solution);

/// Returns "converged", "out of time", ...
const char *outcome_name(ConeOutcome outcome);

} // namespace percussion
