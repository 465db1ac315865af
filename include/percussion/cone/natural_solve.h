#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// What programs that pose a problem now and then call: solve_global() and ConeSolver::solve() in
/// natural units, in which the tolerance means the same for all problems. On entry p and status,
/// and v, are the warm start if their sizes fit; on return p, u and v have the units of the
/// problem, `residual` has natural ones. Throw std::invalid_argument as these do.
void solve_in_natural_units(const FrictionContactProblem &problem, const ConeOptions &options,
                            ConeSolution &solution);
/// The same for a global problem; the units are those of the reduced one.
void solve_in_natural_units(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                            GlobalConeSolution &solution);

/// "converged", "out of time", ...
const char *outcome_name(ConeOutcome outcome);

} // namespace percussion
