// The path of interior points, and its requirements.

#include "../../src/cone/central_path.h"

#include <percussion/base/linear_system.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "assemblies.h"
#include "residual_in_words.h"
#include <algorithm>
#include <numeric>
#include <string>

using namespace percussion;

namespace {

FrictionContactProblem to_natural_units(const FrictionContactProblem &problem) {
  return to_units(natural_units(problem), problem);
}

double dense_sign(std::size_t n, const std::vector<double> &column_major) {
  LinearSystem system;
  std::copy(column_major.begin(), column_major.end(), system.dense(n));
  EXPECT_TRUE(system.factorise_dense());
  return system.sign_of_determinant();
}

double sparse_sign(std::size_t n, const std::vector<double> &column_major) {
  LinearSystem system;
  CompressedRows &matrix = system.sparse();
  matrix.n_rows = matrix.n_columns = n;
  matrix.row_start.assign(1, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column)
      if (const double entry = column_major[column * n + row]; entry != 0.) {
        matrix.column.push_back(column);
        matrix.value.push_back(entry);
      }
    matrix.row_start.push_back(matrix.column.size());
  }
  EXPECT_TRUE(system.factorise_sparse());
  return system.sign_of_determinant();
}

} // namespace

/// The sign of the determinant is right for permutation matrices, with and without a diagonal,
/// small and large.
TEST(CentralPath, SignOfTheDeterminantIsThatOfPermutations) {
  sample::Random random(3);
  for (const std::size_t n : {2U, 3U, 7U, 60U})
    for (unsigned int k = 0; k < 6; ++k) {
      std::vector<std::size_t> row(n);
      std::iota(row.begin(), row.end(), std::size_t{0});
      for (std::size_t c = n; c-- > 1;)
        std::swap(row[c], row[static_cast<std::size_t>(random(0., static_cast<double>(c)))]);
      double sign = 1.;
      std::vector<double> matrix(n * n, 0.);
      for (std::size_t c = 0; c < n; ++c) {
        const double entry = random(-1., 1.);
        matrix[c * n + row[c]] = entry;
        sign *= entry < 0. ? -1. : 1.;
        for (std::size_t b = 0; b < c; ++b)
          sign *= row[b] > row[c] ? -1. : 1.;
      }
      EXPECT_EQ(dense_sign(n, matrix), sign) << n;
      EXPECT_EQ(sparse_sign(n, matrix), sign) << n;
    }
}

/// KLU, UMFPACK and LAPACK give the same sign.
TEST(CentralPath, SignOfTheDeterminantIsTheSameBySparseAndDenseFactors) {
  sample::Random random(5);
  unsigned int n_negative = 0;
  for (unsigned int k = 0; k < 20; ++k) {
    const std::size_t n = k < 10 ? 50 : 250;
    std::vector<double> matrix(n * n, 0.);
    for (std::size_t c = 0; c < n; ++c) {
      matrix[c * (n + 1)] = random(-1., 1.);
      for (std::size_t e = 0; e < (k % 2 == 0 ? 3U : n / 2); ++e)
        matrix[c * n + static_cast<std::size_t>(random(0., static_cast<double>(n)))] +=
            random(-1., 1.);
    }
    const double sign = dense_sign(n, matrix);
    EXPECT_EQ(sparse_sign(n, matrix), sign) << n;
    n_negative += sign < 0.;
  }
  EXPECT_GT(n_negative, 3U);
  EXPECT_LT(n_negative, 17U);
}

/// A body that stands on one point and may jam with much friction (Painlevé): there are one or
/// several solutions, and paths with folds. All starts lead to a solution.
TEST(CentralPath, EndsAtASolutionWhereABodyMayJam) {
  for (const double coupling : {-0.9, -0.5, 0.5, 0.9, 0.99})
    for (const double mu : {0.3, 1., 3., 10.})
      for (const double q_T : {-1., -0.1, 0.1, 1.})
        for (const double kappa : {0.3, 0.5, 0.7}) {
          FrictionContactProblem problem;
          problem.n_contacts = 1;
          problem.mu = {mu};
          problem.q = {-0.3, q_T};
          problem.W = {1., coupling, coupling, 1.};
          std::vector<double> p(2, 0.);
          central_path<2>(problem, kappa, 1e-8, 200, Deadline(), p);
          EXPECT_LT(sample::residual_in_words(problem, p), 1e-7)
              << coupling << ' ' << mu << ' ' << q_T << ' ' << kappa;
        }
}

/// Grains with strong friction, at which interior points that only reduce x ∘ y stop.
TEST(CentralPath, PassesTheFoldsOfGrains) {
  using namespace assemblies;
  const auto problem = to_natural_units(pose(grains(3, 3, 4, 3, 0., 0.02, 1), 0.8, 0., 1));
  std::vector<double> p(problem.q.size(), 0.);
  const unsigned int n = central_path<3>(problem, 0.5, 1e-6, 300, Deadline(), p);
  EXPECT_LT(n, 300U);
  EXPECT_LT(sample::residual_in_words(problem, p), 1e-6);
}
