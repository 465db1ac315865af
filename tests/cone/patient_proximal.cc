#include <percussion/cone/natural_units.h>
#include <percussion/cone/proximal.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "assemblies.h"
#include "residual_in_words.h"

/// Proximal points with as many steps as they need.
namespace percussion {
namespace {

FrictionContactProblem heap(unsigned int n, unsigned int seed) {
  const auto problem =
      assemblies::pose(assemblies::grains(2, n, 1, n, 0.03, 0.012, seed), 0.5, 0., seed);
  return to_units(natural_units(problem), problem);
}

ConeSolution rest_solution(const FrictionContactProblem &problem) {
  ConeSolution solution;
  solution.p.assign(problem.q.size(), 0.);
  solution.residual = natural_map_residual(problem, solution.p);
  return solution;
}

/// In heaps of 144 grains hundreds of statuses change one after the other.
TEST(PatientProximal, SolvesWhatFewStepsDoNot) {
  unsigned int n_patient = 0, n_impatient = 0;
  for (unsigned int seed = 0; seed < 8; ++seed) {
    const auto problem = heap(12, seed);
    for (const bool is_patient : {false, true}) {
      ProximalNewton<2>::Options options;
      options.tolerance = 1e-8;
      options.max_newton_iterations = 25;
      options.max_iterations = 3000;
      options.is_patient = is_patient;
      ConeSolution solution = rest_solution(problem);
      const bool solved = ProximalNewton<2>().solve(problem, options, solution);
      EXPECT_EQ(solved, solution.residual <= options.tolerance) << "seed " << seed;
      if (solved) {
        EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-7) << "seed " << seed;
      }
      (is_patient ? n_patient : n_impatient) += solved;
    }
  }
  EXPECT_GE(n_patient, 6U);
  EXPECT_GT(n_patient, n_impatient + 1);
}

/// The number of steps does not exceed its limit.
TEST(PatientProximal, HasItsLimit) {
  const auto problem = heap(12, 0);
  ProximalNewton<2>::Options options;
  options.tolerance = 1e-8;
  options.max_iterations = 50;
  options.is_patient = true;
  ConeSolution solution = rest_solution(problem);
  const double before = solution.residual;
  EXPECT_FALSE(ProximalNewton<2>().solve(problem, options, solution));
  EXPECT_LE(solution.iterations,
            50U + options.max_newton_iterations + 60U); // iterations of the last step
  EXPECT_LE(solution.residual, before);
}

/// The number of contacts excludes pivoting: the record shows that sweeps and further proximal
/// steps solve the problem.
TEST(PatientProximal, SolvesHeapsOfManyContacts) {
  for (unsigned int seed = 0; seed < 3; ++seed) {
    const auto problem = heap(18, seed);
    ASSERT_GT(problem.n_contacts, 600U);
    ConeOptions options;
    options.tolerance = 1e-10;
    options.record = true;
    ConeSolution solution;
    ConeSolver(options).solve(problem, solution);
    EXPECT_TRUE(solution.converged) << solution.residual;
    EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-9);
    for (const std::string &line : solution.record)
      EXPECT_EQ(line.find("interior"), std::string::npos) << line;
  }
}

} // namespace
} // namespace percussion
