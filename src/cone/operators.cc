#include <percussion/cone/natural_units.h>
#include <percussion/cone/operators.h>

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

} // namespace

CompressedRows delassus(const FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  const BlockSparseMatrix &blocks = problem.blocks;
  const bool is_dense = !problem.W.empty() || blocks.row_start.empty();
  if (is_dense ? problem.W.size() != n * n
               : blocks.row_start.size() != problem.n_contacts + 1 ||
                     !std::is_sorted(blocks.row_start.begin(), blocks.row_start.end()) ||
                     blocks.row_start.back() != blocks.column.size() ||
                     blocks.value.size() != d * d * blocks.column.size())
    throw std::invalid_argument("frictional contact problem: the size of W does not fit");
  CompressedRows result{n, n, {0}, {}, {}};
  const auto append = [&result](std::size_t column, double value) {
    result.column.push_back(column);
    result.value.push_back(value);
  };
  for (std::size_t row = 0; row < n; ++row) {
    if (is_dense) {
      for (std::size_t column = 0; column < n; ++column)
        if (const double w = problem.W[row * n + column]; w != 0. || std::signbit(w))
          append(column, w);
    } else {
      for (std::size_t b = blocks.row_start[row / d]; b < blocks.row_start[row / d + 1]; ++b)
        for (std::size_t l = 0; l < d; ++l)
          append(d * blocks.column[b] + l, blocks.value[(b * d + row % d) * d + l]);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

void set_delassus(const CompressedRows &W, FrictionContactProblem &problem) {
  if (problem.n_contacts > 50) {
    BlockSparseMatrix blocks = blocks_of(W, problem.dimension);
    if (3 * blocks.value.size() < W.n_rows * W.n_columns) {
      problem.blocks = std::move(blocks);
      return;
    }
  }
  problem.W.assign(W.n_rows * W.n_columns, 0.);
  for (std::size_t row = 0; row < W.n_rows; ++row)
    for (std::size_t k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
      problem.W[row * W.n_columns + W.column[k]] = W.value[k];
}

GlobalFrictionContactProblem to_units(const NaturalUnits &units,
                                      GlobalFrictionContactProblem problem) {
  scale(units.velocity / units.percussion, problem.M.value);
  scale(1. / units.percussion, problem.q);
  scale(1. / units.velocity, problem.b);
  return problem;
}

} // namespace percussion
