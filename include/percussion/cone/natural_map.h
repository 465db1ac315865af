#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/local_solver.h>

#include <vector>

namespace percussion {

namespace local {

/// Natural map of a contact, F = p − P_K(p − ρ (u + μ‖u_T‖ n)), and its (generalised) derivative dF
/// = derivative_p dp + derivative_u du.
template <int d>
struct NaturalMap {
  Vector<d> value{};
  Block<d> derivative_p{}, derivative_u{};
};

/// Returns F and its derivative for the percussion p (d entries) and velocity u of a contact; ρ > 0
/// in [impulse / velocity].
template <int d>
NaturalMap<d> natural_map(const double *p, const Vector<d> &u, double mu, double rho);

} // namespace local

/// Semi-smooth Newton on the natural map of all contacts (for contact: Alart & Curnier 1991;
/// comparison: Acary, Brémond & Huber 2018) with all d n_c percussions as unknowns, with or without
/// a nonmonotone line search on ‖F‖ (Grippo, Lampariello & Lucidi 1986); ρ = 1 / mean diagonal
/// entry of each W_ii.
///
/// `p` is the initial guess and the result, the iterate with the smallest natural_map_residual().
/// Returns the number of iterations. Ends if the tolerance is met, the Jacobian is singular, or the
/// line search fails.
template <int d>
unsigned int natural_map_newton(const FrictionContactProblem &problem, double tolerance,
                                unsigned int max_iterations, bool line_search,
                                const Deadline &deadline, std::vector<double> &p);

} // namespace percussion
