#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Primal–dual interior-point method (Nesterov & Todd 1998; Mehrotra 1992) for
///
///     y = W x + q + ‖y_T‖ n ,     x ∈ L ,   y ∈ L ,   x ∘ y → 0 ,
///
/// the frictional contact problem with x = (μ p_N, p_T) and y = (u_N / μ + ‖u_T‖, u_T), both in the
/// Lorentz cone L. Newton's equations include the derivative of ‖y_T‖, smoothed at sticking
/// contacts, which a fixed De Saxcé term omits (Acary, Armand, Nguyen & Shpakovych 2022); short
/// steps are followed by a step to the centre and by Levenberg–Marquardt damping. The matrix, W
/// plus a block for each contact, keeps its pattern. W may be nonsymmetric or singular; with
/// friction the problem is not monotone, and convergence is not guaranteed.
///
/// Contacts at the boundary of L are exact to about the square root of round-off: active sets are
/// better at high accuracy, and find the statuses from the result.
///
/// `p` is the result, the iterate with the smallest natural_map_residual(); the initial guess
/// counts as an iterate, but is otherwise unused. Returns the number of iterations. Ends if the
/// tolerance is met, if there is no progress, or after three tiny steps in a row.
template <int d>
unsigned int interior_point(const FrictionContactProblem &problem, double tolerance,
                            unsigned int max_iterations, const Deadline &deadline,
                            std::vector<double> &p);

} // namespace percussion
