// Delassus operators of any kind, and a collection of assemblies of rigid bodies.

#include <percussion/cone/natural_units.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "assemblies.h"
#include "residual_in_words.h"
#include <iostream>

using namespace percussion;

namespace {

FrictionContactProblem to_natural_units(const FrictionContactProblem &problem) {
  return to_units(natural_units(problem), problem);
}

/// Returns A Aᵀ of any rank from 3 on plus a skew matrix A S Aᵀ of up to a tenth of it, and q = A
/// v, so that percussions can stop all imposed motions.
FrictionContactProblem random_problem(unsigned int seed) {
  sample::Random random(seed);
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = 1 + static_cast<std::size_t>(random(0., 6.));
  const std::size_t n = 3 * problem.n_contacts, rank = 3 + seed % (n + 1);
  std::vector<double> A(n * rank), AS(n * rank, 0.), S(rank * rank, 0.);
  for (double &a : A)
    a = random(-1., 1.);
  const double asymmetry = 0.1 * random(0., 1.);
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < k; ++l) {
      S[k * rank + l] = asymmetry * random(-1., 1.);
      S[l * rank + k] = -S[k * rank + l];
    }
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < rank; ++k) {
      AS[row * rank + k] += A[row * rank + k];
      for (std::size_t l = 0; l < rank; ++l)
        AS[row * rank + k] += A[row * rank + l] * S[l * rank + k];
    }
  problem.W.assign(n * n, 0.);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      for (std::size_t k = 0; k < rank; ++k)
        problem.W[row * n + column] += AS[row * rank + k] * A[column * rank + k];
  std::vector<double> v(rank);
  for (double &component : v)
    component = random(-1., 1.);
  problem.q.assign(n, 0.);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < rank; ++k)
      problem.q[row] += A[row * rank + k] * v[k];
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    problem.mu.push_back(random(0., 1.));
  problem.version = sample::new_version();
  return problem;
}

} // namespace

/// Every solution reported as solved is checked by a residual that no solver computes.
TEST(NotSymmetric, TenThousandRandomProblems) {
  unsigned int unsolved = 0;
  for (unsigned int seed = 0; seed < 10000; ++seed) {
    const FrictionContactProblem problem = random_problem(seed);
    const ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-11);
    unsolved += !solution.converged;
    if (solution.converged) {
      EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-10) << "seed " << seed;
    } else {
      std::cout << "seed " << seed << ": " << solution.residual << ", " << problem.n_contacts
                << " contacts\n";
    }
  }
  EXPECT_EQ(unsolved, 0U);
}

/// No method assumes that W is symmetric: on regular problems all find the same velocities.
TEST(NotSymmetric, MethodsAgree) {
  for (unsigned int seed = 0; seed < 20; ++seed) {
    auto problem = random_problem(seed);
    const std::size_t n = problem.q.size();
    for (std::size_t k = 0; k < n; ++k)
      problem.W[k * (n + 1)] += 0.5;
    for (double &mu : problem.mu)
      mu *= 0.5;
    const ConeSolution expected = sample::solve(problem, ConeMethod::automatic, 1e-12);
    for (const ConeMethodEntry &entry : sample::methods_in(3)) {
      if (entry.method == ConeMethod::newton || entry.method == ConeMethod::natural_map)
        continue; // newton may cycle
      const ConeSolution solution = sample::solve(problem, entry.method, 1e-10);
      EXPECT_TRUE(solution.converged) << entry.name << ", seed " << seed;
      EXPECT_LT(sample::distance(solution.u, expected.u), 1e-8) << entry.name << ", seed " << seed;
    }
  }
}

/// Two walls that close on a body that is held by nothing else: the solver proves that there is no
/// solution. If they open there is one.
TEST(NotSymmetric, ProvesThatThereIsNoSolution) {
  for (const double asymmetry : {0., 1e-3, 0.1})
    for (const double speed : {-0.2, 0.2}) {
      assemblies::Assembly assembly;
      assembly.bodies.push_back({});
      assembly.bodies[0].velocity = {0.3, 0.1, 0.};
      assembly.touches = {{0, -1, {0., 0., -0.5}, {0., 0., 1.}, speed},
                          {0, -1, {0., 0., 0.5}, {0., 0., -1.}, 0.},
                          {0, -1, {-0.5, 0., 0.}, {1., 0., 0.}, 0.}};
      const auto problem = assemblies::pose(assembly, 0.4, asymmetry);
      const ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-10);
      EXPECT_EQ(solution.converged, speed > 0.);
      EXPECT_EQ(solution.outcome == ConeOutcome::no_solution, speed < 0.);
    }
}

/// The record lists the attempts; it is empty unless requested.
TEST(NotSymmetric, RecordsWhatWasTried) {
  const auto problem =
      to_natural_units(assemblies::pose(assemblies::grains(3, 4, 4, 4, 0.03, 0.012, 1), 0.3, 1e-3));
  ConeOptions options;
  options.record = true;
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution);
  ASSERT_TRUE(solution.converged);
  ASSERT_FALSE(solution.record.empty());
  EXPECT_NE(solution.record.front().find("iterations, residual "), std::string::npos);
  options.record = false;
  ConeSolver(options).solve(problem, solution);
  EXPECT_TRUE(solution.record.empty());
}

/// A tower with large percussions whose W, in single precision, is nearly singular, and grains with
/// strong friction, at which interior points stop.
TEST(NotSymmetric, AssembliesOnWhichInteriorPointsStopAreSolvedToRoundOffToo) {
  using namespace assemblies;
  auto tower_problem = pose(tower(40, 0.3, 115), 0.7, 1e-2, 115);
  round_to_single(tower_problem);
  const auto grains_problem = pose(grains(3, 5, 4, 5, 0.03, 0.02, 57), 0.6, 1e-5, 57);
  for (const auto &problem : {to_natural_units(tower_problem), to_natural_units(grains_problem)}) {
    const ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-12);
    EXPECT_TRUE(solution.converged) << solution.residual;
    EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-11);
  }
}

/// All problems of the collection up to 160 contacts; stack_problems also writes the larger ones.
TEST(NotSymmetric, CollectionOfAssemblies) {
  unsigned int n_problems = 0, to_round_off = 0;
  assemblies::visit_collection(160, [&](const assemblies::Posed &posed_problem) {
    const auto problem = to_natural_units(posed_problem.problem);
    const ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-12);
    ++n_problems;
    to_round_off += solution.converged;
    EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-8)
        << posed_problem.name << ": " << solution.residual << " by " << solution.method;
  });
  EXPECT_GE(to_round_off, 0.95 * n_problems) << "of " << n_problems;
}
