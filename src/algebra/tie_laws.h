#pragma once

#include <percussion/algebra/ties.h>

#include <vector>

namespace percussion {

/// Forces of ties with laws, and their statuses as in Ties::statuses().
struct TieLawForces {
  std::vector<double> t;
  std::vector<unsigned int> status;
};

/// Size of the numbers from which W_kk and g_k of a tie are computed: its compliance and value
/// without the other ties.
struct TieLawSize {
  double compliance, value;
};

/// Finds forces t with w = g − W t such that each law permits w_k with t_k. W is square, row by
/// row, and positive semidefinite up to an unsymmetric part. Sweeps over the laws find statuses,
/// and Newton's method for these statuses the forces; if it cycles, more sweeps do.
TieLawForces solve_tie_laws(const std::vector<double> &W, const std::vector<double> &g,
                            const std::vector<const TieLaw *> &laws,
                            const std::vector<TieLawSize> &sizes);

} // namespace percussion
