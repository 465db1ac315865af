#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Alternating direction method of multipliers (Boyd et al. 2011) for the convex problem with fixed
/// De Saxcé term s = μ‖u_T‖ n, which each iteration updates (Acary, Cadoux, Lemaréchal & Malick
/// 2011; in one loop: Acary, Brémond & Huber 2018):
///
///     x ← (W + ρ)⁻¹ (ρ (z − y) − q − s) ,    z ← P_K(x + y) ,    y ← y + x − z ,    u + s = −ρ y .
///
/// Contacts are scaled to W_ii of mean diagonal one, x is over-relaxed, and ρ is balanced from time
/// to time, at the cost of a factorisation; W may be singular. The method shares neither statuses
/// nor local solvers with the other methods. With friction the problem is not convex, and
/// convergence is not guaranteed.
///
/// `p` is the initial guess and the result. Returns the number of iterations.
template <int d>
unsigned int admm(const FrictionContactProblem &problem, double tolerance,
                  unsigned int max_iterations, const Deadline &deadline, std::vector<double> &p);

} // namespace percussion
