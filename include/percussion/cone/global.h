#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// The reduced problem: W = Hᵀ M⁻¹ H by a sparse factorisation of M, and Hᵀ M⁻¹ q + b. W is stored
/// by blocks where there are more than 50 contacts and a third of the blocks at most does not
/// vanish, else dense. Throws std::invalid_argument where M is singular or not symmetric.
FrictionContactProblem reduced_problem(const GlobalFrictionContactProblem &problem);

/// Solve a global problem: by pdas on the sparse system of v and the percussions of closed
/// contacts, where options.method asks for it, else by the reduced problem. pdas needs M definite
/// and the rows of closed contacts independent, as those of elastic bodies are; it starts from p
/// and v together. Else warm start, result and errors as in ConeSolver::solve(); the residual is
/// that of the global data.
void solve_global(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                  GlobalConeSolution &solution);

} // namespace percussion
