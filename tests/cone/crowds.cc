// Dense crowds of rigid bodies: accelerated sweeps and patches.

#include <percussion/cone/natural_units.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "../../src/cone/patches.h"
#include "assemblies.h"
#include "residual_in_words.h"
#include <numeric>

using namespace percussion;

namespace {

/// Appends bodies, moved by `shift`, that do not touch those of the assembly.
void append(assemblies::Assembly bodies, const assemblies::Point &shift,
            assemblies::Assembly &assembly) {
  const auto first = assembly.bodies.size();
  for (auto &body : bodies.bodies)
    body.centre = assemblies::along(body.centre, 1., shift);
  for (auto &touch : bodies.touches) {
    touch.above += first;
    touch.below = touch.below < 0 ? -1 : touch.below + static_cast<int>(first);
    touch.place = assemblies::along(touch.place, 1., shift);
    assembly.touches.push_back(touch);
  }
  assembly.bodies.insert(assembly.bodies.end(), bodies.bodies.begin(), bodies.bodies.end());
}

/// Returns n × n towers of boxes that touch their neighbours at the corners of their sides.
assemblies::Assembly towers(unsigned int n, unsigned int height) {
  assemblies::Assembly crowd;
  for (unsigned int i = 0; i < n * n; ++i)
    append(assemblies::tower(height, 0.05, i), {1. * (i % n), 1. * (i / n), 0.}, crowd);
  const auto touch_sides = [&](unsigned int i, unsigned int j, const assemblies::Point &normal) {
    for (unsigned int k = 0; k < height; ++k) {
      const assemblies::Point middle =
          assemblies::along(crowd.bodies[j * height + k].centre, 0.5, normal);
      for (const double z : {-0.4, 0.4})
        crowd.touches.push_back({i * height + k, static_cast<int>(j * height + k),
                                 assemblies::along(middle, z, {0., 0., 1.}), normal, 0.});
    }
  };
  for (unsigned int i = 0; i < n * n; ++i) {
    if (i % n > 0)
      touch_sides(i, i - 1, {1., 0., 0.});
    if (i >= n)
      touch_sides(i, i - n, {0., 1., 0.});
  }
  return crowd;
}

FrictionContactProblem problem_of(const assemblies::Assembly &crowd, double mu) {
  FrictionContactProblem problem = assemblies::pose(crowd, mu);
  problem.bodies = assemblies::bodies_of(crowd, 0.);
  return to_units(natural_units(problem), problem);
}

/// Returns two crowds, n × n towers each, that do not touch: the contacts of the first come first.
/// The velocities of the second are multiplied by `ratio`.
FrictionContactProblem two_crowds(unsigned int first, unsigned int second, double ratio) {
  assemblies::Assembly both = towers(first, 4);
  const std::size_t n_first = both.touches.size();
  append(towers(second, 4), {2. * first, 0., 0.}, both);
  FrictionContactProblem problem = problem_of(both, 0.3);
  for (std::size_t row = 3 * n_first; row < problem.q.size(); ++row)
    problem.q[row] *= ratio;
  return to_units(natural_units(problem), problem);
}

/// Returns the residual of the contacts from `begin` to `end` in their own unit of velocity: the
/// natural map, divided by the sum of the largest velocity and ‖q‖.
double group_residual(const FrictionContactProblem &problem, const std::vector<double> &p,
                      std::size_t begin, std::size_t end) {
  const std::vector<double> square = natural_map_squares(problem, p);
  double map = 0., size = 0., largest = 0.;
  for (std::size_t i = begin; i < end; ++i) {
    map += square[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const double q = std::abs(problem.q[3 * i + k]);
      size += q * q;
      largest = std::max(largest, q);
    }
  }
  return std::sqrt(map) / (largest + std::sqrt(size));
}

/// Multiplies the velocities by factors around one.
void disturb(FrictionContactProblem &problem, double change = 0.1) {
  sample::Random random(5);
  for (double &q : problem.q)
    q *= random(1. - change, 1. + change);
  problem.version = sample::new_version();
}

/// Multiplies the velocities of the highest box of every 16th tower.
void disturb_in_places(unsigned int n, unsigned int height, FrictionContactProblem &problem) {
  sample::Random random(5);
  const ContactingBodies &bodies = problem.bodies;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e) {
      const std::size_t tower = bodies.body[e] / height;
      if (tower % n % 4 != 1 || tower / n % 4 != 1 || bodies.body[e] % height + 1 != height)
        continue;
      for (std::size_t k = 0; k < 3; ++k)
        problem.q[3 * i + k] *= random(0.8, 1.2);
    }
  problem.version = sample::new_version();
}

