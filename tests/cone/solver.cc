#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <string>

using namespace percussion;

namespace {

std::vector<double> sample_matrix(bool body, std::size_t n, sample::Random &random) {
  return body ? sample::body_like_matrix(n, random)
              : sample::random_gram_matrix(n, n + 10, 0.1, random);
}

} // namespace

TEST(ConeSolver, MethodsAgreeOnRandomProblems) {
  for (const bool body : {false, true})
    for (const double mu : {0., 0.1, 0.5, 1.})
      for (unsigned int seed = 0; seed < 40; ++seed) {
        sample::Random random(seed);
        const std::size_t n_contacts = 1 + seed % 25;
        const auto problem =
            sample::make_problem(sample_matrix(body, 2 * n_contacts, random), mu, random);
        const ConeSolution newton = sample::solve(problem, ConeMethod::automatic, 1e-13);
        const ConeSolution nsgs = sample::solve(problem, ConeMethod::nsgs, 1e-13);
        SCOPED_TRACE((body ? "body, mu " : "random, mu ") + std::to_string(mu) + ", seed " +
                     std::to_string(seed));
        EXPECT_LT(newton.residual, 1e-13);
        EXPECT_LT(nsgs.residual, 1e-13);
        EXPECT_LT(sample::distance(newton.p, nsgs.p), 1e-9);
        EXPECT_EQ(newton.status, nsgs.status);
        EXPECT_EQ(nsgs.method, "nsgs");
      }
}

TEST(ConeSolver, FindsTheChosenSolution) {
  for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::automatic})
    for (unsigned int seed = 0; seed < 40; ++seed) {
      sample::Random random(seed);
      const std::size_t n_contacts = 3 + seed;
      auto problem =
          sample::make_problem(sample_matrix(seed % 2 == 0, 2 * n_contacts, random), 0.4, random);
      const ConeSolution expected = sample::choose_solution(problem, random);
      const ConeSolution found = sample::solve(problem, method, 1e-13);
      EXPECT_TRUE(found.converged);
      EXPECT_LT(sample::distance(found.p, expected.p), 1e-11) << "seed " << seed;
      EXPECT_LT(sample::distance(found.u, expected.u), 1e-11) << "seed " << seed;
      EXPECT_EQ(found.status, expected.status) << "seed " << seed;
    }
}

TEST(ConeSolver, WithoutFrictionSolvesTheLinearComplementarityProblem) {
  for (unsigned int seed = 0; seed < 20; ++seed) {
    sample::Random random(seed);
    const auto problem = sample::make_problem(sample_matrix(false, 24, random), 0., random);
    const ConeSolution found = sample::solve(problem, ConeMethod::automatic, 1e-13);
    for (std::size_t i = 0; i < problem.n_contacts; ++i) {
      const double p_N = found.p[2 * i], u_N = found.u[2 * i];
      EXPECT_EQ(found.p[2 * i + 1], 0.);
      EXPECT_GE(p_N, 0.);
      EXPECT_GE(u_N, -1e-13);
      EXPECT_NEAR(p_N * u_N, 0., 1e-13);
      EXPECT_NE(found.status[i], ContactStatus::stick);
    }
  }
}

TEST(ConeSolver, SolvesRedundantContacts) {
  for (unsigned int seed = 0; seed < 20; ++seed) { // 20 rows of rank 12
    sample::Random random(seed);
    auto problem =
        sample::make_problem(sample::random_gram_matrix(20, 12, 0., random), 0.3, random);
    sample::choose_solution(problem, random); // ensures that there is a solution
    const ConeSolution found = sample::solve(problem, ConeMethod::automatic, 1e-13);
    EXPECT_TRUE(found.converged) << "seed " << seed << " residual " << found.residual;
  }
}

TEST(ConeSolver, HasNothingToDoWithoutContacts) {
  const ConeSolution found = sample::solve({}, ConeMethod::automatic, 1e-13);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.p.empty());
}

TEST(ConeSolver, ReportsThatItDidNotConverge) {
  sample::Random random(5);
  const auto problem = sample::make_problem(sample_matrix(false, 40, random), 0.5, random);
  for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::automatic}) {
    ConeOptions options;
    options.method = method;
    options.max_iterations = 1;
    options.max_newton_iterations = 0;
    ConeSolution solution;
    ConeSolver(options).solve(problem, solution);
    EXPECT_FALSE(solution.converged);
    EXPECT_GT(solution.residual, options.tolerance);
    EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
  }
}

TEST(ConeSolver, NeverClaimsATighterToleranceThanItMeets) {
  sample::Random random(7);
  const auto problem = sample::make_problem(sample_matrix(true, 40, random), 0.3, random);
  ConeOptions options;
  options.tolerance = 1e-18; // below round-off
  options.max_iterations = 2;
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution);
  EXPECT_FALSE(solution.converged);
  EXPECT_LT(solution.residual, 1e-14); // the solution of Newton's method, not of the few sweeps
}

TEST(ConeSolver, RefusesBadDataWithAPreciseMessage) {
  sample::Random random(6);
  const auto good = sample::make_problem(sample_matrix(false, 8, random), 0.5, random);
  const auto expect_refusal = [&](auto &&spoil, const std::string &words) {
    FrictionContactProblem problem = good;
    problem.version = sample::new_version();
    spoil(problem);
    ConeSolver solver;
    ConeSolution solution;
    try {
      solver.solve(problem, solution);
      ADD_FAILURE() << "accepted: " << words;
    } catch (const std::invalid_argument &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  expect_refusal([](auto &x) { x.q.pop_back(); }, "q has 7 entries instead of 8");
  expect_refusal([](auto &x) { x.W.push_back(0.); }, "W has 65 entries instead of 64");
  expect_refusal([](auto &x) { x.mu.clear(); }, "mu has 0 entries instead of 4");
  expect_refusal([](auto &x) { x.q[3] = NAN; }, "entry 3 of q is nan");
  expect_refusal([](auto &x) { x.W[9] = INFINITY; }, "entry 9 of W is inf");
  expect_refusal([](auto &x) { x.W[9] = -1.; }, "diagonal entry 1 of W is negative");
  expect_refusal([](auto &x) { x.mu[2] = -0.1; }, "coefficient of contact 2 is negative");
  expect_refusal([](auto &x) { x.dimension = 4, x.n_contacts = 2, x.mu.resize(2); }, "dimension 4");

  ConeOptions options;
  options.tolerance = 0.;
  EXPECT_THROW(ConeSolver{options}, std::invalid_argument);
}
