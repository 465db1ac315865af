#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>
#include <vector>

namespace percussion {

/// The Euclidean projection of x = (x_N, x_T), of `dimension` components, on the second-order cone
/// { ‖x_T‖ ≤ μ x_N }; in place.
void project_on_coulomb_cone(double mu, std::size_t dimension, double *x);

/// ‖p − P_K(p − (u + μ‖u_T‖ n))‖ / (1 + ‖q‖) with u = W p + q: the stopping criterion of AC24
/// section 4 for the problem (91), in dimension 2 or 3. It is zero exactly at the solutions.
///
/// It is computed from the problem's data alone, so that it judges every solver alike. The natural
/// map adds an impulse to a velocity: its value, unlike its zeros, depends on the units. Two limits
/// of what it says: a velocity below the last digit of a percussion on the cone's edge is not seen,
/// and where friction is very large a u_N of μ times the residual may be left.
double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p);

/// The same for the global problem, with u = Hᵀ v + b, over 1 + ‖b‖; and to it is added what v
/// leaves of its equations: ‖M v − H p − q‖ / (1 + ‖q‖).
double natural_map_residual(const GlobalFrictionContactProblem &problem,
                            const GlobalConeSolution &solution);

} // namespace percussion
