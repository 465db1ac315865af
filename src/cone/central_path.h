#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Follows the solutions of
///
///     W x + q + s(y) n − y = τ r ,     x ∘ y = τ g e ,     s(y) = √((1 − κ) ‖y_T‖² + κ y_N²) ,
///
/// from a point that solves them for τ = 1 to τ → 0, with x and y as in interior_point(). The term
/// s is smooth within the cone and equals ‖y_T‖ at solutions, for every κ in (0, 1). With friction
/// this path need not be monotone in τ: at folds Newton's matrix is singular, and interior points,
/// which only reduce τ, stagnate. Here a step follows the path, by its tangent and its curvature,
/// and Newton's correction is orthogonal to the tangent (Allgower & Georg 1990). The sign of the
/// determinant decides if τ falls or rises: it is kept throughout a path, so that the path leads to
/// a solution even after a jump to another branch. On straight sections Mehrotra's steps
/// are taken.
///
/// `p` is the point of the path with the smallest natural_map_residual(); it is no initial guess.
/// Returns the number of factorisations. Ends if the tolerance is met, at τ = 1 again, or if
/// neither a step nor a correction is possible.
template <int d>
unsigned int central_path(const FrictionContactProblem &problem, double kappa, double tolerance,
                          unsigned int max_factorisations, const Deadline &deadline,
                          std::vector<double> &p);

} // namespace percussion
