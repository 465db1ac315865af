// Single iterations of the active-set Newton method: ConeSolver::update().

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <string>

using namespace percussion;

namespace {

constexpr unsigned int patience = 50;

/// Returns the assumptions of a first update: open contacts, or slip along the signs of p_T for
/// all.
ConeSolution start_at_rest(const FrictionContactProblem &problem) {
  ConeSolution start;
  start.p.assign(problem.q.size(), 0.);
  start.status.assign(problem.n_contacts, ContactStatus::open);
  return start;
}

ConeSolution start_slipping(const std::vector<double> &signs) {
  ConeSolution start;
  for (const double s : signs)
    start.p.insert(start.p.end(), {1., s});
  start.status.assign(signs.size(), ContactStatus::slip);
  return start;
}

/// Updates until the statuses are consistent; returns the number of updates, or 0 if they do not
/// become so.
unsigned int settle(ConeSolver &solver, const FrictionContactProblem &problem,
                    ConeSolution &solution) {
  for (unsigned int k = 1; k <= patience; ++k)
    if (solver.update(problem, k == 1, solution))
      return k;
  return 0;
}

/// Expects Coulomb's law contact by contact, up to round-off on both sides.
void expect_coulomb(const FrictionContactProblem &problem, const ConeSolution &solution,
                    const std::string &where) {
  double size = 1.;
  for (const double p : solution.p)
    size = std::max(size, std::abs(p));
  const double round_off = 1e-12 * size;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const double p_N = solution.p[2 * i], p_T = solution.p[2 * i + 1];
    const double u_N = solution.u[2 * i], u_T = solution.u[2 * i + 1];
    SCOPED_TRACE(where + ", contact " + std::to_string(i));
    ASSERT_LE(std::abs(p_T), problem.mu[i] * p_N + round_off);
    ASSERT_LE(p_T * u_T, round_off);
    switch (solution.status[i]) {
    case ContactStatus::open:
      ASSERT_EQ(p_N, 0.);
      ASSERT_EQ(p_T, 0.);
      ASSERT_GE(u_N, -round_off);
      break;
    case ContactStatus::stick:
      ASSERT_NEAR(u_N, 0., round_off);
      ASSERT_NEAR(u_T, 0., round_off);
      break;
    case ContactStatus::slip:
      ASSERT_NEAR(u_N, 0., round_off);
      ASSERT_NEAR(std::abs(p_T), problem.mu[i] * p_N, round_off);
    }
  }
}

std::vector<double> sample_matrix(bool body, std::size_t n, sample::Random &random) {
  return body ? sample::body_like_matrix(n, random)
              : sample::random_gram_matrix(n, n + 10, 0.1, random);
}

} // namespace

/// Updates of a fixed problem end at the solution of solve().
TEST(Update, SettlesAtTheSolutionOfAFixedProblem) {
  unsigned int problems = 0, has_converged = 0;
  for (const bool body : {false, true})
    for (const double mu : {0., 0.1, 0.5, 1.})
      for (unsigned int seed = 0; seed < 60; ++seed) {
        sample::Random random(seed);
        const auto problem =
            sample::make_problem(sample_matrix(body, 2 + 2 * (seed % 25), random), mu, random);
        const std::string where = (body ? "body, mu " : "random, mu ") + std::to_string(mu) +
                                  ", seed " + std::to_string(seed);
        ConeSolver solver;
        ConeSolution solution = start_at_rest(problem), expected;
        ConeSolver().solve(problem, expected);
        ++problems;
        if (settle(solver, problem, solution) == 0) {
          // A step does the same when its iteration budget is used up.
          solver.solve(problem, solution);
          EXPECT_TRUE(solution.converged) << where;
          EXPECT_LT(sample::distance(solution.p, expected.p), 1e-9) << where;
          continue;
        }
        ++has_converged;
        EXPECT_EQ(solution.method, "pdas");
        EXPECT_EQ(solution.iterations, 1u);
        EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
        EXPECT_LT(sample::distance(solution.p, expected.p), 1e-11) << where;
        EXPECT_EQ(solution.status, expected.status) << where;
        expect_coulomb(problem, solution, where);
      }
  EXPECT_GE(has_converged, problems - 2 * problems / 100); // cycles are rare
}

