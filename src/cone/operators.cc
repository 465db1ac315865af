#include <percussion/cone/operators.h>

#include "delassus_operator.h"
#include "vectors.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace percussion {
namespace {

/// Returns the blocks that hold entries, and the diagonal blocks.
BlockSparseMatrix blocks_of(const CompressedRows &W, std::size_t d) {
  BlockSparseMatrix blocks;
  blocks.row_start.assign(1, 0);
  for (std::size_t i = 0; i < W.n_rows / d; ++i) {
    std::map<std::size_t, std::vector<double>> row = {{i, std::vector<double>(d * d, 0.)}};
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t e = W.row_start[d * i + k]; e < W.row_start[d * i + k + 1]; ++e) {
        std::vector<double> &block = row[W.column[e] / d];
        block.resize(d * d, 0.);
        block[k * d + W.column[e] % d] = W.value[e];
      }
    for (const auto &[column, block] : row) {
      blocks.column.push_back(column);
      blocks.value.insert(blocks.value.end(), block.begin(), block.end());
    }
    blocks.row_start.push_back(blocks.column.size());
  }
  return blocks;
}

/// Returns the entries that are stored.
template <typename Problem>
auto &stored_values(Problem &problem) {
  return problem.blocks.value.empty() ? problem.W : problem.blocks.value;
}

/// Calls visit(row, column, entry) for the entries that are stored, row by row.
template <typename Problem, typename Visit>
void visit_entries(Problem &problem, const Visit &visit) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  const BlockSparseMatrix &blocks = problem.blocks;
  auto *const entries = stored_values(problem).data();
  for (std::size_t row = 0; row < n; ++row)
    if (blocks.value.empty())
      for (std::size_t column = 0; column < n; ++column)
        visit(row, column, entries[row * n + column]);
    else
      for (std::size_t b = blocks.row_start[row / d]; b < blocks.row_start[row / d + 1]; ++b)
        for (std::size_t l = 0; l < d; ++l)
          visit(row, d * blocks.column[b] + l, entries[(b * d + row % d) * d + l]);
}

/// Returns the index of the first entry of W_ii, and the number of entries from one row to the
/// next.
std::pair<std::size_t, std::size_t> diagonal_position(const FrictionContactProblem &problem,
                                                      std::size_t i) {
  return problem.dimension == 2 ? DelassusOperator<2>(problem).diagonal_position(i)
                                : DelassusOperator<3>(problem).diagonal_position(i);
}

} // namespace

CompressedRows delassus(const FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  const BlockSparseMatrix &blocks = problem.blocks;
  const bool is_dense = blocks.value.empty();
  if (problem.W.size() != (is_dense ? n * n : 0) ||
      (!is_dense && (blocks.row_start.size() != problem.n_contacts + 1 ||
                     !std::is_sorted(blocks.row_start.begin(), blocks.row_start.end()) ||
                     blocks.row_start.back() != blocks.column.size() ||
                     blocks.value.size() != d * d * blocks.column.size())))
    throw std::invalid_argument("frictional contact problem: the size of W does not fit");
  CompressedRows result{n, n, {0}, {}, {}};
  visit_entries(problem, [&](std::size_t row, std::size_t column, double w) {
    result.row_start.resize(row + 1, result.column.size());
    if (is_dense && w == 0. && !std::signbit(w))
      return;
    result.column.push_back(column);
    result.value.push_back(w);
  });
  result.row_start.resize(n + 1, result.column.size());
  return result;
}

void set_delassus(std::vector<double> W, FrictionContactProblem &problem) {
  problem.W = std::move(W);
  problem.blocks = {};
}

void set_delassus(const CompressedRows &W, FrictionContactProblem &problem) {
  set_delassus(blocks_of(W, problem.dimension), false, problem);
}

void set_delassus(BlockSparseMatrix W, bool symmetric, FrictionContactProblem &problem) {
  constexpr std::size_t few_contacts = 50;
  problem.blocks = std::move(W);
  problem.W.clear();
  if (problem.n_contacts > few_contacts &&
      3 * problem.blocks.column.size() < problem.n_contacts * problem.n_contacts)
    return;
  make_dense(problem);
  const std::size_t n = problem.dimension * problem.n_contacts;
  for (std::size_t row = 0; symmetric && row < n; ++row)
    for (std::size_t column = 0; column < row; ++column) {
      double &below = problem.W[row * n + column], &above = problem.W[column * n + row];
      below = above = 0.5 * below + 0.5 * above;
    }
}

void make_dense(FrictionContactProblem &problem) {
  const std::size_t n = problem.dimension * problem.n_contacts;
  std::vector<double> dense(n * n, 0.);
  visit_entries(
      problem, [&](std::size_t row, std::size_t column, double w) { dense[row * n + column] = w; });
  set_delassus(std::move(dense), problem);
}

DelassusBlock diagonal_block(FrictionContactProblem &problem, std::size_t i) {
  const auto [first, stride] = diagonal_position(problem, i);
  return {&stored_values(problem)[first], stride};
}

double trace(const FrictionContactProblem &problem) {
  double sum = 0.;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    if (const auto [first, stride] = diagonal_position(problem, i);
        first != DelassusOperator<2>::not_stored)
      for (std::size_t k = 0; k < problem.dimension; ++k)
        sum += stored_values(problem)[first + k * (stride + 1)];
  return sum;
}

void scale(double factor, FrictionContactProblem &problem) {
  scale(factor, stored_values(problem));
  scale(1. / factor, problem.bodies.mass);
  scale(factor, problem.bodies.compliance);
}

void add_to_diagonal(const std::vector<double> &c, FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension;
  for (std::size_t row = 0; row < c.size(); ++row)
    diagonal_block(problem, row / d)(row % d, row % d) += c[row];
  if (problem.bodies.n_bodies == 0)
    return;
  problem.bodies.compliance.resize(c.size(), 0.);
  for (std::size_t row = 0; row < c.size(); ++row)
    problem.bodies.compliance[row] += c[row];
}

void clear_row_and_column(std::size_t row, FrictionContactProblem &problem) {
  const std::size_t n = problem.dimension * problem.n_contacts;
  const bool is_dense = problem.blocks.value.empty();
  for (std::size_t k = 0; k < n && is_dense; ++k)
    problem.W[row * n + k] = problem.W[k * n + row] = 0.;
  if (!is_dense)
    visit_entries(problem, [row](std::size_t r, std::size_t column, double &w) {
      if (r == row || column == row)
        w = 0.;
    });
}

std::size_t n_body_velocities(const FrictionContactProblem &problem) {
  return 6 * problem.bodies.n_bodies;
}

} // namespace percussion
