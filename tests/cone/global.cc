// Global problems: velocities of bodies and percussions at contacts.

#include <percussion/cone/global.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "global_problems.h"
#include <functional>
#include <stdexcept>
#include <string>

using namespace percussion;

namespace {

GlobalConeSolution solve(const GlobalFrictionContactProblem &problem, ConeMethod method,
                         double tolerance = 1e-10) {
  ConeOptions options;
  options.method = method;
  options.tolerance = tolerance;
  GlobalConeSolution solution;
  solve_global(problem, options, solution);
  return solution;
}

/// Returns the entries of a reduced problem's W for either storage.
std::vector<double> dense_operator(FrictionContactProblem problem) {
  make_dense(problem);
  return problem.W;
}

/// Returns Hᵀ x for dense H.
std::vector<double> transposed_times(const std::vector<double> &H, const std::vector<double> &x) {
  const std::size_t m = x.empty() ? 0 : H.size() / x.size();
  std::vector<double> y(m, 0.);
  for (std::size_t row = 0; row < x.size(); ++row)
    for (std::size_t column = 0; column < m; ++column)
      y[column] += H[row * m + column] * x[row];
  return y;
}

void expect_dense_algebra(const GlobalFrictionContactProblem &problem) {
  const FrictionContactProblem reduced = reduced_problem(problem);
  const std::size_t n = problem.q.size(), m = problem.b.size();
  const std::vector<double> M = sample::dense_of(problem.M), H = sample::dense_of(problem.H);
  const std::vector<double> W = dense_operator(reduced);
  ASSERT_EQ(reduced.dimension, problem.dimension);
  ASSERT_EQ(reduced.n_contacts, problem.n_contacts);
  ASSERT_EQ(reduced.mu, problem.mu);
  ASSERT_EQ(W.size(), m * m);
  for (std::size_t column = 0; column < m; ++column) {
    std::vector<double> h(n);
    for (std::size_t row = 0; row < n; ++row)
      h[row] = H[row * m + column];
    const std::vector<double> expected = transposed_times(H, sample::solve_dense(M, h));
    for (std::size_t row = 0; row < m; ++row)
      ASSERT_NEAR(W[row * m + column], expected[row], 1e-12) << row << ", " << column;
  }
  std::vector<double> q = transposed_times(H, sample::solve_dense(M, problem.q));
  for (std::size_t row = 0; row < m; ++row)
    q[row] += problem.b[row];
  EXPECT_LT(sample::distance(reduced.q, q), 1e-12);
}

/// Checks that every returned result must pass, solved or not.
void expect_truthful(const GlobalFrictionContactProblem &problem,
                     const GlobalConeSolution &solution) {
  ASSERT_EQ(solution.v.size(), problem.q.size());
  ASSERT_EQ(solution.p.size(), problem.b.size());
  ASSERT_EQ(solution.u.size(), problem.b.size());
  ASSERT_EQ(solution.status.size(), problem.n_contacts);
  std::vector<double> u = transposed_times(sample::dense_of(problem.H), solution.v);
  for (std::size_t k = 0; k < u.size(); ++k)
    u[k] += problem.b[k];
  EXPECT_LT(sample::distance(solution.u, u), 1e-12);
  EXPECT_TRUE(std::isfinite(solution.residual));
  EXPECT_EQ(solution.residual, natural_map_residual(problem, solution));
  EXPECT_EQ(solution.converged, solution.residual <= 1e-10);
  EXPECT_EQ(solution.converged, solution.outcome == ConeOutcome::converged);
}

void expect_solved(const GlobalFrictionContactProblem &problem,
                   const GlobalConeSolution &solution) {
  expect_truthful(problem, solution);
  EXPECT_TRUE(solution.converged) << solution.residual;
}

/// Returns a grid, for which W is definite. towers() has dependent rows.
GlobalFrictionContactProblem grid(std::size_t m, double mu, unsigned int seed) {
  sample::Random random(seed);
  return sample::grid_on_ground(m, mu, random);
}
GlobalFrictionContactProblem towers(std::size_t n, std::size_t height, double mu,
                                    unsigned int seed) {
  sample::Random random(seed);
  return sample::towers(n, height, mu, random);
}

} // namespace

