// Refinement of a solution: ConeSolver::refine().

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <utility>

using namespace percussion;

namespace {

/// Returns a problem of 20 contacts with a matrix of full rank.
FrictionContactProblem problem_in(unsigned int dimension) {
  sample::Random random(17);
  auto W = sample::random_gram_matrix(20 * dimension, 40 * dimension, 0.1, random);
  if (dimension == 2) {
    auto problem = sample::make_problem(std::move(W), 0.5, random);
    sample::choose_solution(problem, random);
    return problem;
  }
  auto problem = sample::make_problem_3d(std::move(W), 0.3, 0.7, random);
  sample::choose_solution_3d(problem, random);
  return problem;
}

class Refinement : public testing::TestWithParam<unsigned int> {};

/// Sweeps with a loose tolerance leave a residual. Refining with the same method meets the tight
/// tolerance, and the percussions move by no more than the loose solution was off.
TEST_P(Refinement, MeetsTheTighterTolerance) {
  constexpr double loose = 1e-3, tight = 1e-12;
  ConeOptions options;
  options.method = ConeMethod::nsgs;
  options.tolerance = loose;
  const FrictionContactProblem problem = problem_in(GetParam());
  ConeSolver solver(options);
  ConeSolution solution;
  solver.solve(problem, solution);
  ASSERT_TRUE(solution.converged);
  ASSERT_GT(solution.residual, 10. * tight);
  const double before = solution.residual;
  solver.refine(problem, tight, solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_LE(solution.residual, tight);
  EXPECT_LT(solution.residual, before);
  EXPECT_NEAR(solution.residual, natural_map_residual(problem, solution.p), 1e-15);
  EXPECT_EQ(solution.u.size(), solution.p.size());
}

/// A tolerance below round-off cannot be met: the solution is kept unless it improves, and it still
/// meets the solver's own tolerance.
TEST_P(Refinement, KeepsTheSolutionThatItCannotImprove) {
  const FrictionContactProblem problem = problem_in(GetParam());
  ConeSolver solver;
  ConeSolution solution;
  solver.solve(problem, solution);
  ASSERT_TRUE(solution.converged);
  solver.refine(problem, 1e-30, solution);
  const ConeSolution first = solution;
  EXPECT_TRUE(first.converged);
  solver.refine(problem, 1e-30, solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_LE(solution.residual, first.residual);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Refinement, testing::Values(2u, 3u));

} // namespace