/// Percussions reported as settled satisfy Coulomb's law, hence dissipate, even if the problem
/// changes from update to update and friction couples strongly.
TEST(Update, SettledStatusesObeyCoulombsLaw) {
  unsigned int has_converged = 0, slipping = 0, sticking = 0;
  for (unsigned int seed = 0; seed < 400; ++seed) {
    sample::Random random(seed);
    const std::size_t n = 4 + 2 * (seed % 10);
    auto problem = sample::make_problem(sample::random_gram_matrix(n, n, 0.05, random),
                                        random(0., 1.2), random);
    ConeSolver solver;
    ConeSolution solution = start_at_rest(problem);
    for (unsigned int k = 1; k <= patience; ++k) {
      const bool done = solver.update(problem, k == 1, solution);
      if (done) {
        ++has_converged;
        expect_coulomb(problem, solution, "seed " + std::to_string(seed));
        for (const auto status : solution.status) {
          slipping += status == ContactStatus::slip;
          sticking += status == ContactStatus::stick;
        }
      }
      // The next problem differs slightly, as after a correction of the momentum.
      for (double &q : problem.q)
        q += random(-0.05, 0.05);
      if (k % 3 == 0) {
        for (std::size_t r = 0; r < n; ++r)
          problem.W[r * n + r] *= 1.02;
        problem.version = sample::new_version();
      }
    }
  }
  EXPECT_GT(has_converged, 5000u);
  EXPECT_GT(slipping, 5000u);
  EXPECT_GT(sticking, 5000u);
}

/// One contact is pushed against its assumed slip direction.
TEST(Update, ReversedSlipSticksFirst) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {1., 0., 0., 1.};
  problem.q = {-1., 5.};
  problem.mu = {0.5};
  problem.version = sample::new_version();
  ConeSolver solver;
  ConeSolution solution = start_slipping({1.});
  EXPECT_FALSE(solver.update(problem, true, solution));
  EXPECT_EQ(solution.status[0], ContactStatus::slip);
  EXPECT_DOUBLE_EQ(solution.p[1], 0.5); // in the direction of the motion: not a solution
  EXPECT_FALSE(solver.update(problem, false, solution));
  EXPECT_EQ(solution.status[0], ContactStatus::stick);
  EXPECT_DOUBLE_EQ(solution.p[1], -5.);
  EXPECT_TRUE(solver.update(problem, false, solution));
  EXPECT_EQ(solution.status[0], ContactStatus::slip);
  EXPECT_DOUBLE_EQ(solution.p[1], -0.5);
}

/// Two contacts whose slip directions cycle if each is simply reversed.
TEST(Update, DirectionsOfSlipDoNotAlternate) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W = {7, 6, 4, -1, 6, 19, 5, -11, 4, 5, 14, -13, -1, -11, -13, 23};
  problem.q = {-2, -5, -4, -1};
  problem.mu = {1., 1.};
  problem.version = sample::new_version();
  ConeSolution expected;
  ConeSolver().solve(problem, expected);
  ASSERT_TRUE(expected.converged);
  for (const double s : {-1., 1.}) {
    ConeSolver solver;
    ConeSolution solution = start_slipping({s, s});
    EXPECT_GT(settle(solver, problem, solution), 0u);
    EXPECT_LT(sample::distance(solution.p, expected.p), 1e-13);
  }
}

/// If updates cycle, solve() continues from their last result.
TEST(Update, CyclesAreLeftToSolve) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W = {12, 3, 11, 6, 3, 18, -1, -13, 11, -1, 21, 4, 6, -13, 4, 23};
  problem.q = {-3, 5, -5, 4};
  problem.mu = {1., 1.};
  problem.version = sample::new_version();
  ConeSolver solver;
  ConeSolution solution = start_slipping({-1., 1.});
  EXPECT_EQ(settle(solver, problem, solution), 0u);
  EXPECT_FALSE(solution.converged);
  solver.solve(problem, solution);
  EXPECT_TRUE(solution.converged);
  expect_coulomb(problem, solution, "after the cycle");
}

/// If the matrix of the assumed statuses is singular, another method solves the problem, and the
/// next update continues from that solution.
TEST(Update, SingularStatusesAreSolvedAtOnce) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W.assign(16, 0.);
  for (unsigned int r = 0; r < 4; ++r) // both contacts coincide
    for (unsigned int s = 0; s < 4; ++s)
      problem.W[4 * r + s] = r % 2 == s % 2 ? 1. : 0.;
  problem.q = {-1., 0.1, -1., 0.1};
  problem.mu = {0.5, 0.5};
  problem.version = sample::new_version();
  ConeSolver solver;
  ConeSolution solution = start_at_rest(problem);
  solution.status.assign(2, ContactStatus::stick);
  EXPECT_TRUE(solver.update(problem, true, solution));
  EXPECT_NE(solution.method, "pdas");
  EXPECT_LT(solution.residual, 1e-10);
  EXPECT_NEAR(solution.p[0] + solution.p[2], 1., 1e-9);
  EXPECT_NEAR(solution.p[1] + solution.p[3], -0.1, 1e-9);
}

/// Repeated statuses are not settled while the residual misses the tolerance.
TEST(Update, NeverSettlesAboveTheTolerance) {
  sample::Random random(3);
  const auto problem = sample::make_problem(sample::body_like_matrix(20, random), 0.3, random);
  ConeOptions options;
  options.tolerance = 1e-30; // below round-off
  ConeSolver solver(options);
  ConeSolution solution = start_at_rest(problem);
  EXPECT_EQ(settle(solver, problem, solution), 0u);
  EXPECT_LT(solution.residual, 1e-13);
  EXPECT_FALSE(solution.converged);
}

