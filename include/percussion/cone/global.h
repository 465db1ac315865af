#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// The reduced problem: W = Hᵀ M⁻¹ H by a sparse factorisation of M, dense or by blocks, whichever
/// is smaller, and Hᵀ M⁻¹ q + b. Throws std::invalid_argument where M is singular or not symmetric.
FrictionContactProblem reduced_problem(const GlobalFrictionContactProblem &problem);

/**
 * Solve a global problem: by pdas on the sparse system of v and the percussions of closed contacts,
 * where options.method asks for it, else by the reduced problem. Warm start, result and errors as
 * in ConeSolver::solve().
 */
void solve_global(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                  GlobalConeSolution &solution);

} // namespace percussion