TEST(Global, ReducedProblemIsThatOfDenseLinearAlgebra) {
  expect_dense_algebra(grid(1, 0.3, 1));
  expect_dense_algebra(grid(7, 0.3, 2));
  expect_dense_algebra(towers(1, 1, 0.3, 3));
  expect_dense_algebra(towers(3, 4, 0.3, 4));
  EXPECT_TRUE(reduced_problem(grid(7, 0.3, 2)).blocks.value.empty());
}

/// A tower is coupled with itself only, so that W of many towers has few blocks.
TEST(Global, ReducedProblemOfManyContactsIsStoredByBlocks) {
  const auto problem = towers(20, 2, 0.3, 5);
  EXPECT_FALSE(reduced_problem(problem).blocks.value.empty());
  expect_dense_algebra(problem);
}

/// Bodies with few degrees of freedom are eliminated one by one, larger ones together; W of the
/// former is exactly symmetric.
TEST(Global, ReducedProblemOfBodiesOfAnySizeIsThatOfDenseLinearAlgebra) {
  for (const std::size_t size : {std::size_t{4}, std::size_t{24}, std::size_t{72}})
    for (const bool is_symmetric : {true, false}) {
      SCOPED_TRACE(std::to_string(size) + " freedoms, symmetric " + std::to_string(is_symmetric));
      auto problem = towers(1, 24, 0.3, 6);
      const std::size_t n = problem.q.size();
      sample::Random random(7);
      std::vector<double> M = sample::dense_of(problem.M);
      for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = row / size * size; column < row; ++column) {
          M[row * n + column] = M[column * n + row] = 0.01 * random(-1., 1.);
          M[column * n + row] += is_symmetric ? 0. : 0.01;
        }
      problem.M = sample::compressed(M, n, n);
      expect_dense_algebra(problem);
      const std::vector<double> W = dense_operator(reduced_problem(problem));
      for (std::size_t row = 0; is_symmetric && size < 72 && row < problem.b.size(); ++row)
        for (std::size_t column = 0; column < row; ++column)
          EXPECT_EQ(W[row * problem.b.size() + column], W[column * problem.b.size() + row]);
    }
}

/// Masses with small blocks, asymmetric as with gyroscopic terms, are inverted by blocks.
TEST(Global, ReducedProblemOfGyroscopicMassesIsThatOfDenseLinearAlgebra) {
  for (const std::size_t height : {std::size_t{1}, std::size_t{4}}) {
    auto problem = towers(3, height, 0.3, 6);
    const std::size_t n = problem.q.size();
    std::vector<double> M = sample::dense_of(problem.M);
    for (std::size_t row = 0; row + 1 < n; row += 2) {
      M[row * n + row + 1] += 0.2;
      M[(row + 1) * n + row] -= 0.1;
    }
    problem.M = sample::compressed(M, n, n);
    expect_dense_algebra(problem);
  }
}

/// W of the springs is definite: the solution is unique, and both methods find it.
TEST(Global, PdasAndTheReducedProblemAgreeOnGrids) {
  for (const double mu : {0., 0.3, 0.8})
    for (unsigned int seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
      const auto problem = grid(1 + seed % 9, mu, seed);
      const GlobalConeSolution automatic = solve(problem, ConeMethod::automatic);
      const GlobalConeSolution pdas = solve(problem, ConeMethod::pdas);
      expect_solved(problem, automatic);
      expect_solved(problem, pdas);
      EXPECT_LT(sample::distance(automatic.u, pdas.u), 1e-12);
      EXPECT_LT(sample::distance(automatic.v, pdas.v), 1e-12);
      EXPECT_LT(sample::distance(automatic.p, pdas.p), 1e-12);
      EXPECT_EQ(automatic.status, pdas.status);
    }
}

