#pragma once

#include <percussion/algebra/sparse_matrix.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

/// Sparse matrices that tests make and read entry by entry.
namespace percussion::test {

/// Calls visit(row, column, value) for each entry of a pattern.
template <typename Visit>
void visit_entries(const SparseMatrix &A, const Visit &visit) {
  for (unsigned int i = 0; i < A.n_rows(); ++i) {
    const SparseRow row = A.row(i);
    for (int k = 0; k < row.size; ++k)
      visit(i, static_cast<unsigned int>(row.column[k]), row.value[k]);
  }
}

/// Returns a matrix of n rows with the entries (i, j) for which is_entry(i, j), all zero.
template <typename IsEntry>
SparseMatrix zero_matrix(unsigned int n, const IsEntry &is_entry) {
  auto pattern = std::make_shared<SparsityPattern>();
  for (unsigned int i = 0; i < n; ++i) {
    std::vector<int> columns;
    for (unsigned int j = 0; j < n; ++j)
      if (is_entry(i, j))
        columns.push_back(static_cast<int>(j));
    pattern->append_row(columns);
  }
  return SparseMatrix(pattern);
}

/// Returns factor × A.
inline SparseMatrix multiple(double factor, SparseMatrix A) {
  for (double &value : A.values())
    value *= factor;
  return A;
}

/// Adds factor × B, whose entries are in the pattern of A.
inline void add_multiple(double factor, const SparseMatrix &B, SparseMatrix &A) {
  visit_entries(
      B, [&](unsigned int i, unsigned int j, double value) { A.at(i, j) += factor * value; });
}

/// Returns the largest sum of the absolute entries of a row.
inline double linfty_norm(const SparseMatrix &A) {
  double largest = 0;
  for (unsigned int i = 0; i < A.n_rows(); ++i) {
    const SparseRow row = A.row(i);
    double sum = 0;
    for (int k = 0; k < row.size; ++k)
      sum += std::abs(row.value[k]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Returns the root of the sum of the squares of all entries.
inline double frobenius_norm(const SparseMatrix &A) {
  double square = 0;
  for (const double value : A.values())
    square += value * value;
  return std::sqrt(square);
}

/// Returns x · A y.
inline double product(const SparseMatrix &A, const Vector &x, const Vector &y) {
  Vector image(y.size());
  multiply(A, y, image);
  return dot(x, image);
}

} // namespace percussion::test
