#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Alternating directions (Boyd et al. 2011) on the convex problem that is left where the De Saxcé
/// term s = μ‖u_T‖ n is held, which each iteration takes anew (Acary, Cadoux, Lemaréchal & Malick
/// 2011; as one loop: Acary, Brémond & Huber 2018):
///
///     x ← (W + ρ)⁻¹ (ρ (z − y) − q − s) ,    z ← P_K(x + y) ,    y ← y + x − z ,    u + s = −ρ y .
///
/// Contacts are scaled to W_ii of mean diagonal one, x is over-relaxed, and ρ is balanced now and
/// then, which costs a factorisation; W may be singular. It shares neither statuses nor local
/// solvers with the other methods. With friction the problem is not convex and this is no proof of
/// convergence.
///
/// `p` is the start and the result. Returns the number of iterations.
template <int d>
unsigned int admm(const FrictionContactProblem &problem, double tolerance,
                  unsigned int max_iterations, const Deadline &deadline, std::vector<double> &p);

} // namespace percussion
