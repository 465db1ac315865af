#pragma once

#include <percussion/cone/problem.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace percussion::sample {

/// Returns the error of percussions in Coulomb's law, contact by contact, in the terms of the law
/// and in extended precision; no solver computes this residual. It is the maximum, divided by 1 +
/// ‖q‖, of: the distance from the cone; the approach velocity; the smaller of p_N and u_N; the
/// smallest of p, of u_T, and of the distance of p_T from its limit opposite to u_T.
inline double residual_in_words(const FrictionContactProblem &problem,
                                const std::vector<double> &p) {
  using Real = long double;
  const std::size_t d = problem.dimension, n = problem.q.size();
  Real norm_of_q = 0, worst = p.size() == n ? Real(0) : Real(INFINITY);
  for (const double q : problem.q)
    norm_of_q += Real(q) * q;
  norm_of_q = std::sqrt(norm_of_q);
  for (std::size_t i = 0; i < problem.n_contacts && p.size() == n; ++i) {
    Real u[3] = {0, 0, 0}, p_T = 0, u_T = 0, power = 0;
    for (std::size_t k = 0; k < d; ++k) {
      u[k] = problem.q[d * i + k];
      if (problem.blocks.value.empty())
        for (std::size_t column = 0; column < n; ++column)
          u[k] += Real(problem.W[(d * i + k) * n + column]) * p[column];
      else
        for (std::size_t b = problem.blocks.row_start[i]; b < problem.blocks.row_start[i + 1]; ++b)
          for (std::size_t l = 0; l < d; ++l)
            u[k] += Real(problem.blocks.value[(b * d + k) * d + l]) *
                    p[d * problem.blocks.column[b] + l];
    }
    for (std::size_t k = 1; k < d; ++k) {
      p_T += Real(p[d * i + k]) * p[d * i + k];
      u_T += u[k] * u[k];
      power += Real(p[d * i + k]) * u[k];
    }
    p_T = std::sqrt(p_T), u_T = std::sqrt(u_T);
    const Real p_N = p[d * i], limit = problem.mu[i] * p_N;
    // Friction is at its limit against the slip, or there is no slip.
    const Real against = p_T > 0 ? std::abs(power + p_T * u_T) / p_T : Real(0);
    const Real slips = std::max(std::abs(limit - p_T), against);
    worst = std::max({worst, p_T - limit, -u[0], std::min(std::abs(p_N), std::abs(u[0])),
                      std::min({slips, u_T, std::max(std::abs(p_N), p_T)})});
  }
  return static_cast<double>(worst / (1 + norm_of_q));
}

} // namespace percussion::sample
