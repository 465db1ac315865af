// The methods by name, and the agreement of their solutions.

#include <percussion/cone/natural_units.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "assemblies.h"
#include "sample_problems.h"
#include <set>
#include <string>

using namespace percussion;

namespace {

FrictionContactProblem body(unsigned int dimension, double mu, unsigned int seed) {
  sample::Random random(seed);
  const std::size_t n = dimension * (1 + seed % 30);
  auto W = sample::body_like_matrix(n, random);
  return dimension == 2 ? sample::make_problem(std::move(W), mu, random)
                        : sample::make_problem_3d(std::move(W), mu, mu, random);
}

/// Expects Coulomb's law for each contact according to its status, up to the residual `allowed`.
void expect_coulomb(const FrictionContactProblem &problem, const ConeSolution &solution,
                    double allowed) {
  const std::size_t d = problem.dimension;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const double *const p = &solution.p[d * i], *const u = &solution.u[d * i];
    double friction = 0., speed = 0., power = 0.;
    for (std::size_t k = 1; k < d; ++k) {
      friction = std::hypot(friction, p[k]);
      speed = std::hypot(speed, u[k]);
      power += p[k] * u[k];
    }
    SCOPED_TRACE("contact " + std::to_string(i));
    EXPECT_GE(p[0], -allowed);
    EXPECT_GE(u[0], -allowed);
    EXPECT_LE(friction, problem.mu[i] * p[0] + allowed);
    EXPECT_NEAR(p[0] * u[0], 0., allowed);
    EXPECT_NEAR(power, -problem.mu[i] * p[0] * speed, allowed);
    switch (solution.status[i]) {
    case ContactStatus::open:
      EXPECT_NEAR(p[0], 0., allowed);
      break;
    case ContactStatus::stick:
      EXPECT_NEAR(speed, 0., allowed);
      break;
    case ContactStatus::slip:
      EXPECT_NEAR(friction, problem.mu[i] * p[0], allowed);
    }
  }
}

} // namespace

TEST(Methods, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  std::set<ConeMethod> methods;
  for (const ConeMethodEntry &entry : cone_methods()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(methods.insert(entry.method).second) << entry.name;
    EXPECT_FALSE(entry.name.empty());
    EXPECT_FALSE(entry.description.empty()) << entry.name;
    const ConeMethodEntry *const found = find_cone_method(entry.name);
    ASSERT_NE(found, nullptr) << entry.name;
    EXPECT_EQ(found->method, entry.method);
  }
  for (const std::string_view name : {"", "Auto", "auto ", "gauss", "nsgs\n"})
    EXPECT_EQ(find_cone_method(name), nullptr) << name;
  EXPECT_EQ(find_cone_method("auto")->method, ConeOptions{}.method);
}

/// All methods agree on bodies in 2D and 3D, for which the solution is unique; newton and
/// natural-map too.
TEST(Methods, AgreeOnBodies) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double mu : {0., 0.1, 0.4, 1.})
      for (unsigned int seed = 0; seed < 60; ++seed) {
        const FrictionContactProblem problem = body(dimension, mu, seed);
        const ConeSolution expected = sample::solve(problem, ConeMethod::automatic);
        ASSERT_TRUE(expected.converged);
        for (const ConeMethodEntry &entry : sample::methods_in(dimension)) {
          SCOPED_TRACE(std::string(entry.name) + " in " + std::to_string(dimension) + "D, mu " +
                       std::to_string(mu) + ", seed " + std::to_string(seed));
          const ConeSolution found = sample::solve(problem, entry.method);
          EXPECT_TRUE(found.converged) << found.residual;
          EXPECT_LT(sample::distance(found.u, expected.u), 1e-8);
          EXPECT_LT(sample::distance(found.p, expected.p), 1e-8);
          expect_coulomb(problem, found, 1e-8);
        }
      }
}

/// A start at the solution is returned unchanged except for round-off, after one iteration, or
/// after the few iterations before a method's first check.
TEST(Methods, EndAtOnceAtTheSolution) {
  for (const unsigned int dimension : {2U, 3U})
    for (unsigned int seed = 0; seed < 20; ++seed) {
      const FrictionContactProblem problem = body(dimension, 0.4, seed);
      const ConeSolution solution = sample::solve(problem, ConeMethod::automatic);
      ConeSolution without_status = solution;
      without_status.status.clear();
      for (const ConeMethodEntry &entry : sample::methods_in(dimension))
        for (const ConeSolution &start : {solution, without_status}) {
          SCOPED_TRACE(entry.name);
          const ConeSolution found = sample::solve(problem, entry.method, 1e-10, start);
          EXPECT_TRUE(found.converged);
          EXPECT_LE(found.iterations, 12U);
          EXPECT_LT(sample::distance(found.p, solution.p), 1e-9);
          EXPECT_EQ(found.status, solution.status);
        }
    }
}

