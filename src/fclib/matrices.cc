#include "matrices.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace percussion {
namespace {

using hdf5::Group;

/// Returns the position of the first index that is not from 0 to below `end`.
std::size_t first_outside(const std::vector<int> &indices, std::size_t end) {
  const auto is_outside = [=](int i) { return i < 0 || static_cast<std::size_t>(i) >= end; };
  const auto found = std::find_if(indices.begin(), indices.end(), is_outside);
  return static_cast<std::size_t>(found - indices.begin());
}

void require_range(const Group &matrix, const char *name, const std::vector<int> &indices,
                   std::size_t end) {
  if (const std::size_t k = first_outside(indices, end); k < indices.size())
    matrix.fail(name, std::to_string(indices[k]) + " at index " + std::to_string(k),
                "indices from 0 to " + std::to_string(end - 1));
}

std::size_t n_distinct(const std::vector<int> &indices) {
  return std::set<int>(indices.begin(), indices.end()).size();
}

/// Reads compressed lines (rows or columns): returns the line of each entry.
std::vector<int> read_lines(const Group &matrix, std::size_t n_lines, int nzmax) {
  const std::vector<int> pointers = matrix.integers("p", n_lines + 1, n_lines + 1);
  if (pointers.front() != 0)
    matrix.fail("p", std::to_string(pointers.front()) + " at index 0", "0");
  for (std::size_t k = 1; k < pointers.size(); ++k)
    if (pointers[k] < pointers[k - 1])
      matrix.fail("p", std::to_string(pointers[k]) + " after " + std::to_string(pointers[k - 1]),
                  "pointers that do not descend");
  if (pointers.back() > nzmax)
    matrix.fail("p", std::to_string(pointers.back()) + " entries",
                "at most nzmax = " + std::to_string(nzmax));
  std::vector<int> lines;
  for (std::size_t k = 1; k < pointers.size(); ++k)
    lines.resize(static_cast<std::size_t>(pointers[k]), static_cast<int>(k - 1));
  return lines;
}

/// Reads triplets. FCLib's documentation has the rows of triplets in p. CSparse, which defines
/// these matrices, has the columns there, and so has Siconos, from which nearly all files come: the
/// documentation is followed only if nothing else fits, or if columns would be left empty instead
/// of rows (H has rows without contacts, but no contacts without rows).
void read_triplets(const Group &matrix, std::size_t nz, Entries &entries) {
  const std::size_t m = entries.n_rows, n = entries.n_columns;
  std::vector<int> p = matrix.integers("p", nz, nz), i = matrix.integers("i", nz, nz);
  const bool fit = first_outside(i, m) == nz && first_outside(p, n) == nz;
  const bool fit_transposed = first_outside(p, m) == nz && first_outside(i, n) == nz;
  if (fit_transposed && (!fit || (n_distinct(i) == n && n_distinct(p) < n)))
    std::swap(p, i);
  require_range(matrix, "i", i, m);
  require_range(matrix, "p", p, n);
  entries.row = std::move(i);
  entries.column = std::move(p);
}

} // namespace

Entries read_matrix(const Group &matrix) {
  Entries entries;
  entries.n_rows = static_cast<std::size_t>(matrix.integer("m", 0));
  entries.n_columns = static_cast<std::size_t>(matrix.integer("n", 0));
  const int nz = matrix.integer("nz", -2), nzmax = matrix.integer("nzmax", 0);
  const auto max_entries = static_cast<std::size_t>(nzmax);
  if (nz > nzmax)
    matrix.fail("nzmax", std::to_string(nzmax), "at least nz = " + std::to_string(nz));
  const auto read_compressed = [&](std::vector<int> &lines, std::size_t n_lines,
                                   std::vector<int> &minor_indices, std::size_t end) {
    lines = read_lines(matrix, n_lines, nzmax);
    minor_indices = matrix.integers("i", lines.size(), max_entries);
    minor_indices.resize(lines.size());
    require_range(matrix, "i", minor_indices, end);
  };
  if (nz >= 0)
    read_triplets(matrix, static_cast<std::size_t>(nz), entries);
  else if (nz == -1)
    read_compressed(entries.column, entries.n_columns, entries.row, entries.n_rows);
  else
    read_compressed(entries.row, entries.n_rows, entries.column, entries.n_columns);
  entries.value = matrix.reals("x", entries.row.size(), max_entries);
  entries.value.resize(entries.row.size());
  return entries;
}

void write_matrix(const Group &group, const CompressedRows &matrix) {
  const std::vector<std::size_t> &start = matrix.row_start, &column = matrix.column;
  const std::size_t n = column.size(), n_columns = matrix.n_columns;
  if (start.size() != matrix.n_rows + 1 || start.front() != 0 || start.back() != n ||
      !std::is_sorted(start.begin(), start.end()) || matrix.value.size() != n ||
      n > std::numeric_limits<int>::max() ||
      std::any_of(column.begin(), column.end(), [=](std::size_t j) { return j >= n_columns; }))
    group.fail("i", "pointers or columns out of range", "pointers and columns of compressed rows");
  const CompressedRows columns = transposed(matrix);
  group.write("nzmax", static_cast<int>(matrix.value.size()));
  group.write("m", static_cast<int>(matrix.n_rows));
  group.write("n", static_cast<int>(matrix.n_columns));
  group.write("nz", -1);
  group.write("p", std::vector<int>(columns.row_start.begin(), columns.row_start.end()));
  group.write("i", std::vector<int>(columns.column.begin(), columns.column.end()));
  group.write("x", columns.value);
}

CompressedRows compressed_rows(const Entries &entries) {
  CompressedRows result{entries.n_rows, entries.n_columns, {0}, {}, {}};
  std::vector<std::size_t> order(entries.value.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&entries](std::size_t a, std::size_t b) {
    return std::tie(entries.row[a], entries.column[a]) <
           std::tie(entries.row[b], entries.column[b]);
  });
  auto entry = order.begin();
  for (std::size_t row = 0; row < result.n_rows; ++row) {
    for (; entry != order.end() && static_cast<std::size_t>(entries.row[*entry]) == row; ++entry) {
      const auto column = static_cast<std::size_t>(entries.column[*entry]);
      if (result.column.size() > result.row_start.back() && result.column.back() == column)
        result.value.back() += entries.value[*entry];
      else {
        result.column.push_back(column);
        result.value.push_back(entries.value[*entry]);
      }
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

} // namespace percussion
