#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Augmented Lagrangian method for rigid bodies in 3D, for any rank of W. From percussions p,
/// velocities v of the bodies with
///
///     M v = Hᵀ P_K(p − D⁻¹ (u + s n) / ε) ,   u = H v + q ,   s = μ‖u_T‖ of the previous step,
///
/// give the next p, the projection. D is the mean diagonal of W_ii, and ε decreases with the
/// residual. For fixed s these are the equations of a convex minimum, and Newton with a line
/// search, its systems factorised in the space of the bodies, finds it from any start: De Saxcé's
/// form of Coulomb's law and the fixed point on s follow Acary, Cadoux, Lemaréchal & Malick (2011).
/// The first s follows from p if its residual is below 1e-3, else 0; p keeps its component in the
/// null space of W. The method solves standing walls and heaps; if many contacts slip fast, the
/// fixed point may be slow, or not converge.
///
/// Returns the number of Newton iterations; p is the best iterate. Applies only if the problem has
/// bodies without compliance: otherwise it returns zero.
unsigned int multipliers(const FrictionContactProblem &problem, double tolerance,
                         unsigned int max_iterations, const Deadline &deadline,
                         std::vector<double> &p);

} // namespace percussion
