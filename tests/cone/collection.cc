#include <percussion/cone/global.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>
#include <percussion/fclib/fclib.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include "stacks.h"
#include <algorithm>
#include <filesystem>
#include <string>

using namespace percussion;

namespace {

struct Posed {
  std::string name;
  FrictionContactProblem problem;
  std::vector<double> guess; ///< percussions; empty if there is no guess
};

/// Returns the problems of tests/collection, posed by runs.
std::vector<Posed> posed_by_runs() {
  std::vector<Posed> all;
  for (const auto &entry : std::filesystem::directory_iterator(PERCUSSION_BINARY_DIR "/collection"))
    if (const FclibFile file = read_fclib(entry.path().string());
        const auto *problem = std::get_if<FrictionContactProblem>(&file.problem))
      all.push_back({entry.path().stem().string(), *problem,
                     file.guesses.empty() ? std::vector<double>() : file.guesses.front().p});
  std::sort(all.begin(), all.end(), [](const Posed &a, const Posed &b) { return a.name < b.name; });
  return all;
}

/// Returns stacks of blocks in 3D, in natural units.
std::vector<Posed> posed_by_stacks() {
  std::vector<Posed> all;
  for (unsigned int seed = 0; seed < 3; ++seed) {
    const std::vector<std::pair<std::string, std::vector<stacks::Block>>> shapes = {
        {"block", stacks::tower(1, 1.)},     {"tower", stacks::tower(5, 1.)},
        {"top-heavy", stacks::tower(6, 3.)}, {"top-light", stacks::tower(6, 0.3)},
        {"wall", stacks::wall(2, 3)},        {"pyramid", stacks::pyramid(3)}};
    for (const auto &[name, blocks] : shapes) {
      const auto reduced = reduced_problem(stacks::pose(blocks, 0.4, 0.1 * seed, seed));
      all.push_back({name + std::to_string(seed), to_units(natural_units(reduced), reduced), {}});
    }
  }
  return all;
}

ConeSolution solve(const Posed &posed_problem, ConeMethod method, double tolerance,
                   ConeSolution start = {}) {
  ConeOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  ConeSolver(options).solve(posed_problem.problem, start);
  return start;
}

/// Returns the solution after proximal steps down to round-off, which remove the error of an
/// inexact solution.
ConeSolution refine(const Posed &posed_problem, const ConeSolution &solution) {
  ConeOptions options;
  options.method = ConeMethod::proximal;
  options.tolerance = 2e-16;
  options.max_iterations = 2000;
  ConeSolution refined = solution;
  ConeSolver(options).solve(posed_problem.problem, refined);
  return refined.residual < solution.residual ? refined : solution;
}

/// Solves by two independent methods. If their velocities differ, both solutions must hold to
/// round-off: the problem then has several solutions. Returns the names of such problems.
std::vector<std::string> problems_of_several_solutions(const std::vector<Posed> &all,
                                                       ConeMethod one, ConeMethod other) {
  std::vector<std::string> several;
  for (const Posed &posed_problem : all) {
    SCOPED_TRACE(posed_problem.name);
    ConeSolution a = solve(posed_problem, one, 1e-12), b = solve(posed_problem, other, 1e-12);
    EXPECT_TRUE(a.converged) << a.method << ": " << a.residual;
    EXPECT_TRUE(b.converged) << b.method << ": " << b.residual;
    if (sample::distance(a.u, b.u) > 1e-8) { // a solution may be inexact or not unique
      a = refine(posed_problem, a);
      b = refine(posed_problem, b);
    }
    if (sample::distance(a.u, b.u) <= 1e-8)
      continue;
    EXPECT_LT(natural_map_residual(posed_problem.problem, a.p), 1e-13);
    EXPECT_LT(natural_map_residual(posed_problem.problem, b.p), 1e-13);
    several.push_back(posed_problem.name);
    std::cout << posed_problem.name << " has several solutions: u differs by "
              << sample::distance(a.u, b.u) << '\n';
  }
  return several;
}

} // namespace

TEST(Collection, AutoSolvesAll) {
  const auto all = posed_by_runs();
  ASSERT_GE(all.size(), 200U);
  for (const Posed &posed_problem : all)
    for (const double tolerance : {1e-8, 1e-12})
      for (const bool warm : {false, true}) {
        ConeSolution start;
        if (warm)
          start.p = posed_problem.guess;
        const ConeSolution found = solve(posed_problem, ConeMethod::automatic, tolerance, start);
        EXPECT_TRUE(found.converged) << posed_problem.name << ": " << found.residual;
        EXPECT_LE(natural_map_residual(posed_problem.problem, found.p), tolerance)
            << posed_problem.name;
      }
}

TEST(Collection, AutoSolvesStacksIn3D) {
  for (const Posed &posed_problem : posed_by_stacks())
    for (const double tolerance : {1e-8, 1e-12}) {
      const ConeSolution found = solve(posed_problem, ConeMethod::automatic, tolerance);
      EXPECT_TRUE(found.converged) << posed_problem.name << ": " << found.residual;
    }
}

/// auto chooses a method also by size and tolerance.
TEST(Collection, SweepsAreForLooseTolerancesOfManyContacts) {
  const auto wall = [](unsigned int length, unsigned int height) {
    const auto reduced = reduced_problem(stacks::pose(stacks::wall(length, height), 0.4, 0.1, 1));
    return Posed{"wall", to_units(natural_units(reduced), reduced), {}};
  };
  const ConeSolution many_solution = solve(wall(6, 15), ConeMethod::automatic, 1e-3);
  EXPECT_GT(many_solution.status.size(), 300U);
  EXPECT_TRUE(many_solution.converged);
  EXPECT_EQ(many_solution.method, "nsgs");
  const ConeSolution few_solution = solve(wall(2, 3), ConeMethod::automatic, 1e-3);
  EXPECT_TRUE(few_solution.converged);
  EXPECT_EQ(few_solution.method, "proximal");
}

TEST(Collection, ProximalPointsAndPivotsAgree) {
  const auto several =
      problems_of_several_solutions(posed_by_runs(), ConeMethod::proximal, ConeMethod::lemke);
  // Several solutions are possible only if W is singular: in piles of rigid blocks.
  for (const std::string &name : several)
    EXPECT_EQ(name.rfind("pillar", 0), 0U) << name;
  EXPECT_LT(several.size(), 20U);
}

TEST(Collection, ProximalPointsAndAlternatingDirectionsAgreeIn3D) {
  std::vector<Posed> resting;
  for (const Posed &posed_problem : posed_by_stacks())
    if (posed_problem.name.back() ==
        '0') // without initial velocities nothing slides, and u is unique
      resting.push_back(posed_problem);
  EXPECT_TRUE(
      problems_of_several_solutions(resting, ConeMethod::proximal, ConeMethod::admm).empty());
}