namespace {

/// Returns W of `n_contacts` in 2D or 3D with coupling between half of the pairs of contacts.
FrictionContactProblem sparse_problem(unsigned int dimension, std::size_t n_contacts, double mu,
                                      sample::Random &random) {
  const std::size_t n = dimension * n_contacts;
  std::vector<double> W = sample::random_gram_matrix(n, n + 10, 2., random);
  for (std::size_t i = 0; i < n_contacts; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (random(0., 1.) < 0.5)
        for (std::size_t k = 0; k < dimension; ++k)
          for (std::size_t l = 0; l < dimension; ++l)
            W[(dimension * i + k) * n + dimension * j + l] =
                W[(dimension * j + l) * n + dimension * i + k] = 0.;
  return dimension == 2 ? sample::make_problem(std::move(W), mu, random)
                        : sample::make_problem_3d(std::move(W), mu, mu, random);
}

} // namespace

/// The storage of W changes the order of sums but not the updates: statuses are the same, and
/// percussions up to round-off, after each update of a sequence in which q, W and mu change.
TEST(Update, BlocksGiveTheUpdatesOfADenseMatrix) {
  unsigned int has_converged = 0, updates = 0;
  for (const unsigned int dimension : {2u, 3u})
    for (unsigned int seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::to_string(dimension) + "D, seed " + std::to_string(seed));
      sample::Random random(seed);
      auto dense = sparse_problem(dimension, 1 + seed % 20, 0.1 * (seed % 8), random);
      auto blocks = sample::stored_by_blocks(dense);
      ASSERT_TRUE(blocks.W.empty());
      ConeSolver dense_solver, block_solver;
      ConeSolution dense_solution = start_at_rest(dense), block_solution = dense_solution;
      for (unsigned int k = 1; k <= 24; ++k) {
        const bool done = dense_solver.update(dense, k == 1, dense_solution);
        EXPECT_EQ(block_solver.update(blocks, k == 1, block_solution), done);
        ASSERT_EQ(block_solution.status, dense_solution.status) << "update " << k;
        EXPECT_LT(sample::distance(block_solution.p, dense_solution.p), 1e-11);
        EXPECT_LT(sample::distance(block_solution.u, dense_solution.u), 1e-11);
        EXPECT_EQ(block_solution.method, dense_solution.method);
        EXPECT_EQ(block_solution.residual, natural_map_residual(blocks, block_solution.p));
        ++updates;
        has_converged += done;
        if (k % 4 != 0)
          continue;
        for (double &q : dense.q)
          q += random(-0.05, 0.05);
        const unsigned long version = blocks.version;
        if (k % 8 == 0) { // makes the data stored in both solvers useless
          for (double &w : dense.W)
            w *= 1.02;
          for (double &mu : dense.mu)
            mu *= 0.9;
          dense.version = sample::new_version();
        }
        blocks = sample::stored_by_blocks(dense);
        if (k % 8 != 0)
          blocks.version = version;
      }
    }
  EXPECT_GT(has_converged, updates / 2);
}

/// The number of contacts changes between sequences; one solver handles all of them for either
/// storage of W.
TEST(Update, StorageAndNumberOfContactsMayChangeFromSequenceToSequence) {
  ConeSolver solver;
  for (unsigned int seed = 0; seed < 20; ++seed) {
    sample::Random random(seed);
    auto problem = sparse_problem(2 + seed % 2, (7 * seed) % 12, 0.3, random);
    if (seed % 4 < 2)
      problem = sample::stored_by_blocks(problem);
    ConeSolution solution = start_at_rest(problem), expected;
    ConeSolver().solve(problem, expected);
    EXPECT_GT(settle(solver, problem, solution), 0u) << seed;
    EXPECT_LT(sample::distance(solution.p, expected.p), 1e-11) << seed;
  }
}

/// Both contacts coincide, with W by blocks: the other method that solves the problem handles
/// blocks too.
TEST(Update, SingularStatusesOfBlocksAreSolvedAtOnce) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.blocks = {{0, 2, 4}, {0, 1, 0, 1}, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}};
  problem.q = {-1., 0.1, -1., 0.1};
  problem.mu = {0.5, 0.5};
  problem.version = sample::new_version();
  ConeSolver solver;
  ConeSolution solution = start_at_rest(problem);
  solution.status.assign(2, ContactStatus::stick);
  EXPECT_TRUE(solver.update(problem, true, solution));
  EXPECT_NE(solution.method, "pdas");
  EXPECT_LT(solution.residual, 1e-10);
  EXPECT_NEAR(solution.p[0] + solution.p[2], 1., 1e-9);
  EXPECT_NEAR(solution.p[1] + solution.p[3], -0.1, 1e-9);
}
