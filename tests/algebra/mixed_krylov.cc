// Iterations in mixed precision, against products and residuals in double precision.

#include <percussion/algebra/mixed_krylov.h>
#include <percussion/algebra/multigrid.h>
#include <percussion/algebra/single_node_matrix.h>
#include <percussion/base/flush_denormals.h>

#include <gtest/gtest.h>

#include "support/sparse_matrices.h"
#include <cmath>
#include <limits>

namespace mixed_krylov {

using namespace percussion;

constexpr unsigned int n_nodes = 60, n = 3 * n_nodes;

/// Returns a symmetric positive definite matrix, in units in which squares of its entries are not
/// numbers of single precision.
SparseMatrix matrix(double unit) {
  const auto distance = [](unsigned int i, unsigned int j) {
    return i / 3 > j / 3 ? i / 3 - j / 3 : j / 3 - i / 3;
  };
  SparseMatrix A =
      test::zero_matrix(n, [&](unsigned int i, unsigned int j) { return distance(i, j) <= 2; });
  test::visit_entries(A, [&](unsigned int i, unsigned int j, double) {
    A.at(i, j) = unit * (i == j ? 9. + i % 11 : std::sin(1. + i + j) / (1. + distance(i, j)));
  });
  return A;
}

/// A system with A + skew × (a matrix that is not symmetric), scaled by the diagonal of A.
struct System {
  SparseMatrix A;
  double skew;
  Partition partition{n, 3};
  NodeMatrix nodes{A, std::vector<bool>(n, true), 3, partition};
  std::vector<float> scale = scale_of(A);
  SingleNodeMatrix single{nodes, scale};
  std::vector<double> x = std::vector<double>(n, 0.), b = std::vector<double>(n);

