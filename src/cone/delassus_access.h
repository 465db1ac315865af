#pragma once

#include <percussion/cone/local_solver.h>

#include <algorithm>
#include <cstddef>

/// Access of the solvers to W, dense or by blocks.
namespace percussion::delassus {

inline bool is_dense(const FrictionContactProblem &problem) { return problem.blocks.value.empty(); }

/// Sums in eight parts, which are independent and can be added in parallel.
inline double dense_row_times(const double *w, const double *p, std::size_t n) {
  double sum[8] = {0., 0., 0., 0., 0., 0., 0., 0.};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (std::size_t l = 0; l < 8; ++l)
      sum[l] += w[k + l] * p[k + l];
  for (; k < n; ++k)
    sum[0] += w[k] * p[k];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// Returns true if the natural map of p, of this residual, is at most `factor` times both q and p:
/// a criterion that does not depend on units.
inline bool is_small(const FrictionContactProblem &problem, const std::vector<double> &p,
                     double residual, double factor) {
  const auto norm = [](const std::vector<double> &x) {
    return std::sqrt(dense_row_times(x.data(), x.data(), x.size()));
  };
  const double size = norm(problem.q);
  return residual * (1. + size) <= factor * std::min(size, norm(p));
}

/// Returns the velocities of contact i, W p + q. For a dense W only the first `n_contacts` contacts
/// count: the percussions of the others are known to be zero. With all contacts the order of
/// summation equals that in natural_map_residual().
template <int d>
local::Vector<d> velocity(const FrictionContactProblem &problem, std::size_t i, const double *p,
                          std::size_t n_contacts) {
  local::Vector<d> u;
  for (std::size_t k = 0; k < d; ++k)
    u[k] = problem.q[d * i + k];
  if (is_dense(problem)) {
    const std::size_t n = problem.q.size();
    const std::size_t end = d * n_contacts;
    const double *const rows = problem.W.data() + d * i * n;
    double sum[d][4] = {};
    std::size_t c = 0;
    for (; c + 4 <= end; c += 4)
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < 4; ++l)
          sum[k][l] += rows[k * n + c + l] * p[c + l];
    for (; c < end; ++c)
      for (std::size_t k = 0; k < d; ++k)
        sum[k][0] += rows[k * n + c] * p[c];
    for (std::size_t k = 0; k < d; ++k)
      u[k] += (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
    return u;
  }
  const BlockSparseMatrix &blocks = problem.blocks;
  local::Vector<d> sum{};
  for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
    for (std::size_t k = 0; k < d; ++k) {
      double of_block = 0.;
      for (std::size_t l = 0; l < d; ++l)
        of_block += blocks.value[(b * d + k) * d + l] * p[d * blocks.column[b] + l];
      sum[k] += of_block;
    }
  for (std::size_t k = 0; k < d; ++k)
    u[k] += sum[k];
  return u;
}

template <int d>
local::Vector<d> velocity(const FrictionContactProblem &problem, std::size_t i, const double *p) {
  return velocity<d>(problem, i, p, problem.n_contacts);
}

template <int d>
void velocities(const FrictionContactProblem &problem, const std::vector<double> &p,
                std::vector<double> &u) {
  if (std::all_of(p.begin(), p.end(), [](double x) { return x == 0.; })) {
    u = problem.q;
    return;
  }
  u.resize(problem.q.size());
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const local::Vector<d> u_i = velocity<d>(problem, i, p.data());
    std::copy(u_i.begin(), u_i.end(), u.begin() + static_cast<std::ptrdiff_t>(d * i));
  }
}

/// Calls visit(j, block, stride) for every block of contact i's rows: entry (k, l) of the block
/// against contact j is block[k * stride + l].
template <int d, typename Visit>
void for_blocks_of_row(const FrictionContactProblem &problem, std::size_t i, const Visit &visit) {
  if (is_dense(problem)) {
    const std::size_t n = problem.q.size();
    for (std::size_t j = 0; j < problem.n_contacts; ++j)
      visit(j, problem.W.data() + d * i * n + d * j, n);
    return;
  }
  const BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
    visit(blocks.column[b], blocks.value.data() + b * d * d, static_cast<std::size_t>(d));
}

/// Returns the first entry of the block W_ii and its row stride; nullptr if it is not stored.
template <int d, typename Problem>
auto find_diagonal(Problem &problem, std::size_t i) {
  struct Found {
    decltype(problem.W.data()) entry;
    std::size_t stride;
  };
  if (is_dense(problem)) {
    const std::size_t n = problem.q.size();
    return Found{problem.W.data() + d * i * (n + 1), n};
  }
  auto &blocks = problem.blocks;
  const auto begin = blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i]);
  const auto end = blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i + 1]);
  const auto found = std::lower_bound(begin, end, i);
  if (found == end || *found != i)
    return Found{nullptr, 0};
  const auto b = static_cast<std::size_t>(found - blocks.column.begin());
  return Found{blocks.value.data() + b * d * d, static_cast<std::size_t>(d)};
}

/// Returns the diagonal block W_ii: velocity of contact i per percussion.
template <int d>
local::Block<d> diagonal_block(const FrictionContactProblem &problem, std::size_t i) {
  local::Block<d> block{};
  if (const auto found = find_diagonal<d>(problem, i); found.entry)
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t l = 0; l < d; ++l)
        block[k][l] = found.entry[k * found.stride + l];
  return block;
}

/// Returns the mean diagonal entry of each block W_ii, or of the whole W if the mean vanishes.
template <int d>
std::vector<double> mean_diagonals(const FrictionContactProblem &problem) {
  std::vector<double> mean(problem.n_contacts, 0.);
  double overall = 0.;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const local::Block<d> block = diagonal_block<d>(problem, i);
    for (std::size_t k = 0; k < d; ++k)
      mean[i] += block[k][k] / d;
    overall += mean[i] / static_cast<double>(problem.n_contacts);
  }
  for (double &entry : mean)
    if (entry <= 0.)
      entry = overall;
  return mean;
}

/// Returns scaling factors of the percussions that give each block W_ii a mean diagonal entry of
/// one; velocities are scaled by their inverses.
template <int d>
std::vector<double> percussion_scales(const FrictionContactProblem &problem) {
  std::vector<double> scales = mean_diagonals<d>(problem);
  for (double &entry : scales)
    entry = entry > 0. ? 1. / std::sqrt(entry) : 1.;
  return scales;
}

/// Adds shift[i] to the diagonal entries of W_ii; all these blocks must be stored.
template <int d>
void add_to_diagonal(const std::vector<double> &shift, FrictionContactProblem &problem) {
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    if (const auto found = find_diagonal<d>(problem, i); found.entry)
      for (std::size_t k = 0; k < d; ++k)
        found.entry[k * found.stride + k] += shift[i];
  if (problem.bodies.n_bodies > 0 && problem.bodies.compliance.empty())
    problem.bodies.compliance.assign(problem.q.size(), 0.);
  for (std::size_t row = 0; row < problem.bodies.compliance.size(); ++row)
    problem.bodies.compliance[row] += shift[row / d];
}

} // namespace percussion::delassus
