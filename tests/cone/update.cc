// One iteration of the active-set Newton at a time: ConeSolver::update().

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <string>

using namespace percussion;

namespace {

constexpr unsigned int patience = 50;

/// What a first update supposes: open contacts, or a slip of all along the signs of p_T.
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

/// Updates until the statuses settle; their number, or 0 if they do not.
unsigned int settle(ConeSolver &solver, const FrictionContactProblem &problem,
                    ConeSolution &solution) {
  for (unsigned int k = 1; k <= patience; ++k)
    if (solver.update(problem, k == 1, solution))
      return k;
  return 0;
}

/// Coulomb's law, contact by contact, on both sides of which stands what round-off leaves.
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

/// Updates of one and the same problem end where solve() ends.
TEST(Update, SettlesAtTheSolutionOfAFixedProblem) {
  unsigned int problems = 0, settled = 0;
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
          // What a step does when its patience is over.
          solver.solve(problem, solution);
          EXPECT_TRUE(solution.converged) << where;
          EXPECT_LT(sample::distance(solution.p, expected.p), 1e-9) << where;
          continue;
        }
        ++settled;
        EXPECT_EQ(solution.method, "pdas");
        EXPECT_EQ(solution.iterations, 1u);
        EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
        EXPECT_LT(sample::distance(solution.p, expected.p), 1e-11) << where;
        EXPECT_EQ(solution.status, expected.status) << where;
        expect_coulomb(problem, solution, where);
      }
  EXPECT_GE(settled, problems - 2 * problems / 100); // cycles are rare
}

/// Whatever is called settled obeys Coulomb's law, hence dissipates, also where the problems change
/// from update to update and friction couples strongly.
TEST(Update, SettledStatusesObeyCoulombsLaw) {
  unsigned int settled = 0, slipping = 0, sticking = 0;
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
        ++settled;
        expect_coulomb(problem, solution, "seed " + std::to_string(seed));
        for (const auto status : solution.status) {
          slipping += status == ContactStatus::slip;
          sticking += status == ContactStatus::stick;
        }
      }
      // The next is a little different, as a correction of the momentum leaves it.
      for (double &q : problem.q)
        q += random(-0.05, 0.05);
      if (k % 3 == 0) {
        for (std::size_t r = 0; r < n; ++r)
          problem.W[r * n + r] *= 1.02;
        problem.version = sample::new_version();
      }
    }
  }
  EXPECT_GT(settled, 5000u);
  EXPECT_GT(slipping, 5000u);
  EXPECT_GT(sticking, 5000u);
}

/// One contact that is pushed against the slip it was supposed to have.
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
  EXPECT_DOUBLE_EQ(solution.p[1], 0.5); // with the motion: not a solution
  EXPECT_FALSE(solver.update(problem, false, solution));
  EXPECT_EQ(solution.status[0], ContactStatus::stick);
  EXPECT_DOUBLE_EQ(solution.p[1], -5.);
  EXPECT_TRUE(solver.update(problem, false, solution));
  EXPECT_EQ(solution.status[0], ContactStatus::slip);
  EXPECT_DOUBLE_EQ(solution.p[1], -0.5);
}

/// Two contacts whose slip directions go round in a circle when each is simply turned.
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

/// Where updates go round in a circle, solve() goes on from what they left.
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

/// A singular matrix of the supposed statuses is not the end: another method solves the problem,
/// and the next update goes on from there.
TEST(Update, SingularStatusesAreSolvedAtOnce) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W.assign(16, 0.);
  for (unsigned int r = 0; r < 4; ++r) // both contacts are one
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

/// Statuses that repeat are not settled while the residual misses the tolerance.
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
