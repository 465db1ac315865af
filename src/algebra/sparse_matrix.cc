#include <percussion/algebra/partition.h>
#include <percussion/algebra/sparse_matrix.h>

#include "summed_blocks.h"
#include <algorithm>

namespace percussion {
namespace {

/// Computes the rows [begin, end) of y = A x, which are stored as rows.
void multiply_rows(const SparseMatrix &A, unsigned int begin, unsigned int end, const Vector &x,
                   Vector &y) {
  const std::size_t *const start = A.pattern()->start.data();
  const unsigned int first = A.pattern()->first_row;
  begin -= first;
  end -= first;
  const int *const column = A.pattern()->column.data();
  const double *const value = A.values().data(), *const x_values = x.data();
  double *const y_values = y.data() + first;
  // Two rows at a time: their sums are independent.
  unsigned int i = begin;
  for (; i + 1 < end; i += 2) {
    double sum = 0, next_sum = 0;
    const std::size_t middle = start[i + 1];
    std::size_t k = start[i], l = middle;
    for (; k < middle && l < start[i + 2]; ++k, ++l) {
      sum += value[k] * x_values[column[k]];
      next_sum += value[l] * x_values[column[l]];
    }
    for (; k < middle; ++k)
      sum += value[k] * x_values[column[k]];
    for (; l < start[i + 2]; ++l)
      next_sum += value[l] * x_values[column[l]];
    y_values[i] = sum;
    y_values[i + 1] = next_sum;
  }
  for (; i < end; ++i) {
    double sum = 0;
    for (std::size_t k = start[i]; k < start[i + 1]; ++k)
      sum += value[k] * x_values[column[k]];
    y_values[i] = sum;
  }
}

/// Computes the rows of y = A x that are blocks of nodes of this process.
void multiply_nodes(const SparseMatrix &A, const Vector &x, Vector &y) {
  const NodeBlocks &nodes = A.node_blocks();
  AssertThrow(nodes.block_size == 3, dealii::ExcInternalError());
  multiply_symmetric<3>(*nodes.pattern, SummedBlocks<3>(MatrixRows(A)), x.data(), y.data());
}

} // namespace

std::size_t SparsityPattern::find(std::size_t i, std::size_t j) const {
  if (i < first_row)
    return column.size();
  const int *const begin = column.data() + start[i - first_row], *const end =
                                                                     column.data() +
                                                                     start[i - first_row + 1];
  const int *const found = std::lower_bound(begin, end, static_cast<int>(j));
  return found != end && *found == static_cast<int>(j)
             ? static_cast<std::size_t>(found - column.data())
             : column.size();
}

double &SparseMatrix::at(unsigned int i, unsigned int j) {
  const std::size_t index = pattern_of_entries->find(i, j);
  AssertThrow(index < entry.size(), dealii::ExcInternalError());
  return entry[index];
}

void multiply(const SparseMatrix &A, const Vector &x, Vector &y) {
  if (A.has_node_blocks())
    multiply_nodes(A, x, y);
  multiply_rows(A, A.pattern()->first_row, y.size(), x, y);
}

void multiply(const SparseMatrix &A, const Partition &partition, const Vector &x, Vector &y) {
  if (A.has_node_blocks())
    multiply_nodes(A, x, y);
  else
    multiply_rows(A, partition.begin(), partition.end(), x, y);
  multiply_rows(A, partition.size(), y.size(), x, y);
  partition.gather(y.data());
}

} // namespace percussion
