#include "block_inverse.h"

#include "linear_system.h"
#include <algorithm>
#include <numeric>

namespace percussion {
namespace {

constexpr std::size_t most_rows = 12; // two bodies that share an entry

/// The rows that are connected by entries, as trees of parents.
std::vector<std::size_t> connected_rows(const CompressedRows &matrix) {
  std::vector<std::size_t> parent(matrix.n_rows);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t row) {
    while (parent[row] != row)
      row = parent[row] = parent[parent[row]];
    return row;
  };
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      const std::size_t a = root(row), b = root(matrix.column[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    parent[row] = root(row);
  return parent;
}

/// The inverse of the entries between these rows. False if they are singular.
bool invert(const CompressedRows &matrix, const std::vector<std::size_t> &rows,
            LinearSystem &system, std::vector<double> &inverse) {
  const std::size_t n = rows.size();
  double *const block = system.dense(n); // by columns
  std::fill(block, block + n * n, 0.);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t k = matrix.row_start[rows[r]]; k < matrix.row_start[rows[r] + 1]; ++k) {
      const auto place = std::lower_bound(rows.begin(), rows.end(), matrix.column[k]);
      block[static_cast<std::size_t>(place - rows.begin()) * n + r] = matrix.value[k];
    }
  if (!system.factorise_dense())
    return false;
  inverse.resize(n * n);
  std::vector<double> column(n);
  for (std::size_t c = 0; c < n; ++c) {
    std::fill(column.begin(), column.end(), 0.);
    column[c] = 1.;
    if (!system.solve(column))
      return false;
    for (std::size_t r = 0; r < n; ++r)
      inverse[r * n + c] = column[r];
  }
  return true;
}

} // namespace

std::optional<BlockInverse> inverse_by_blocks(const CompressedRows &matrix) {
  const std::vector<std::size_t> root = connected_rows(matrix);
  BlockInverse result;
  result.block_of.resize(matrix.n_rows);
  for (std::size_t row = 0; row < matrix.n_rows; ++row) {
    if (root[row] == row) {
      result.block_of[row] = result.rows.size();
      result.rows.emplace_back();
    }
    const std::size_t block = result.block_of[row] = result.block_of[root[row]];
    result.rows[block].push_back(row);
    if (result.rows[block].size() > most_rows)
      return std::nullopt;
  }
  result.entries.resize(result.rows.size());
  LinearSystem system;
  for (std::size_t block = 0; block < result.rows.size(); ++block)
    if (!invert(matrix, result.rows[block], system, result.entries[block]))
      return std::nullopt;
  return result;
}

void multiply(const BlockInverse &inverse, std::vector<double> &x) {
  std::vector<double> before;
  for (std::size_t block = 0; block < inverse.rows.size(); ++block) {
    const std::vector<std::size_t> &rows = inverse.rows[block];
    before.clear();
    for (const std::size_t row : rows)
      before.push_back(x[row]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double sum = 0.;
      for (std::size_t c = 0; c < rows.size(); ++c)
        sum += inverse.entries[block][r * rows.size() + c] * before[c];
      x[rows[r]] = sum;
    }
  }
}

} // namespace percussion
