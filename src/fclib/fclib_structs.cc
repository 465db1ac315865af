#include "fclib_structs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

using Indices = std::vector<std::size_t>;

/// Row, column and value of every entry in the order of the file.
struct Triplets {
  Indices row, column;
  std::vector<double> value;
};

Indices indices(const int *x, int n) { return {x, x + n}; }

/// Of compressed lines: the line of every entry.
Indices lines(const int *pointers, int n_lines) {
  Indices line;
  for (int k = 0; k < n_lines; ++k)
    line.insert(line.end(), static_cast<std::size_t>(pointers[k + 1] - pointers[k]),
                static_cast<std::size_t>(k));
  return line;
}

bool all_below(const Indices &x, int end) {
  return std::all_of(x.begin(), x.end(),
                     [=](std::size_t i) { return i < static_cast<std::size_t>(end); });
}

/// Every number below n is there.
bool has_all_below(const Indices &x, int n) {
  std::vector<bool> is_there(static_cast<std::size_t>(n), false);
  for (const std::size_t i : x)
    is_there[i] = true;
  return std::find(is_there.begin(), is_there.end(), false) == is_there.end();
}

/// FCLib's documentation has the rows of triplets in p. CSparse, whose matrices these are, has the
/// columns there, and Siconos writes them so. Believe it where nothing else fits; or where rows are
/// left empty instead of columns, as H has rows without contacts, but no contacts without rows.
bool are_transposed(const Triplets &t, int m, int n) {
  const bool fit = all_below(t.row, m) && all_below(t.column, n),
             fit_transposed = all_below(t.column, m) && all_below(t.row, n);
  return fit_transposed && (!fit || (has_all_below(t.row, n) && !has_all_below(t.column, n)));
}

Triplets triplets(const fclib_matrix &matrix) {
  const int n_entries =
      matrix.nz >= 0 ? matrix.nz : matrix.p[matrix.nz == -1 ? matrix.n : matrix.m];
  Triplets t;
  t.value.assign(matrix.x, matrix.x + n_entries);
  t.column = indices(matrix.i, n_entries);
  if (matrix.nz >= 0)
    t.row = indices(matrix.p, n_entries);
  else
    t.row = lines(matrix.p, matrix.nz == -1 ? matrix.n : matrix.m);

  if (matrix.nz == -1 || (matrix.nz >= 0 && are_transposed(t, matrix.m, matrix.n)))
    std::swap(t.row, t.column);
  return t;
}

/// Sort entry numbers by a key below `end`; equal ones stay in order.
Indices sorted(const Indices &order, const Indices &key, std::size_t end) {
  Indices start(end + 1, 0), result(order.size());
  for (const std::size_t k : order)
    ++start[key[k] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (const std::size_t k : order)
    result[start[key[k]]++] = k;
  return result;
}

/// How many blocks make a matrix, and which, each block row's in ascending order.
void find_blocks(const CompressedRows &W, std::size_t d, BlockSparseMatrix &blocks) {
  const std::size_t n_blocks = W.n_rows / d;
  blocks.row_start.assign(1, 0);
  for (std::size_t i = 0; i < n_blocks; ++i) {
    Indices columns;
    for (std::size_t k = W.row_start[d * i]; k < W.row_start[d * (i + 1)]; ++k)
      columns.push_back(W.column[k] / d);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    blocks.column.insert(blocks.column.end(), columns.begin(), columns.end());
    blocks.row_start.push_back(blocks.column.size());
  }
}

void fill_blocks(const CompressedRows &W, std::size_t d, BlockSparseMatrix &blocks) {
  blocks.value.assign(blocks.column.size() * d * d, 0.);
  for (std::size_t row = 0; row < W.n_rows; ++row) {
    std::size_t block = blocks.row_start[row / d];
    for (std::size_t k = W.row_start[row]; k < W.row_start[row + 1]; ++k) {
      while (blocks.column[block] < W.column[k] / d)
        ++block;
      blocks.value[(block * d + row % d) * d + W.column[k] % d] = W.value[k];
    }
  }
}

std::vector<double> dense(const CompressedRows &W) {
  std::vector<double> result(W.n_rows * W.n_columns, 0.);
  for (std::size_t row = 0; row < W.n_rows; ++row)
    for (std::size_t k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
      result[row * W.n_columns + W.column[k]] = W.value[k];
  return result;
}

CompressedRows without_rows(std::size_t n_rows, std::size_t n_columns) {
  CompressedRows matrix;
  matrix.n_rows = n_rows;
  matrix.n_columns = n_columns;
  matrix.row_start.assign(1, 0);
  return matrix;
}

} // namespace

CompressedRows compressed_rows(const fclib_matrix &matrix) {
  const Triplets t = triplets(matrix);
  CompressedRows result =
      without_rows(static_cast<std::size_t>(matrix.m), static_cast<std::size_t>(matrix.n));
  Indices order(t.value.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  order = sorted(sorted(order, t.column, result.n_columns), t.row, result.n_rows);

  auto entry = order.begin();
  for (std::size_t row = 0; row < result.n_rows; ++row) {
    for (; entry != order.end() && t.row[*entry] == row; ++entry)
      if (result.column.size() > result.row_start.back() &&
          result.column.back() == t.column[*entry])
        result.value.back() += t.value[*entry];
      else {
        result.column.push_back(t.column[*entry]);
        result.value.push_back(t.value[*entry]);
      }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

CompressedRows compressed_rows(const std::vector<double> &dense, std::size_t n) {
  CompressedRows result = without_rows(n, n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column)
      if (const double x = dense[row * n + column]; x != 0. || std::signbit(x)) {
        result.column.push_back(column);
        result.value.push_back(x);
      }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

CompressedRows compressed_rows(const BlockSparseMatrix &blocks, std::size_t d) {
  const std::size_t n = d * (blocks.row_start.size() - 1);
  CompressedRows result = without_rows(n, n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = blocks.row_start[row / d]; k < blocks.row_start[row / d + 1]; ++k)
      for (std::size_t l = 0; l < d; ++l) {
        result.column.push_back(d * blocks.column[k] + l);
        result.value.push_back(blocks.value[(k * d + row % d) * d + l]);
      }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

void set_delassus(const CompressedRows &W, FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension;
  if (problem.n_contacts > 50) {
    find_blocks(W, d, problem.blocks);
    if (3 * d * d * problem.blocks.column.size() < W.n_rows * W.n_columns)
      return fill_blocks(W, d, problem.blocks);
    problem.blocks = {};
  }
  problem.W = dense(W);
}

FclibMatrix::FclibMatrix(const CompressedRows &matrix)
    : pointers_(matrix.n_columns + 1, 0), rows_(matrix.value.size()), values_(matrix.value.size()) {
  for (const std::size_t column : matrix.column)
    ++pointers_[column + 1];
  std::partial_sum(pointers_.begin(), pointers_.end(), pointers_.begin());
  std::vector<int> next = pointers_;
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      const auto place = static_cast<std::size_t>(next[matrix.column[k]]++);
      rows_[place] = static_cast<int>(row);
      values_[place] = matrix.value[k];
    }
  matrix_.nzmax = static_cast<int>(values_.size());
  matrix_.m = static_cast<int>(matrix.n_rows);
  matrix_.n = static_cast<int>(matrix.n_columns);
  matrix_.nz = -1;
  matrix_.p = pointers_.data();
  matrix_.i = rows_.data();
  matrix_.x = values_.data();
}

} // namespace percussion
