// Groups of bodies without contact between them: the accuracy of each group.

#include <percussion/cone/natural_units.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "assemblies.h"
#include <numeric>

using namespace percussion;

namespace {

/// Returns a tower of boxes, each of which touches the box below at one corner: W is regular.
assemblies::Assembly chain(unsigned int height, unsigned int seed) {
  assemblies::Assembly tower = assemblies::tower(height, 0.05, seed);
  std::vector<assemblies::Touch> touches;
  for (unsigned int k = 0; k < height; ++k)
    touches.push_back(tower.touches[4 * k + k % 4]);
  tower.touches = touches;
  return tower;
}

/// Two groups, of which the contacts of the first come first.
struct TwoGroups {
  FrictionContactProblem problem;
  std::size_t n_rows_of_first = 0;
};

/// Returns two chains. The velocities of the second are multiplied by `ratio`.
TwoGroups two_chains(unsigned int first_height, unsigned int second_height, double ratio) {
  assemblies::Assembly both = chain(first_height, 1);
  const std::size_t n_bodies = both.bodies.size(), n_rows = 3 * both.touches.size();
  const assemblies::Assembly second = chain(second_height, 2);
  for (assemblies::Touch touch : second.touches) {
    touch.above += n_bodies;
    touch.below += touch.below >= 0 ? static_cast<int>(n_bodies) : 0;
    both.touches.push_back(touch);
  }
  both.bodies.insert(both.bodies.end(), second.bodies.begin(), second.bodies.end());
  FrictionContactProblem problem = assemblies::pose(both, 0.3);
  problem.bodies = assemblies::bodies_of(both, 0.);
  for (std::size_t row = n_rows; row < problem.q.size(); ++row)
    problem.q[row] *= ratio;
  return {to_units(natural_units(problem), problem), n_rows};
}

double norm(const std::vector<double> &x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.));
}

/// Returns the rows of one group.
std::vector<double> rows_of_group(const TwoGroups &groups, bool first,
                                  const std::vector<double> &x) {
  const auto end_of_first = x.begin() + static_cast<std::ptrdiff_t>(groups.n_rows_of_first);
  return first ? std::vector<double>(x.begin(), end_of_first)
               : std::vector<double>(end_of_first, x.end());
}

/// Returns the error of a group's percussions relative to the sum of its largest velocity and ‖q‖.
double error_of_group(const TwoGroups &groups, bool first, const std::vector<double> &p,
                      const std::vector<double> &exact) {
  std::vector<double> error = rows_of_group(groups, first, p);
  const std::vector<double> exact_rows = rows_of_group(groups, first, exact),
                            q = rows_of_group(groups, first, groups.problem.q);
  double largest = 0.;
  for (std::size_t row = 0; row < q.size(); ++row) {
    error[row] -= exact_rows[row];
    largest = std::max(largest, std::abs(q[row]));
  }
  return norm(error) / (largest + norm(q));
}

/// Returns the solution from the solution for velocities that differ by up to 20 %.
ConeSolution solve_from_disturbed(const FrictionContactProblem &problem, double tolerance) {
  FrictionContactProblem disturbed = problem;
  sample::Random random(3);
  for (double &q : disturbed.q)
    q *= random(0.8, 1.2);
  disturbed.version = sample::new_version();
  return sample::solve(problem, ConeMethod::automatic, tolerance,
                       sample::solve(disturbed, ConeMethod::automatic, 1e-9));
}

} // namespace

/// The percussions of each group are as accurate as its own velocities require, whichever group is
/// faster or has most of the contacts. Sweeps solve to 1e-3, with errors of a tenth of that; Newton
/// solves to 1e-4 and 1e-8, with smaller ones.
TEST(GroupsOfBodies, HaveThePercussionsOfATightSolution) {
  for (const auto &[first, second] : {std::pair(90U, 12U), std::pair(60U, 60U)})
    for (const double ratio : {1., 1e3, 1e-3}) {
      const TwoGroups groups = two_chains(first, second, ratio);
      const ConeSolution tight = solve_from_disturbed(groups.problem, 1e-12);
      ASSERT_TRUE(tight.converged);
      for (const double tolerance : {1e-3, 1e-4, 1e-8}) {
        const ConeSolution solution = solve_from_disturbed(groups.problem, tolerance);
        EXPECT_TRUE(solution.converged);
        EXPECT_LE(natural_map_residual(groups.problem, solution.p), tolerance)
            << first << ' ' << ratio;
        for (const bool is_first : {true, false}) {
          EXPECT_LE(error_of_group(groups, is_first, solution.p, tight.p), tolerance)
              << first << ' ' << ratio << ' ' << is_first;
        }
      }
    }
}
