#include <percussion/cone/operators.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <functional>

using namespace percussion;

namespace {

/// Returns a problem with a dense, unsymmetric W in which contacts 0 and n − 1 are not coupled.
FrictionContactProblem dense_problem(unsigned int dimension, std::size_t n_contacts) {
  sample::Random random(7);
  const std::size_t n = dimension * n_contacts;
  FrictionContactProblem problem{dimension, n_contacts, std::vector<double>(n * n), {}, {}, {}, {}};
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      const std::size_t i = row / dimension, j = column / dimension;
      const bool is_coupled = std::max(i, j) - std::min(i, j) + 1 < n_contacts;
      problem.W[row * n + column] = is_coupled ? random(-1., 1.) + (row == column ? 3. : 0.) : 0.;
    }
  problem.q.assign(n, 0.);
  return problem;
}

/// Expects that an operation changes W to the same entries in both forms.
void expect_same_in_both_forms(const std::function<void(FrictionContactProblem &)> &operation) {
  for (const unsigned int dimension : {2U, 3U}) {
    SCOPED_TRACE(dimension);
    FrictionContactProblem dense = dense_problem(dimension, 4),
                           blocks = sample::stored_by_blocks(dense);
    const std::vector<double> start = dense.W;
    operation(dense);
    operation(blocks);
    EXPECT_NE(dense.W, start);
    ASSERT_TRUE(blocks.W.empty());
    EXPECT_EQ(blocks.blocks.column.size(), 14u); // all of 16 except for two
    make_dense(blocks);
    EXPECT_EQ(blocks.W, dense.W);
    EXPECT_TRUE(blocks.blocks.value.empty());
  }
}

} // namespace

TEST(Operators, ScaleBothForms) {
  expect_same_in_both_forms([](FrictionContactProblem &problem) { scale(2.5, problem); });
}

TEST(Operators, AddToTheDiagonalOfBothForms) {
  expect_same_in_both_forms([](FrictionContactProblem &problem) {
    std::vector<double> c(problem.q.size());
    for (std::size_t row = 0; row < c.size(); ++row)
      c[row] = 0.5 * static_cast<double>(row);
    const double before = trace(problem);
    add_to_diagonal(c, problem);
    const auto n = static_cast<double>(c.size());
    EXPECT_NEAR(trace(problem) - before, 0.25 * n * (n - 1.), 1e-12);
  });
}

TEST(Operators, ClearARowAndItsColumnInBothForms) {
  expect_same_in_both_forms([](FrictionContactProblem &problem) {
    clear_row_and_column(problem.dimension + 1, problem);
    FrictionContactProblem dense = problem;
    make_dense(dense);
    const std::size_t n = problem.q.size(), cleared = problem.dimension + 1;
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_EQ(dense.W[cleared * n + k], 0.);
      EXPECT_EQ(dense.W[k * n + cleared], 0.);
      EXPECT_EQ(dense.W[k * n + k] != 0., k != cleared);
    }
  });
}

TEST(Operators, ReferToTheDiagonalBlockInBothForms) {
  expect_same_in_both_forms([](FrictionContactProblem &problem) {
    const double before = trace(problem);
    const DelassusBlock W_11 = diagonal_block(problem, 1);
    W_11(0, 1) += 10.; // not on the diagonal
    EXPECT_EQ(trace(problem), before);
    W_11(1, 1) += 10.;
    EXPECT_NEAR(trace(problem), before + 10., 1e-12);
  });
}

TEST(Operators, ReplaceASymmetricWByTheMeanWithItsTranspose) {
  const FrictionContactProblem source = dense_problem(2, 3);
  FrictionContactProblem mean = source, copy = source;
  const BlockSparseMatrix W = sample::stored_by_blocks(source).blocks;
  set_delassus(W, true, mean);
  set_delassus(W, false, copy);
  EXPECT_EQ(copy.W, source.W);
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t column = 0; column < 6; ++column)
      EXPECT_DOUBLE_EQ(mean.W[6 * row + column],
                       0.5 * (source.W[6 * row + column] + source.W[6 * column + row]));
}

/// W = H M⁻¹ Hᵀ + diag(c): the mass is divided by the factor of W.
TEST(Operators, ScaleTheBodiesOfW) {
  FrictionContactProblem problem = dense_problem(3, 2);
  problem.bodies.n_bodies = 1;
  problem.bodies.mass.assign(36, 8.);
  problem.bodies.compliance.assign(6, 3.);
  scale(4., problem);
  EXPECT_EQ(problem.bodies.mass, std::vector<double>(36, 2.));
  EXPECT_EQ(problem.bodies.compliance, std::vector<double>(6, 12.));
  add_to_diagonal(std::vector<double>(6, 1.), problem);
  EXPECT_EQ(problem.bodies.compliance, std::vector<double>(6, 13.));
  EXPECT_EQ(n_body_velocities(problem), 6u);
}
