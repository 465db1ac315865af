#include <percussion/algebra/krylov.h>
#include <percussion/algebra/node_matrix.h>

#include <gtest/gtest.h>

#include "support/sparse_matrices.h"
#include <cmath>

namespace krylov {

using namespace percussion;

constexpr unsigned int n_nodes = 20, n = 3 * n_nodes;

/// Returns a symmetric positive definite matrix that couples each node with two others.
SparseMatrix matrix() {
  const auto distance = [](unsigned int i, unsigned int j) {
    return i / 3 > j / 3 ? i / 3 - j / 3 : j / 3 - i / 3;
  };
  SparseMatrix A =
      test::zero_matrix(n, [&](unsigned int i, unsigned int j) { return distance(i, j) <= 2; });
  test::visit_entries(A, [&](unsigned int i, unsigned int j, double) {
    A.at(i, j) = i == j ? 20. + i : std::sin(1. + i + j) / (1. + distance(i, j));
  });
  return A;
}

/// Products are those of the rows, without the degrees of freedom that are not free.
TEST(NodeMatrix, MultipliesLikeItsRows) {
  const SparseMatrix A = matrix();
  std::vector<bool> is_free(n, true);
  is_free[7] = false;
  const NodeMatrix nodes(A, is_free, 3, Partition(n, 3));
  Vector x(n), y(n);
  for (unsigned int i = 0; i < n; ++i)
    x[i] = is_free[i] ? std::cos(2. * i) : 0.;
  multiply(A, x, y);
  std::vector<double> product(n);
  nodes.multiply(x.data(), product.data());
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(product[i], is_free[i] ? y[i] : 0., 1e-13) << i;
  EXPECT_EQ(nodes.entry(4, 5), A(4, 5));
}

/// Both methods reach the tolerance, GMRES also if the matrix is not symmetric.
TEST(Krylov, SolvesToTheTolerance) {
  const SparseMatrix A = matrix();
  const Partition partition(n, 3);
  const NodeMatrix nodes(A, std::vector<bool>(n, true), 3, partition);
  std::vector<double> inverse_diagonal(n);
  for (unsigned int i = 0; i < n; ++i)
    inverse_diagonal[i] = 1. / A(i, i);
  for (const double skew : {0., 3.}) {
    const KrylovSystem system{[&](const auto &x, auto &y) {
                                nodes.multiply(x.data(), y.data());
                                for (unsigned int i = 0; i + 3 < n; ++i) {
                                  y[i] += skew * x[i + 3];
                                  y[i + 3] -= skew * x[i];
                                }
                              },
                              [&](const auto &r, auto &z) {
                                for (unsigned int i = 0; i < n; ++i)
                                  z[i] = inverse_diagonal[i] * r[i];
                              },
                              inverse_diagonal, partition};
    for (const bool is_gmres : {true, false}) {
      if (!is_gmres && skew != 0.)
        continue;
      std::vector<double> x(n, 0.), r(n), image(n);
      for (unsigned int i = 0; i < n; ++i)
        r[i] = 1. + i % 5;
      const std::vector<double> b = r;
      const double limit = 1e-12 * residual_norm(r, inverse_diagonal, partition);
      KrylovVectors vectors;
      const unsigned int iterations = is_gmres
                                          ? gmres(system, limit, 200, vectors, x, r)
                                          : conjugate_gradients(system, limit, 200, vectors, x, r);
      EXPECT_LT(iterations, 60u);
      system.multiply(x, image);
      for (unsigned int i = 0; i < n; ++i)
        EXPECT_NEAR(image[i], b[i], 1e-10) << i;
      EXPECT_LE(residual_norm(r, inverse_diagonal, partition), 2. * limit);
    }
  }
}

} // namespace krylov
