#pragma once

#include <percussion/base/linear_system.h>
#include <percussion/cone/local_solver.h>

#include "vectors.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace percussion {

/// Delassus operator W of a problem, which must outlive it: velocities of the contacts per
/// percussion. W is stored dense or by blocks, and in 3D its bodies may be known, too. Solvers use
/// W only by this class and by DelassusFactors; both have all that depends on the representation.
template <int d>
class DelassusOperator {
public:
  static constexpr std::size_t not_stored = static_cast<std::size_t>(-1);

  explicit DelassusOperator(const FrictionContactProblem &problem)
      : n_contacts(problem.n_contacts), is_dense(problem.blocks.value.empty()),
        stride(is_dense ? d * n_contacts : d),
        values(is_dense ? problem.W.data() : problem.blocks.value.data()), blocks(problem.blocks),
        bodies_of_problem(problem.bodies) {}

  /// Returns (W p)_i. For a dense W only the first `n_acting` contacts count: the percussions of
  /// the others are known to be zero.
  local::Vector<d> product(std::size_t i, const double *p, std::size_t n_acting) const {
    return is_dense ? product_of_rows(i, p, d * n_acting) : product_of_blocks(i, p);
  }
  local::Vector<d> product(std::size_t i, const double *p) const {
    return product(i, p, n_contacts);
  }

  /// Calls visit(j, block, stride) for every block of contact i's rows: entry (k, l) of the block
  /// against contact j is block[k * stride + l].
  template <typename Visit>
  void visit_row_blocks(std::size_t i, const Visit &visit) const {
    if (is_dense)
      for (std::size_t j = 0; j < n_contacts; ++j)
        visit(j, values + d * i * stride + d * j, stride);
    else
      for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
        visit(blocks.column[b], values + b * d * d, stride);
  }

  /// Returns the index of the first entry of W_ii among the stored values, and the number of
  /// entries from one row to the next.
  std::pair<std::size_t, std::size_t> diagonal_position(std::size_t i) const {
    if (is_dense)
      return {d * i * (stride + 1), stride};
    const auto begin = blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i]);
    const auto end = blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i + 1]);
    const auto found = std::lower_bound(begin, end, i);
    const bool is_stored = found != end && *found == i;
    return {is_stored ? static_cast<std::size_t>(found - blocks.column.begin()) * d * d
                      : not_stored,
            stride};
  }

  /// Returns W_ii; zero if it is not stored.
  local::Block<d> diagonal_block(std::size_t i) const {
    local::Block<d> block{};
    if (const std::size_t first = diagonal_position(i).first; first != not_stored)
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l)
          block[k][l] = values[first + k * stride + l];
    return block;
  }

  /// Returns the mean diagonal entry of each block W_ii, or of the whole W if the mean vanishes.
  std::vector<double> mean_diagonals() const {
    std::vector<double> mean(n_contacts, 0.);
    double overall = 0.;
    for (std::size_t i = 0; i < n_contacts; ++i) {
      const local::Block<d> block = diagonal_block(i);
      for (std::size_t k = 0; k < d; ++k)
        mean[i] += block[k][k] / d;
      overall += mean[i] / static_cast<double>(n_contacts);
    }
    for (double &entry : mean)
      if (entry <= 0.)
        entry = overall;
    return mean;
  }

  /// Returns scaling factors of the percussions that give each block W_ii a mean diagonal entry of
  /// one; velocities are scaled by their inverses.
  std::vector<double> percussion_scales() const {
    std::vector<double> scales = mean_diagonals();
    for (double &entry : scales)
      entry = entry > 0. ? 1. / std::sqrt(entry) : 1.;
    return scales;
  }

  /// Returns true if no percussion changes the normal velocity of contact i.
  bool normal_row_vanishes(std::size_t i) const {
    const auto vanishes = [](const double *row) {
      return std::all_of(row, row + d, [](double w) { return w == 0.; });
    };
    if (const auto own = diagonal_block(i); !vanishes(own[0].data()))
      return false;
    bool all_vanish = true;
    visit_row_blocks(i, [&](std::size_t, const double *block, std::size_t) {
      all_vanish = all_vanish && vanishes(block);
    });
    return all_vanish;
  }

  /// Returns the bodies that W couples; nullptr if they are unknown.
  const ContactingBodies *bodies() const {
    return d == 3 && bodies_of_problem.n_bodies > 0 ? &bodies_of_problem : nullptr;
  }
  /// Returns these bodies if their contacts have no compliance of their own, otherwise nullptr.
  const ContactingBodies *rigid_bodies() const {
    return bodies() && bodies_of_problem.compliance.empty() ? &bodies_of_problem : nullptr;
  }
  /// Returns an upper limit of the rank of W.
  std::size_t largest_rank() const {
    const std::size_t n = d * n_contacts;
    return rigid_bodies() ? std::min(n, 6 * bodies_of_problem.n_bodies) : n;
  }
  /// Returns the number of blocks per block row of a triangular factor of W; infinity if W is
  /// dense.
  double fill_per_row() const { return percussion::fill_per_row(blocks.row_start, blocks.column); }

  const std::size_t n_contacts;
  const bool is_dense; ///< true if W has no blocks: factors are dense as well

private:
  local::Vector<d> product_of_rows(std::size_t i, const double *p, std::size_t end) const {
    local::Vector<d> result;
    for (std::size_t k = 0; k < d; ++k)
      result[k] = product_of_row(values + (d * i + k) * stride, p, end);
    return result;
  }

  /// Sums in four parts, which are independent and can be added in parallel. Compilers do so for
  /// one row, not for the rows of a contact together.
  static double product_of_row(const double *row, const double *p, std::size_t end) {
    double sum[4] = {};
    std::size_t c = 0;
    for (; c + 4 <= end; c += 4)
      for (std::size_t l = 0; l < 4; ++l)
        sum[l] += row[c + l] * p[c + l];
    for (; c < end; ++c)
      sum[0] += row[c] * p[c];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  local::Vector<d> product_of_blocks(std::size_t i, const double *p) const {
    local::Vector<d> result{};
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d; ++k) {
        double block_product = 0.;
        for (std::size_t l = 0; l < d; ++l)
          block_product += values[(b * d + k) * d + l] * p[d * blocks.column[b] + l];
        result[k] += block_product;
      }
    return result;
  }

  std::size_t stride; ///< entries from one row of a block to the next
  const double *values;
  const BlockSparseMatrix &blocks;
  const ContactingBodies &bodies_of_problem;
};

/// Returns the velocities of contact i, W p + q.
template <int d>
local::Vector<d> velocity(const FrictionContactProblem &problem, const DelassusOperator<d> &W,
                          std::size_t i, const double *p) {
  local::Vector<d> u = W.product(i, p);
  for (std::size_t k = 0; k < d; ++k)
    u[k] = problem.q[d * i + k] + u[k];
  return u;
}

/// Computes the velocities u = W p + q.
template <int d>
void velocities(const FrictionContactProblem &problem, const std::vector<double> &p,
                std::vector<double> &u) {
  u = problem.q;
  if (vanishes(p))
    return;
  const DelassusOperator<d> W(problem);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const local::Vector<d> product = W.product(i, p.data());
    for (std::size_t k = 0; k < d; ++k)
      u[d * i + k] += product[k];
  }
}

} // namespace percussion