/// Sticking contacts of a rigid block are linearly dependent. The reduced problem is solved
/// nevertheless; pdas has no remedy for singular matrices, and reports its failure.
TEST(Global, RigidTowersAreSolvedByTheReducedProblem) {
  unsigned int pdas_solved = 0, n_problems = 0;
  for (const double mu : {0., 0.3, 0.8})
    for (unsigned int seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
      const auto problem = towers(1 + seed % 3, 1 + seed % 4, mu, seed);
      const GlobalConeSolution automatic = solve(problem, ConeMethod::automatic);
      expect_solved(problem, automatic);
      const GlobalConeSolution pdas = solve(problem, ConeMethod::pdas);
      expect_truthful(problem, pdas);
      ++n_problems;
      pdas_solved += pdas.converged;
      if (mu == 0.) { // a convex problem: v is unique
        EXPECT_TRUE(pdas.converged);
        EXPECT_LT(sample::distance(automatic.v, pdas.v), 1e-8);
      }
    }
  EXPECT_GT(pdas_solved, n_problems / 3);
}

TEST(Global, EveryMethodSolvesAGrid) {
  const auto problem = grid(6, 0.4, 5);
  const GlobalConeSolution expected = solve(problem, ConeMethod::automatic);
  for (const ConeMethodEntry &entry : cone_methods()) {
    SCOPED_TRACE(entry.name);
    const GlobalConeSolution found = solve(problem, entry.method);
    expect_solved(problem, found);
    EXPECT_LT(sample::distance(found.v, expected.v), 1e-8);
  }
}

TEST(Global, WarmStartAtTheSolutionTakesOneIteration) {
  const auto problem = grid(6, 0.4, 5);
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::pdas}) {
    ConeOptions options;
    options.method = method;
    GlobalConeSolution solution;
    solve_global(problem, options, solution);
    EXPECT_GT(solution.iterations, 1U);
    const GlobalConeSolution first = solution;
    solve_global(problem, options, solution);
    EXPECT_EQ(solution.iterations, 1U);
    EXPECT_LT(sample::distance(solution.v, first.v), 1e-14);

    GlobalConeSolution spoilt = first;
    spoilt.v[2] = spoilt.p[1] = NAN;
    solve_global(problem, options, spoilt);
    expect_solved(problem, spoilt);
  }
}

TEST(Global, ResidualIsZeroAtTheSolutionOnly) {
  for (const auto &problem : {grid(5, 0.4, 1), towers(1, 2, 0.4, 2)}) {
    GlobalConeSolution solution = solve(problem, ConeMethod::automatic, 1e-13);
    ASSERT_LE(natural_map_residual(problem, solution), 1e-13);
    for (std::vector<double> *const values : {&solution.v, &solution.p})
      for (double &entry : *values) {
        const double right = entry;
        entry += 1e-3;
        EXPECT_GT(natural_map_residual(problem, solution), 1e-6);
        entry = right;
      }
  }
}

TEST(Global, WithoutContactsTheMomentumAloneDecides) {
  auto problem = grid(3, 0.3, 1);
  const auto v = sample::solve_dense(sample::dense_of(problem.M), problem.q);
  problem.n_contacts = 0;
  problem.H = sample::compressed({}, problem.q.size(), 0);
  problem.b.clear();
  problem.mu.clear();
  for (const ConeMethodEntry &entry : cone_methods()) {
    SCOPED_TRACE(entry.name);
    const GlobalConeSolution found = solve(problem, entry.method);
    expect_solved(problem, found);
    EXPECT_LT(sample::distance(found.v, v), 1e-13);
  }
}

