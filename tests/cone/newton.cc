#include <percussion/cone/newton.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"

using namespace percussion;

namespace {

FrictionContactProblem body_problem(unsigned int seed) {
  sample::Random random(seed);
  return sample::make_problem(sample::body_like_matrix(40, random), 0.3, random);
}

void perturb(FrictionContactProblem &problem, unsigned int seed) {
  sample::Random random(seed);
  for (double &component : problem.q)
    component += random(-1e-6, 1e-6);
}

} // namespace

TEST(Newton, WarmStartTakesOneIteration) {
  FrictionContactProblem problem = body_problem(1);
  ConeSolver solver;
  ConeSolution solution;
  solver.solve(problem, solution);
  EXPECT_GT(solution.iterations, 1U);
  const double *const buffer = solution.p.data();
  for (unsigned int step = 0; step < 10; ++step) {
    perturb(problem, step);
    solver.solve(problem, solution);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.iterations, 1U);
    EXPECT_EQ(solution.method, "newton");
    EXPECT_EQ(solution.p.data(), buffer); // no memory was reallocated
  }
}

TEST(Newton, KeptFactorsGiveTheNumbersOfFreshOnes) {
  FrictionContactProblem problem = body_problem(2);
  ConeSolver keeps;
  ConeSolution kept;
  keeps.solve(problem, kept);
  perturb(problem, 3);
  ConeSolution fresh = kept;
  keeps.solve(problem, kept);
  ConeSolver().solve(problem, fresh);
  EXPECT_EQ(kept.p, fresh.p);
  EXPECT_EQ(kept.u, fresh.u);
}

/// Without its factors Newton takes the same iterations to the same numbers.
TEST(Newton, ReleasedFactorsAreMadeAgain) {
  const FrictionContactProblem problem = body_problem(5);
  ActiveSetNewton<2> newton;
  newton.start_from_percussion(problem, std::vector<double>(problem.q.size(), 0.));
  ASSERT_EQ(newton.iterate(problem, 100), NewtonOutcome::repeated);
  const std::vector<double> p = newton.p();
  newton.release_factors();
  newton.start_from_percussion(problem, p);
  EXPECT_EQ(newton.iterate(problem, 100), NewtonOutcome::repeated);
  EXPECT_EQ(newton.iterations(), 1U);
  EXPECT_EQ(newton.p(), p);
}

TEST(Newton, FactorsAreKeptByVersion) {
  FrictionContactProblem problem = body_problem(4);
  ConeSolver solver;
  ConeSolution solution;
  solver.solve(problem, solution);
  const ConeSolution first = solution;

  // A new version makes the solver read the current operator: W and p scale inversely.
  for (double &entry : problem.W)
    entry *= 2.;
  ConeSolution scaled = first;
  problem.version = sample::new_version();
  solver.solve(problem, scaled);
  EXPECT_EQ(scaled.iterations, 1U);
  for (std::size_t k = 0; k < scaled.p.size(); ++k)
    EXPECT_NEAR(2. * scaled.p[k], first.p[k], 1e-13);

  // Without a new version the stored factors are wrong: the residual, computed from the data,
  // reveals it.
  for (double &entry : problem.W)
    entry *= 2.;
  solver.solve(problem, solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_NE(solution.method, "newton");
  EXPECT_NEAR(4. * solution.p[2], first.p[2], 1e-8);
}

TEST(Newton, TakesWarmStartsOfAnySize) {
  const FrictionContactProblem problem = body_problem(5);
  ConeSolution expected;
  ConeSolver().solve(problem, expected);

  ConeSolution no_status = expected, short_status = expected, wrong = expected, spoilt = expected;
  no_status.status.clear();
  short_status.status.resize(3);
  wrong.p.resize(100, 1.);
  wrong.status.resize(50, ContactStatus::stick);
  spoilt.p[7] = NAN;
  ConeSolution all_stick;
  all_stick.p.assign(problem.q.size(), 0.);
  all_stick.status.assign(problem.n_contacts, ContactStatus::stick);
  ConeSolution all_slip = all_stick;
  all_slip.status.assign(problem.n_contacts, ContactStatus::slip);
  for (ConeSolution *start : {&no_status, &short_status, &wrong, &spoilt, &all_stick, &all_slip}) {
    ConeSolver().solve(problem, *start);
    EXPECT_TRUE(start->converged);
    EXPECT_LT(sample::distance(start->p, expected.p), 1e-12);
    EXPECT_EQ(start->status, expected.status);
  }
  EXPECT_EQ(no_status.iterations, 1U); // its percussions determine the statuses
}

/// Newton's statuses cycle if friction strongly couples normal and tangential directions.
TEST(Newton, CyclesAreBrokenByGaussSeidelSweeps) {
  for (const unsigned int seed : {179U, 241U}) {
    sample::Random random(seed);
    const auto problem =
        sample::make_problem(sample::random_gram_matrix(16, 16, 0.01, random), 1., random);
    ActiveSetNewton<2> newton;
    newton.start_from_percussion(problem, std::vector<double>(16, 0.));
    EXPECT_EQ(newton.iterate(problem, 1000), NewtonOutcome::unsettled);
    EXPECT_LT(newton.iterations(), 20U); // the cycle is detected

    ConeSolution solution; // with given statuses the method starts without sweeps
    solution.p.assign(16, 0.);
    solution.status.assign(8, ContactStatus::open);
    ConeSolver().solve(problem, solution);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.method, "hybrid");
    EXPECT_LT(solution.residual, 1e-13);
  }
}

TEST(Newton, GaussSeidelTakesOverWhereNewtonIsCutShort) {
  const FrictionContactProblem problem = body_problem(6);
  ConeOptions options;
  options.max_newton_iterations = 0;
  ConeSolution solution, expected;
  ConeSolver(options).solve(problem, solution);
  ConeSolver().solve(problem, expected);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.method, "nsgs");
  EXPECT_LT(sample::distance(solution.p, expected.p), 1e-8);
}

TEST(Newton, ReportsASingularSystem) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {0., 0., 0., 0.};
  problem.q = {-1., 0.};
  problem.mu = {0.5};
  ActiveSetNewton<2> newton;
  newton.start_from_percussion(problem, {0., 0.});
  EXPECT_EQ(newton.iterate(problem, 10), NewtonOutcome::broken_down);

  ConeOptions options;
  options.max_iterations = 100;
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution); // no percussion can stop this contact
  EXPECT_FALSE(solution.converged);
}
