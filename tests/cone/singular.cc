#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "corner_problems.h"
#include <string>

using namespace percussion;

namespace {

/// Expects that auto, Gauss–Seidel and the proximal iterations solve the problem, with the same
/// velocities if these are unique. Returns the solution of auto.
ConeSolution expect_agreement(const FrictionContactProblem &problem, double tolerance,
                              bool unique = true) {
  const ConeSolution automatic = sample::solve(problem, ConeMethod::automatic, tolerance);
  EXPECT_TRUE(automatic.converged) << automatic.residual;
  EXPECT_LE(automatic.residual, tolerance);
  EXPECT_LT(automatic.iterations, 100U);
  for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::proximal}) {
    const ConeSolution other = sample::solve(problem, method, tolerance);
    EXPECT_TRUE(other.converged) << other.residual;
    if (unique) {
      EXPECT_LT(sample::distance(automatic.u, other.u), 1e-9);
    }
  }
  return automatic;
}

/// Returns a node pressed into three surfaces with these normals; its velocity is v.
FrictionContactProblem squeezed_node(double mu, double vx, double vy) {
  std::vector<sample::Row> rows;
  for (const double angle : {0.3, 1.2, 2.4}) {
    rows.push_back({4, std::cos(angle), std::sin(angle)});
    rows.push_back({4, std::sin(angle), -std::cos(angle)});
  }
  std::vector<double> v(18, 0.);
  v[8] = vx;
  v[9] = vy;
  return sample::problem_of_rows(3, 0.1, rows, v, mu);
}

} // namespace

TEST(SingularOperator, BlockInACorner) {
  unsigned int pivoted = 0;
  for (const double mu : {0., 0.2, 0.4, 0.8, 1.2})
    for (const double tolerance : {1e-10, 1e-13})
      for (unsigned int seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
        const auto problem = sample::corner_problem(4 + seed % 6, 1., mu, seed);
        // With much friction there can be several solutions: the one found by pivoting depends on
        // the round-off of the BLAS, hence on the processor.
        pivoted += expect_agreement(problem, tolerance, mu < 1.).method == "lemke";
      }
  EXPECT_GT(pivoted, 50U); // among 200 problems
}

/// A light and stiff block with much friction: Gauss–Seidel moves slowly along the null space.
TEST(SingularOperator, LightStiffBlockInACorner) {
  for (const double mu : {0., 0.2, 0.4, 0.8, 1.2})
    for (const double tolerance : {1e-10, 1e-13})
      for (unsigned int seed = 14; seed < 20; ++seed) {
        SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
        const auto problem = sample::corner_problem(12, 1e-4, mu, seed);
        const ConeSolution newton = sample::solve(problem, ConeMethod::automatic, tolerance);
        const ConeSolution proximal = sample::solve(problem, ConeMethod::proximal, tolerance);
        EXPECT_TRUE(newton.converged) << newton.residual;
        EXPECT_LT(newton.iterations, 200U);
        EXPECT_TRUE(proximal.converged) << proximal.residual;
      }
}

TEST(SingularOperator, NodeSqueezedBetweenThreeSurfaces) {
  for (const double mu : {0., 0.2, 0.5, 0.8})
    for (unsigned int k = 0; k < 24; ++k) {
      SCOPED_TRACE("mu " + std::to_string(mu) + ", direction " + std::to_string(k));
      const double angle = 0.26 * k;
      expect_agreement(squeezed_node(mu, std::cos(angle), std::sin(angle)), 1e-13);
    }
}

TEST(SingularOperator, ContactsListedTwice) {
  for (const double mu : {0., 0.3, 0.8})
    for (unsigned int seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
      sample::Random random(seed);
      std::vector<sample::Row> rows;
      for (std::size_t i = 0; i < 5; ++i)
        for (unsigned int copy = 0; copy < 1 + i % 2; ++copy)
          rows.insert(rows.end(), {{i, 0., 1.}, {i, 1., 0.}});
      const auto v = sample::pressing_velocities(5, random);
      const ConeSolution twice =
          expect_agreement(sample::problem_of_rows(5, 0.1, rows, v, mu), 1e-13);

      std::vector<sample::Row> single;
      for (std::size_t i = 0; i < 5; ++i)
        single.insert(single.end(), {{i, 0., 1.}, {i, 1., 0.}});
      const ConeSolution once = sample::solve(sample::problem_of_rows(5, 0.1, single, v, mu),
                                              ConeMethod::automatic, 1e-13);
      EXPECT_NEAR(twice.u[2], once.u[2], 1e-11);
      EXPECT_NEAR(twice.u[3], once.u[3], 1e-11);
      EXPECT_NEAR(twice.p[2] + twice.p[4], once.p[2], 1e-11); // contacts 1 and 2 are at node 1
      EXPECT_NEAR(twice.p[3] + twice.p[5], once.p[3], 1e-11);
    }
}

TEST(SingularOperator, SequenceOfCornerProblemsIsWarmStarted) {
  for (const double mu : {0.2, 0.8, 1.2}) {
    sample::Random random(9);
    FrictionContactProblem problem = sample::corner_problem(7, 0.1, mu, 9);
    ConeOptions options;
    options.tolerance = 1e-13;
    ConeSolver solver(options);
    ConeSolution solution;
    unsigned int iterations = 0;
    double largest = 0.;
    for (unsigned int step = 0; step < 200; ++step) {
      for (double &component : problem.q)
        component += random(-0.01, 0.01);
      problem.q[14] = problem.q[1]; // the second frame of the corner node refers to the same node
      problem.q[15] = -problem.q[0];
      solver.solve(problem, solution);
      EXPECT_TRUE(solution.converged) << "mu " << mu << ", step " << step;
      iterations += solution.iterations;
      for (const double component : solution.p)
        largest = std::max(largest, std::abs(component));
    }
    RecordProperty("iterations at mu " + std::to_string(mu), static_cast<int>(iterations));
    EXPECT_LT(iterations, 200U * 8U) << "mu " << mu;
    EXPECT_LT(largest, 100.) << "mu " << mu; // p does not drift along the null space
  }
}