ConeSolution solve_again(const FrictionContactProblem &problem, double tolerance,
                         ConeSolution solution, ConeMethod method = ConeMethod::automatic) {
  ConeOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.record = true;
  ConeSolver(options).solve(problem, solution);
  return solution;
}

} // namespace

/// Sweeps and patches, weighted by their contacts, take fewer iterations than proximal points for
/// all contacts if many places change, as with n = 8.
TEST(DenseCrowds, TakeFewerIterationsInPatches) {
  constexpr unsigned int height = 4;
  for (const unsigned int n : {4U, 8U}) {
    auto problem = problem_of(towers(n, height), 0.3);
    ASSERT_GT(problem.n_contacts, 300U);
    ASSERT_GT(problem.n_contacts, 2 * problem.bodies.n_bodies);
    const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-7);
    ASSERT_TRUE(start.converged);
    disturb_in_places(n, height, problem);
    const ConeSolution solution = solve_again(problem, 1e-6, start),
                       proximal = solve_again(problem, 1e-6, start, ConeMethod::proximal);
    ASSERT_TRUE(proximal.converged);
    EXPECT_TRUE(solution.converged);
    EXPECT_LT(sample::residual_in_words(problem, solution.p), 1e-5);
    EXPECT_GT(sample::distance(solution.p, start.p), 1e-3);
    ASSERT_FALSE(solution.record.empty());
    EXPECT_EQ(solution.record.front().find("nsgs, patches: "), 0U) << solution.record.front();
    EXPECT_EQ(solution.record.size(), 1U);
    if (n == 8) {
      EXPECT_LT(1.5 * solution.iterations, proximal.iterations);
      ConeOptions few;
      few.tolerance = 1e-6;
      few.max_iterations = 120; // the last round may end beyond
      ConeSolution limited = start;
      ConeSolver(few).solve(problem, limited);
      EXPECT_FALSE(limited.converged);
      EXPECT_LT(limited.iterations, 160U);
    }
  }
}

/// A dense W has no blocks from which patches could be made.
TEST(DenseCrowds, HaveNoPatchesWithADenseW) {
  auto problem = problem_of(towers(4, 4), 0.3);
  make_dense(problem);
  problem.version = sample::new_version();
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-7);
  ASSERT_TRUE(start.converged);
  disturb_in_places(4, 4, problem);
  const ConeSolution solution = solve_again(problem, 1e-6, start);
  EXPECT_TRUE(solution.converged);
  for (const std::string &attempt : solution.record)
    EXPECT_NE(attempt.find("nsgs, patches: "), 0U) << attempt;
}

/// Without friction the velocities of the solution are unique.
TEST(DenseCrowds, HaveTheVelocitiesOfAnotherMethod) {
  auto problem = problem_of(towers(5, 5), 0.);
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-6);
  disturb(problem);
  const ConeSolution solution = solve_again(problem, 1e-9, start);
  ASSERT_TRUE(solution.converged);
  EXPECT_EQ(solution.record.front().find("nsgs, patches: "), 0U) << solution.record.front();
  const ConeSolution reference = sample::solve(problem, ConeMethod::interior, 1e-11);
  ASSERT_TRUE(reference.converged);
  EXPECT_LT(sample::distance(solution.u, reference.u), 1e-6);
  EXPECT_GT(sample::distance(start.u, reference.u), 1e-3);
}

/// If the guess is far from the solution, interior points come before patches.
TEST(DenseCrowds, BeginWithInteriorPointsFarFromTheGuess) {
  auto problem = problem_of(towers(5, 5), 0.3);
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-6);
  disturb(problem, 1.);
  EXPECT_GT(natural_map_residual(problem, start.p), 0.1);
  const ConeSolution solution = solve_again(problem, 1e-7, start);
  EXPECT_TRUE(solution.converged);
  ASSERT_GT(solution.record.size(), 1U);
  EXPECT_EQ(solution.record.front().find("interior: "), 0U) << solution.record.front();
  EXPECT_EQ(solution.record[1].find("nsgs, patches: "), 0U) << solution.record[1];
}