TEST(Global, RefusesBadDataWithAPreciseMessage) {
  const auto good = grid(3, 0.3, 1); // M 18 x 18, H 18 x 6
  using Problem = GlobalFrictionContactProblem;
  const auto expect_refusal = [&](const std::function<void(Problem &)> &spoil,
                                  const std::string &words) {
    Problem problem = good;
    spoil(problem);
    for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::pdas})
      try {
        solve(problem, method);
        ADD_FAILURE() << "accepted: " << words;
      } catch (const std::invalid_argument &error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      }
    EXPECT_THROW(reduced_problem(problem), std::invalid_argument) << words;
  };
  expect_refusal([](Problem &x) { x.dimension = 4; }, "dimension 4 is neither 2 nor 3");
  expect_refusal([](Problem &x) { x.q.pop_back(); }, "M is 18 x 18 instead of 17 x 17");
  expect_refusal([](Problem &x) { x.H.n_columns = 5; }, "H is 18 x 5 instead of 18 x 6");
  expect_refusal([](Problem &x) { x.b.push_back(0.); }, "b has 7 entries instead of 6");
  expect_refusal([](Problem &x) { x.mu.pop_back(); }, "mu has 2 entries instead of 3");
  expect_refusal([](Problem &x) { x.mu[1] = -0.5; }, "coefficient of contact 1 is negative: -0.5");
  expect_refusal([](Problem &x) { x.q[3] = NAN; }, "entry 3 of q is nan");
  expect_refusal([](Problem &x) { x.b[2] = -INFINITY; }, "entry 2 of b is -inf");
  expect_refusal([](Problem &x) { x.M.value[5] = NAN; }, "entry 5 of M is nan");
  expect_refusal([](Problem &x) { x.H.value[0] = INFINITY; }, "entry 0 of H is inf");
  expect_refusal([](Problem &x) { x.H.value.pop_back(); }, "H has 5 entries instead of 6");
  expect_refusal([](Problem &x) { x.H.row_start.pop_back(); }, "pointers of H do not fit 18 rows");
  expect_refusal([](Problem &x) { x.H.row_start[1] = 900; }, "pointers of H descend in row 1");
  expect_refusal([](Problem &x) { x.H.column[0] = 6; }, "columns of row 0 of H do not ascend");
  expect_refusal([](Problem &x) { std::fill(x.M.value.begin(), x.M.value.end(), 0.); },
                 "M is singular");
}

/// The rows of W are compared with dense elimination, and the two methods of solution with each
/// other.
TEST(Global, TakesAnMThatIsNotSymmetric) {
  sample::Random random(5);
  auto problem = grid(6, 0.5, 3);
  for (std::size_t row = 0; row < problem.M.n_rows; ++row)
    for (std::size_t k = problem.M.row_start[row]; k < problem.M.row_start[row + 1]; ++k)
      if (problem.M.column[k] > row)
        problem.M.value[k] *= random(0.8, 1.2);
  const auto reduced = reduced_problem(problem);
  const auto M = sample::dense_of(problem.M), H = sample::dense_of(problem.H);
  const std::size_t n = problem.q.size(), m = problem.b.size();
  for (std::size_t column = 0; column < m; ++column) {
    std::vector<double> v(n);
    for (std::size_t row = 0; row < n; ++row)
      v[row] = H[row * m + column];
    v = sample::solve_dense(M, v);
    for (std::size_t row = 0; row < m; ++row) {
      double w = 0.;
      for (std::size_t k = 0; k < n; ++k)
        w += H[k * m + row] * v[k];
      EXPECT_NEAR(reduced.W[row * m + column], w, 1e-12);
    }
  }
  const auto pdas = solve(problem, ConeMethod::pdas);
  const auto automatic = solve(problem, ConeMethod::automatic);
  EXPECT_TRUE(pdas.converged);
  EXPECT_TRUE(automatic.converged);
  EXPECT_LT(sample::distance(pdas.u, automatic.u), 1e-8);
}

TEST(Global, TimeOfZeroEndsAtOnce) {
  const auto problem = grid(8, 0.5, 3);
  for (const ConeMethodEntry &entry : cone_methods()) {
    SCOPED_TRACE(entry.name);
    ConeOptions options;
    options.method = entry.method;
    options.time_limit = 0.;
    GlobalConeSolution solution;
    solve_global(problem, options, solution);
    expect_truthful(problem, solution);
    EXPECT_LE(solution.iterations, 20U);
  }
}