  static std::vector<float> scale_of(const SparseMatrix &A) {
    std::vector<float> factors(n);
    for (unsigned int i = 0; i < n; ++i)
      factors[i] = static_cast<float>(1. / std::sqrt(A(i, i)));
    return factors;
  }
  template <typename Number>
  void add_skew(const std::vector<Number> &y, double factor, std::vector<Number> &image) const {
    for (unsigned int i = 0; i + 3 < n; ++i) {
      image[i] += Number(factor) * y[i + 3];
      image[i + 3] -= Number(factor) * y[i];
    }
  }
  /// Returns S (b − A x), computed by the rows of A.
  std::vector<double> scaled_residual() const {
    Vector argument(n), image(n);
    std::copy(x.begin(), x.end(), argument.begin());
    multiply(A, argument, image);
    std::vector<double> r(n), unscaled(n), skewed(n, 0.);
    for (unsigned int i = 0; i < n; ++i)
      unscaled[i] = x[i] / double(scale[i]);
    add_skew(unscaled, skew, skewed);
    for (unsigned int i = 0; i < n; ++i)
      r[i] = (b[i] - image[i]) * double(scale[i]) - skewed[i];
    return r;
  }
  MixedSystem mixed() {
    return {[this](auto &y, auto &image) {
              single.multiply(y.data(), image.data());
              add_skew(y, skew, image);
            },
            {},
            [this](auto &y, auto &r) {
              for (unsigned int i = 0; i < n; ++i)
                x[i] += double(scale[i]) * double(y[i]);
              const std::vector<double> residual = scaled_residual();
              std::copy(residual.begin(), residual.end(), r.begin());
            },
            partition};
  }
};

double norm(const std::vector<double> &r) {
  double square = 0;
  for (const double entry : r)
    square += entry * entry;
  return std::sqrt(square);
}

TEST(SingleNodeMatrix, MultipliesLikeItsRows) {
  for (const double unit : {1e-30, 1e30}) {
    const System system{matrix(unit), 0.};
    std::vector<float> x(n), y(n);
    Vector argument(n), image(n);
    for (unsigned int i = 0; i < n; ++i) {
      x[i] = static_cast<float>(std::cos(2. * i));
      argument[i] = double(x[i]) * double(system.scale[i]);
    }
    multiply(system.A, argument, image);
    system.single.multiply(x.data(), y.data());
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(y[i], image[i] * double(system.scale[i]), 1e-6) << i;
  }
}

/// Both methods reach a residual that single precision cannot represent, GMRES also if the matrix
/// is not symmetric, and conjugate gradients need hardly more iterations than in one run.
TEST(MixedKrylov, ReachesTheResidualOfDoublePrecision) {
  for (const double skew : {0., 0.2})
    for (const bool is_gmres : {true, false}) {
      if (!is_gmres && skew != 0.)
        continue;
      unsigned int iterations[2] = {0, 0};
      for (const bool is_fine : {false, true}) {
        System system{matrix(1e-30), skew};
        for (unsigned int i = 0; i < n; ++i)
          system.b[i] = (1. + i % 5) / double(system.scale[i]);
        const std::vector<double> first = system.scaled_residual();
        const double limit = (is_fine ? 1e-14 : 1e-4) * norm(first);
        MixedVectors vectors;
        vectors.residual.assign(first.begin(), first.end());
        const MixedResult result =
            is_gmres ? mixed_gmres(system.mixed(), limit, 300, vectors)
                     : mixed_conjugate_gradients(system.mixed(), limit, 300, vectors);
        EXPECT_FALSE(result.is_indefinite);
        EXPECT_LE(norm(system.scaled_residual()), limit * 1.0001);
        EXPECT_NEAR(result.residual, norm(system.scaled_residual()), 1e-5 * limit);
        iterations[is_fine] = result.n_iterations;
      }
      EXPECT_LT(iterations[1], 4.5 * iterations[0]);
    }
}

TEST(MixedKrylov, FindsIndefiniteMatrices) {
  System system{matrix(1.), 0.};
  test::visit_entries(system.A, [&](unsigned int i, unsigned int j, double value) {
    system.A.at(i, j) = i == j ? value : 9. * value;
  });
  system.nodes = NodeMatrix(system.A, std::vector<bool>(n, true), 3, system.partition);
  system.single = SingleNodeMatrix(system.nodes, system.scale);
  std::fill(system.b.begin(), system.b.end(), 1.);
  MixedVectors vectors;
  vectors.residual.assign(n, 1.F);
  EXPECT_TRUE(mixed_conjugate_gradients(system.mixed(), 1e-12, 1000, vectors).is_indefinite);
}

/// Solutions have the energy of those in double precision, and x = 0 for b = 0.
TEST(MixedKrylov, SolvesForMultigrid) {
  std::vector<bool> is_free(n, true);
  is_free[4] = false;
  const Partition partition(n, 3);
  const SparseMatrix A = matrix(1e-30);
  std::vector<double> b(n), x[2];
  for (unsigned int i = 0; i < n; ++i)
    b[i] = std::sin(3. * i);
  for (const auto precision : {Precision::full, Precision::mixed}) {
    Multigrid solver(
        is_free, 3, [] { return std::vector<std::vector<double>>(); }, partition, 1e-14, precision);
    solver.set_matrix(A);
    EXPECT_EQ(solver.single() != nullptr, precision == Precision::mixed);
    std::vector<double> &solution = x[precision == Precision::mixed];
    solution.resize(n);
    const double energy_norm = solver.solve(b.data(), solution.data());
    double work = 0;
    for (unsigned int i = 0; i < n; ++i)
      work += solution[i] * b[i];
    EXPECT_NEAR(energy_norm * energy_norm, work, 1e-5 * work);
    EXPECT_EQ(solution[4], 0.);
    std::vector<double> zero(n, 0.), none(n, 1.);
    EXPECT_EQ(solver.solve(zero.data(), none.data()), 0.);
    EXPECT_EQ(none, zero);
  }
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(x[0][i], x[1][i], 1e-12 * norm(x[0])) << i;
}

/// Products of tiny numbers are zero within the scope only.
TEST(FlushDenormals, RestoresTheProcessor) {
  volatile float tiny = std::numeric_limits<float>::min();
#if defined(__SSE2__)
  {
    const FlushDenormals flush;
    EXPECT_EQ(tiny * 0.5F, 0.F);
  }
#endif
  EXPECT_GT(tiny * 0.5F, 0.F);
}

} // namespace mixed_krylov