/// Sweeps come first if the tolerance is loose, but not so loose that plain sweeps meet it.
TEST(DenseCrowds, BeginWithAcceleratedSweepsIfTheToleranceIsLoose) {
  auto problem = problem_of(towers(4, 4), 0.3);
  ASSERT_GT(problem.n_contacts, 300U);
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-9);
  ASSERT_TRUE(start.converged);
  disturb(problem);
  ASSERT_GT(natural_map_residual(problem, start.p), 1e-2);
  for (const auto &[tolerance, method] :
       {std::pair(9.9e-5, "nsgs, accelerated: "), std::pair(4e-5, "nsgs, accelerated: "),
        std::pair(2e-5, "nsgs, patches: "), std::pair(1e-8, "nsgs, patches: ")}) {
    const ConeSolution solution = solve_again(problem, tolerance, start);
    EXPECT_TRUE(solution.converged);
    EXPECT_LE(natural_map_residual(problem, solution.p), tolerance);
    ASSERT_FALSE(solution.record.empty());
    EXPECT_EQ(solution.record.front().find(method), 0U)
        << tolerance << ": " << solution.record.front();
  }
}

/// The residuals of two crowds meet the tolerance together, and each in its own unit of velocity,
/// whichever is faster. A crowd with most of the contacts may have more than half of the tolerance.
TEST(DenseCrowds, MeetTheToleranceTogether) {
  constexpr unsigned int n = 4;
  const std::size_t n_first = towers(n, 4).touches.size();
  for (const auto &[second, ratio] : {std::pair(2U, 1.), std::pair(2U, 1e3), std::pair(2U, 1e-3),
                                      std::pair(n, 1.), std::pair(n, 1e3)}) {
    auto problem = two_crowds(n, second, ratio);
    const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-9);
    ASSERT_TRUE(start.converged);
    disturb(problem);
    for (const double tolerance : {1e-4, 1e-8}) {
      const ConeSolution solution = solve_again(problem, tolerance, start);
      const double first_residual = group_residual(problem, solution.p, 0, n_first);
      EXPECT_TRUE(solution.converged);
      EXPECT_LE(natural_map_residual(problem, solution.p), tolerance) << second << ' ' << ratio;
      EXPECT_LE(first_residual, tolerance) << second << ' ' << ratio;
      EXPECT_LE(group_residual(problem, solution.p, n_first, problem.n_contacts), tolerance)
          << second << ' ' << ratio;
      if (tolerance == 1e-4) {
        EXPECT_EQ(solution.record.front().find("nsgs, accelerated: "), 0U)
            << solution.record.front();
        if (second < n) {
          EXPECT_GT(first_residual, 0.5 * tolerance) << ratio;
        }
      }
    }
  }
}

/// Two equal crowds, each with a few contacts that are faster than the others, have half of the
/// tolerance each: ‖q‖ is so small that the bounds of two crowds with more exceed that of both.
TEST(DenseCrowds, MeetTheToleranceTogetherIfTheyAreEqual) {
  constexpr unsigned int last_body = 63; // top of the last tower of a crowd
  for (unsigned int seed = 0; seed < 5; ++seed) {
    auto problem = two_crowds(4, 4, 1.);
    const std::size_t half = problem.n_contacts / 2;
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      if (problem.bodies.body[problem.bodies.row_start[i % half]] != last_body)
        for (std::size_t k = 0; k < 3; ++k)
          problem.q[3 * i + k] *= 0.02;
    problem = to_units(natural_units(problem), problem);
    const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-9);
    ASSERT_TRUE(start.converged);
    sample::Random random(seed);
    for (std::size_t row = 0; row < 3 * half; ++row) {
      const double factor = random(0.9, 1.1);
      problem.q[row] *= factor;
      problem.q[3 * half + row] *= factor;
    }
    problem.version = sample::new_version();
    const ConeSolution solution = solve_again(problem, 1e-4, start);
    EXPECT_TRUE(solution.converged) << seed;
    EXPECT_LE(natural_map_residual(problem, solution.p), 1e-4) << seed;
  }
}

