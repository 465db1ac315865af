#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

enum class InteriorPath { direct, careful };

/// A primal–dual interior-point method (Nesterov & Todd 1998; Mehrotra 1992) for
///
///     y = W x + q + ‖y_T‖ n ,     x ∈ L ,   y ∈ L ,   x ∘ y → 0 ,
///
/// the frictional contact problem with x = (μ p_N, p_T) and y = (u_N / μ + ‖u_T‖, u_T), both in the
/// Lorentz cone L. Newton's equations include the derivative of ‖y_T‖, smoothed at sticking
/// contacts, which a fixed De Saxcé term leaves out (Acary, Armand, Nguyen & Shpakovych 2022);
/// short steps are followed by a step to the centre and by Levenberg–Marquardt damping. The matrix,
/// W plus a block for each contact, keeps its pattern. Neither symmetry nor regularity of W is
/// needed; with friction the problem is not monotone, and convergence is not guaranteed.
///
/// Contacts at the boundary of L are exact to about the square root of round-off: active sets are
/// better at high accuracy, and find the statuses from the result.
///
/// Where `InteriorPath::direct` stops far from a solution, `careful` often does not. It replaces
/// ‖y_T‖ by √(½ ‖y_T‖² + ½ y_N²), which is the same at solutions (y_N = ‖y_T‖ where contacts slip,
/// y = 0 where they stick, x = 0 where they are open) but smooth within L, takes nine tenths of its
/// derivative, and lets x ∘ y fall no faster than the defect of the equation. Without bodies
/// `direct` gives up after three tiny steps, and ConeSolver goes on along the path itself.
///
/// `p` is the result, the iterate of least natural_map_residual(); the initial guess counts as
/// such, but is otherwise unused. Returns the number of iterations. Ends if the tolerance is met or
/// there is no more progress.
template <int d>
unsigned int interior_point(const FrictionContactProblem &problem, double tolerance,
                            unsigned int max_iterations, const Deadline &deadline,
                            std::vector<double> &p, InteriorPath path = InteriorPath::direct);

} // namespace percussion
