#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>
#include <vector>

namespace percussion {

/// Projects x = (x_N, x_T), of `dimension` components, on the second-order cone { ‖x_T‖ ≤ μ x_N }
/// in the Euclidean norm; in place.
void project_on_coulomb_cone(double mu, std::size_t dimension, double *x);

/// Returns ‖p − P_K(p − (u + μ‖u_T‖ n))‖ / (1 + ‖q‖) with u = W p + q: the stopping criterion of
/// AC24 section 4 for problem (91), in dimension 2 or 3. It vanishes exactly at the solutions.
///
/// It depends on the data and p only, so it treats all solvers alike. The natural map adds an
/// impulse to a velocity: its value, unlike its zeros, depends on the units. Two limitations: on
/// the boundary of the cone, it does not detect velocities below the last digit of the percussion,
/// and for very large friction a u_N of μ times the residual may remain.
double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p);

/// Returns this residual for known velocities u = W p + q.
double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p,
                            const std::vector<double> &u);

/// Returns the square of each contact's natural map, whose sum is (residual (1 + ‖q‖))².
std::vector<double> natural_map_squares(const FrictionContactProblem &problem,
                                        const std::vector<double> &p);

/// Returns the velocities W p + q.
std::vector<double> local_velocities(const FrictionContactProblem &problem,
                                     const std::vector<double> &p);

/// Returns the residual of the global problem, with u = Hᵀ v + b and 1 + ‖b‖, plus the relative
/// residual of the momentum balance, ‖M v − H p − q‖ / (1 + ‖q‖).
double natural_map_residual(const GlobalFrictionContactProblem &problem,
                            const GlobalConeSolution &solution);

} // namespace percussion