TEST(AcceleratedNsgs, TakesFewerSweeps) {
  const auto problem = problem_of(towers(2, 20), 0.);
  std::vector<double> plain(problem.q.size(), 0.), accelerated = plain, stopped = plain;
  const unsigned int n_plain = nsgs<3>(problem, 1e-5, 5000, plain);
  const unsigned int n_accelerated = accelerated_nsgs<3>(problem, 1e-5, 5000, accelerated);
  EXPECT_LE(natural_map_residual(problem, plain), 1e-5);
  EXPECT_LE(natural_map_residual(problem, accelerated), 1e-5);
  EXPECT_LT(5 * n_accelerated, n_plain);
  EXPECT_EQ(accelerated_nsgs<3>(problem, 1e-5, 3, stopped), 3U);
  EXPECT_GT(natural_map_residual(problem, stopped), 1e-5);
}

/// Sweeps that cannot reach the tolerance end.
TEST(AcceleratedNsgs, EndsWithoutProgress) {
  const auto problem = problem_of(towers(2, 4), 0.3);
  std::vector<double> p(problem.q.size(), 0.);
  EXPECT_LT(accelerated_nsgs<3>(problem, 1e-30, 100000, p), 5000U);
}

/// The residual of a disturbed body is solved there.
TEST(Patches, SolveWhereTheResidualIs) {
  auto problem = problem_of(towers(6, 5), 0.3);
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-9);
  ASSERT_TRUE(start.converged);
  ConeOptions accurate;
  accurate.tolerance = 1e-8;
  std::vector<double> unchanged = start.p;
  EXPECT_EQ(solve_patches(problem, accurate, 10, {}, unchanged), 0U);
  EXPECT_EQ(unchanged, start.p);
  std::vector<double> p = start.p;
  for (std::size_t i = 0; i < 4; ++i)
    p[3 * i] *= 1.5;
  std::vector<double> limited = p;
  const double before = natural_map_residual(problem, p);
  EXPECT_GT(before, 1e-4);
  solve_patches(problem, accurate, 1, {}, limited);
  EXPECT_LE(natural_map_residual(problem, limited), before);
  const unsigned int n = solve_patches(problem, accurate, 40, {}, p);
  EXPECT_LE(natural_map_residual(problem, p), 1e-8);
  EXPECT_LT(n, 10U); // weighted by a few of all contacts
}

/// Small regions around disturbed bodies are solved without the contacts far from them: at the top
/// of a tall tower, and also at the foot of another one.
TEST(Patches, SolveRegionsWithoutTheOtherContacts) {
  constexpr unsigned int height = 60, extent = 12, last_tower = 3;
  auto problem = problem_of(towers(2, height), 0.3);
  const ConeSolution start = sample::solve(problem, ConeMethod::automatic, 1e-9);
  ASSERT_TRUE(start.converged);
  ConeOptions options;
  options.tolerance = 1e-4;
  const ContactingBodies &bodies = problem.bodies;
  double least_residual = 1e-3;
  for (const bool disturbs_foot : {false, true}) {
    std::vector<double> p = start.p;
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e) {
        const std::size_t tower = bodies.body[e] / height, level = bodies.body[e] % height;
        if (tower == 0 && level + 1 == height)
          p[3 * i] *= 1.5;
        if (disturbs_foot && tower == last_tower && level == 1)
          p[3 * i] *= 1.001; // it carries the whole tower
      }
    EXPECT_GT(natural_map_residual(problem, p), least_residual + 5e-4);
    least_residual = natural_map_residual(problem, p);
    solve_patches(problem, options, 1, {}, p);
    EXPECT_LE(natural_map_residual(problem, p), 1e-4);
    for (std::size_t i = 0; i < problem.n_contacts; ++i) {
      const std::size_t level = bodies.body[bodies.row_start[i]] % height;
      const bool is_far = level + extent < height && (!disturbs_foot || level >= extent);
      for (std::size_t k = 0; k < 3 && is_far; ++k)
        EXPECT_EQ(p[3 * i + k], start.p[3 * i + k]) << i;
    }
  }
}

TEST(Residual, HasTheSquaresOfItsContacts) {
  const auto problem = problem_of(towers(2, 3), 0.3);
  std::vector<double> p(problem.q.size());
  sample::Random random(1);
  for (double &x : p)
    x = random(-1., 1.);
  const std::vector<double> square = natural_map_squares(problem, p);
  const double q =
      std::sqrt(std::inner_product(problem.q.begin(), problem.q.end(), problem.q.begin(), 0.));
  EXPECT_NEAR(std::sqrt(std::accumulate(square.begin(), square.end(), 0.)),
              natural_map_residual(problem, p) * (1. + q), 1e-12 * (1. + q));
}