/// The method named in a solution is the method that produced it.
TEST(Methods, TellWhatProducedTheSolution) {
  const std::pair<ConeMethod, std::string_view> names[] = {
      {ConeMethod::automatic, "newton"},  {ConeMethod::nsgs, "nsgs"},
      {ConeMethod::newton, "newton"},     {ConeMethod::natural_map, "natural-map"},
      {ConeMethod::proximal, "proximal"}, {ConeMethod::admm, "admm"},
      {ConeMethod::pdas, "newton"}};
  for (const unsigned int dimension : {2U, 3U})
    for (const auto &[method, name] : names)
      EXPECT_EQ(sample::solve(body(dimension, 0.3, 11), method).method, name);
}

/// One solver solves problems of both dimensions, all sizes and storages in turn.
TEST(Methods, KeepNothingThatSpoilsAnotherProblem) {
  for (const ConeMethodEntry &entry : cone_methods()) {
    SCOPED_TRACE(entry.name);
    ConeOptions options;
    options.method = entry.method;
    ConeSolver solver(options);
    ConeSolution solution;
    for (unsigned int seed = 0; seed < 40; ++seed) {
      const unsigned int dimension = 2 + seed % 2;
      if (dimension == 3 && entry.method == ConeMethod::lemke)
        continue;
      FrictionContactProblem problem = body(dimension, 0.3, seed);
      if (seed % 3 == 0)
        problem = sample::stored_by_blocks(problem);
      if (seed % 5 == 0)
        problem.version = 0;
      solver.solve(problem, solution);
      EXPECT_TRUE(solution.converged) << seed;
      EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
    }
  }
}

/// Pivoting is for 2D problems only: in 3D it returns no result.
TEST(Methods, TellWhereTheyAreNotApplicable) {
  const FrictionContactProblem problem = body(3, 0.3, 4);
  const ConeSolution found = sample::solve(problem, ConeMethod::lemke);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.outcome, ConeOutcome::not_applicable);
  EXPECT_EQ(found.p, std::vector<double>(problem.q.size(), 0.));
  EXPECT_EQ(found.residual, natural_map_residual(problem, found.p));
}

/// Iterations of Newton's method one at a time, from open contacts.
TEST(Methods, UpdatesSettleAtTheSolutionInThreeDimensions) {
  constexpr unsigned int patience = 50, n_problems = 60;
  for (const double mu : {0., 0.1, 0.4, 1.}) {
    unsigned int n_settled = 0;
    for (unsigned int seed = 0; seed < n_problems; ++seed) {
      SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
      const FrictionContactProblem problem = body(3, mu, seed);
      const ConeSolution expected = sample::solve(problem, ConeMethod::automatic);
      ConeSolver solver;
      ConeSolution solution;
      solution.p.assign(problem.q.size(), 0.);
      solution.status.assign(problem.n_contacts, ContactStatus::open);
      bool has_converged = false;
      for (unsigned int k = 0; k < patience && !has_converged; ++k)
        has_converged = solver.update(problem, k == 0, solution);
      n_settled += has_converged;
      if (!has_converged)
        continue;
      EXPECT_EQ(solution.method, "pdas");
      EXPECT_LT(sample::distance(solution.p, expected.p), 1e-11);
      expect_coulomb(problem, solution, 1e-11);
    }
    EXPECT_GE(n_settled, n_problems - n_problems / 20);
  }
}

/// If W is singular, a few iterations may lead away from a good guess.
TEST(Methods, NeverLeaveAWarmStartForWorse) {
  for (const auto &assembly :
       {assemblies::tower(10, 0.05, 2), assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 1)}) {
    const auto posed_problem = assemblies::pose(assembly, 0.6, 0.);
    const auto problem = to_units(natural_units(posed_problem), posed_problem);
    const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-4);
    ASSERT_TRUE(start.converged);
    for (const ConeMethodEntry &entry : sample::methods_in(3))
      for (const unsigned int iterations : {1U, 3U}) {
        ConeOptions options;
        options.method = entry.method;
        options.tolerance = 1e-16;
        options.max_iterations = options.max_newton_iterations = iterations;
        ConeSolution solution = start;
        ConeSolver(options).solve(problem, solution);
        EXPECT_LE(solution.residual, start.residual) << entry.name << ' ' << assembly.name;
        EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p)) << entry.name;
      }
  }
}
