#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Lemke's pivots (Cottle, Pang & Stone 1992, section 4.4) on the plane frictional contact problem,
/// which without curved cones is a linear complementarity problem (as in Jean 1999, section 4):
/// with u_T = u₊ − u₋ and the distances a₊ = μ p_N − p_T, a₋ = μ p_N + p_T from the cone's edges,
///
///     u_N = (W_NN − μ W_NT) p_N + W_NT a₋      + q_N     ⟂ p_N
///     u₊  = (W_TN − μ W_TT) p_N + W_TT a₋ + u₋ + q_T     ⟂ a₋
///     a₊  = 2 μ p_N − a₋                                 ⟂ u₋ .
///
/// No status can cycle, and a singular or nearly singular W does no harm: it shares nothing with
/// the iterative methods, and what it finds is exact to round-off. It costs about as many pivots as
/// there are rows, each of the square of their number.
///
/// Round-off can lead the pivots astray, on a way that depends on the covering vector: with random
/// ones they start again until the tolerance is met, a few times.
///
/// `p` is the start, of which nothing but the residual is used, and the result. Returns the number
/// of pivots. Only for dimension 2.
unsigned int lemke(const FrictionContactProblem &problem, double tolerance, unsigned int max_pivots,
                   const Deadline &deadline, std::vector<double> &p);

} // namespace percussion
