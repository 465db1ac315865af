#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Lemke's method (Cottle, Pang & Stone 1992, section 4.4) for the 2D frictional contact problem,
/// whose polyhedral cones make it a linear complementarity problem (Jean 1999, section 4): with u_T
/// = u₊ − u₋ and the distances a₊ = μ p_N − p_T, a₋ = μ p_N + p_T from the edges of the cone,
///
///     u_N = (W_NN − μ W_NT) p_N + W_NT a₋      + q_N     ⟂ p_N
///     u₊  = (W_TN − μ W_TT) p_N + W_TT a₋ + u₋ + q_T     ⟂ a₋
///     a₊  = 2 μ p_N − a₋                                 ⟂ u₋ .
///
/// Statuses cannot cycle, and a singular or nearly singular W causes no difficulty. The method is
/// independent of the iterative ones; its solutions are exact to round-off. It takes about as many
/// pivots as there are rows, each at a cost quadratic in their number.
///
/// Round-off can divert the pivoting; its path depends on the covering vector: it is repeated with
/// random covering vectors until the tolerance is met, up to a limited number of attempts.
///
/// `p` is the result; it is replaced only by percussions with a smaller residual. Returns the
/// number of pivots. Only for dimension 2.
unsigned int lemke(const FrictionContactProblem &problem, double tolerance, unsigned int max_pivots,
                   const Deadline &deadline, std::vector<double> &p);

} // namespace percussion
