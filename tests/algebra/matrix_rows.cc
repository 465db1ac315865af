#include <percussion/algebra/matrix_rows.h>

#include <gtest/gtest.h>

#include "support/sparse_matrices.h"
#include <cmath>
#include <vector>

namespace matrix_rows {

using namespace percussion;

constexpr unsigned int n = 8;

/// Returns a matrix with entries up to this distance from the diagonal.
SparseMatrix band(unsigned int width, double phase) {
  SparseMatrix A = test::zero_matrix(
      n, [&](unsigned int i, unsigned int j) { return i <= j + width && j <= i + width; });
  test::visit_entries(A, [&](unsigned int i, unsigned int j, double) {
    A.at(i, j) = std::sin(phase + i + 3. * j);
  });
  return A;
}

std::vector<double> dense(const SparseRow &row) {
  std::vector<double> values(n, 0.);
  for (int k = 0; k < row.size; ++k)
    values[static_cast<unsigned int>(row.column[k])] = row.value[k];
  return values;
}

TEST(MatrixRows, ReadsAStoredMatrix) {
  const SparseMatrix A = band(2, 0.3);
  const MatrixRows rows(A);
  EXPECT_EQ(rows.size(), n);
  for (unsigned int i = 0; i < n; ++i) {
    EXPECT_EQ(rows.row(i).value, A.row(i).value); // without a copy
    for (unsigned int j = 0; j < n; ++j)
      EXPECT_EQ(rows.entry(i, j), A(i, j));
  }
}

/// A term may have fewer entries than the first one.
TEST(MatrixRows, AddsTermsAndTheDiagonal) {
  const SparseMatrix A = band(3, 0.3), B = band(1, 2.), C = band(3, 5.);
  MatrixRows rows(A, 2.);
  rows.add(B, -0.5);
  rows.add(C, 4.);
  rows.add_to_diagonal(2, 10.);
  rows.add_to_diagonal(2, 1.);
  rows.add_to_diagonal(n - 1, 7.);
  for (unsigned int i = 0; i < n; ++i) {
    const std::vector<double> values = dense(rows.row(i));
    EXPECT_EQ(rows.row(i).size, A.row(i).size);
    for (unsigned int j = 0; j < n; ++j) {
      const double addition = i != j ? 0. : i == 2 ? 11. : i == n - 1 ? 7. : 0.;
      const double expected = 2. * A(i, j) - 0.5 * B(i, j) + 4. * C(i, j) + addition;
      EXPECT_NEAR(values[j], expected, 1e-15 * 20.);
      EXPECT_EQ(rows.entry(i, j), values[j]);
    }
  }
}

TEST(MatrixRows, MultipliesASingleTerm) {
  const SparseMatrix A = band(1, 0.3);
  const MatrixRows rows(A, 3.);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      EXPECT_EQ(rows.entry(i, j), 3. * A(i, j));
}

} // namespace matrix_rows
