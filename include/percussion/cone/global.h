#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Returns the reduced problem: W = Hᵀ M⁻¹ H by a sparse factorisation of M, and Hᵀ M⁻¹ q + b. W is
/// stored by blocks if there are more than 50 contacts and at most a third of the blocks is
/// nonzero, otherwise dense. Throws std::invalid_argument if M is singular.
FrictionContactProblem reduced_problem(const GlobalFrictionContactProblem &problem);

/// Solves a global problem: if options.method is pdas, by the sparse system of v and the
/// percussions of closed contacts, otherwise by the reduced problem. pdas needs M definite and the
/// rows of closed contacts independent, as for elastic bodies; its warm start consists of p and v.
/// Otherwise warm start, result and errors are as in ConeSolver::solve(); the residual is evaluated
/// from the global data.
void solve_global(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                  GlobalConeSolution &solution);

} // namespace percussion
