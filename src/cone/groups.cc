#include "groups.h"

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "delassus_operator.h"
#include "subproblem.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using Numbers = Subproblems::Numbers;

/// Copies between a solution of the whole problem and the solution of a group.
void take_guess(const ConeSolution &full_solution, const Numbers &group, double unit,
                ConeSolution &group_solution) {
  const bool has_statuses = full_solution.status.size() * 3 == full_solution.p.size();
  for (const std::size_t i : group) {
    for (std::size_t k = 0; k < 3; ++k)
      group_solution.p.push_back(full_solution.p[3 * i + k] / unit);
    if (has_statuses)
      group_solution.status.push_back(full_solution.status[i]);
  }
}

/// Solves the problem of a group: to the tolerance in its own unit of velocity if this takes few
/// iterations, otherwise to the accuracy `accuracy`, which suffices for the whole problem.
void solve_group(const FrictionContactProblem &problem, const ConeOptions &options,
                 const Deadline &deadline, double accuracy, ConeSolution &solution) {
  constexpr unsigned int max_group_iterations =
      400; // limit of iterations for the smaller tolerance of a group
  ConeOptions group_options = options;
  group_options.max_iterations = std::min(options.max_iterations, max_group_iterations);
  group_options.time_limit = deadline.seconds_left();
  ConeSolver(group_options).solve(problem, solution);
  const unsigned int used_iterations = solution.iterations;
  if (solution.residual <= std::max(accuracy, options.tolerance) ||
      used_iterations >= options.max_iterations)
    return;
  group_options.max_iterations = options.max_iterations - used_iterations;
  group_options.time_limit = deadline.seconds_left();
  group_options.tolerance = std::max(accuracy, options.tolerance);
  std::vector<std::string> record = std::move(solution.record);
  ConeSolver(group_options).solve(problem, solution);
  solution.iterations += used_iterations;
  record.insert(record.end(), solution.record.begin(), solution.record.end());
  solution.record = std::move(record);
}

/// Returns the tolerance of a group in its own unit of velocity: half of the tolerance of the whole
/// problem, with which the residuals of all groups together meet it. A group with most of the
/// contacts may have up to the whole tolerance, if the bounds of the other groups leave so much:
/// the last digits of a crowd's residual take most of the iterations.
double tolerance_of_group(const Numbers &group, const FrictionContactProblem &group_problem,
                          double unit, const FrictionContactProblem &problem, double tolerance) {
  constexpr double nearly_one = 1. - 1e-3; // leaves round-off to the sum of all residuals
  const double fraction =
      static_cast<double>(group.size()) / static_cast<double>(problem.n_contacts);
  if (fraction <= 0.5)
    return 0.5 * tolerance;
  const double size = norm(problem.q), group_size = unit * norm(group_problem.q);
  const double allowed = tolerance * (1. + size);
  const double square_of_others =
      tolerance * tolerance * std::max(0., size * size - group_size * group_size) +
      0.25 * (1. - fraction) * allowed * allowed;
  const double bound = std::sqrt(std::max(0., allowed * allowed - square_of_others));
  return std::clamp(nearly_one * bound / (unit + group_size), 0.5 * tolerance,
                    nearly_one * tolerance);
}

/// True if the group has been solved to the tolerance, and neither its q nor its guess has changed.
bool is_solved(const Numbers &group, const std::vector<double> &q, const std::vector<double> &guess,
               double tolerance, const SolvedGroups &solved) {
  return std::all_of(group.begin(), group.end(), [&](std::size_t i) {
    const auto row = static_cast<std::ptrdiff_t>(3 * i);
    return solved.tolerance[i] <= tolerance &&
           std::equal(q.begin() + row, q.begin() + row + 3, solved.q.begin() + row) &&
           std::equal(guess.begin() + row, guess.begin() + row + 3, solved.p.begin() + row);
  });
}

/// Adds a group that has been solved to the tolerance.
void add(const Numbers &group, const std::vector<double> &q, const std::vector<double> &p,
         const std::vector<ContactStatus> &status, double tolerance, SolvedGroups &solved) {
  for (const std::size_t i : group) {
    std::copy_n(&q[3 * i], 3, &solved.q[3 * i]);
    std::copy_n(&p[3 * i], 3, &solved.p[3 * i]);
    solved.status[i] = status[i];
    solved.tolerance[i] = tolerance;
  }
}

} // namespace

bool solve_by_groups(const FrictionContactProblem &problem, const ConeOptions &options,
                     const Deadline &deadline, ConeSolution &solution, SolvedGroups *solved) {
  if (problem.dimension != 3)
    return false;
  const DelassusOperator<3> W(problem);
  const ContactingBodies *const bodies = W.bodies();
  if (!bodies || W.is_dense)
    return false;
  const auto &row_start = bodies->row_start;
  if (std::adjacent_find(row_start.begin(), row_start.end()) != row_start.end())
    return false; // a contact with fixed surroundings only
  const auto groups = groups_of(*bodies, std::vector<char>(problem.n_contacts, 1));
  if (groups.size() < 2)
    return false;
  if (solved && solved->tolerance.size() != problem.n_contacts)
    *solved = {problem.q, solution.p, std::vector<ContactStatus>(problem.n_contacts),
               std::vector<double>(problem.n_contacts, std::numeric_limits<double>::infinity())};
  const ConeSolution guess = solution;
  std::vector<ContactStatus> status(problem.n_contacts);
  Subproblems subproblems(problem);
  ConeOptions group_options = options;
  const double allowed = 0.5 * options.tolerance * (1. + norm(problem.q));
  std::size_t largest_group = 0;
  bool leaves_groups = false;
  for (const Numbers &group : groups) {
    if (solved && is_solved(group, problem.q, guess.p, options.tolerance, *solved)) {
      for (const std::size_t i : group)
        status[i] = solved->status[i];
      leaves_groups = true;
      continue;
    }
    const double unit = largest_velocity(group, problem.q);
    const FrictionContactProblem group_problem = subproblems.of(group, problem.q, unit);
    ConeSolution start_of_group;
    take_guess(guess, group, unit, start_of_group);
    const double fraction =
        static_cast<double>(group.size()) / static_cast<double>(problem.n_contacts);
    const double accuracy = std::sqrt(fraction) * allowed / (unit * (1. + norm(group_problem.q)));
    group_options.tolerance =
        tolerance_of_group(group, group_problem, unit, problem, options.tolerance);
    solve_group(group_problem, group_options, deadline, accuracy, start_of_group);
    solution.iterations += start_of_group.iterations;
    if (group.size() > largest_group) {
      largest_group = group.size();
      solution.method = start_of_group.method;
      solution.record = start_of_group.record;
    }
    for (std::size_t k = 0; k < group.size(); ++k) {
      status[group[k]] = start_of_group.status[k];
      for (std::size_t l = 0; l < 3; ++l)
        solution.p[3 * group[k] + l] = unit * start_of_group.p[3 * k + l];
    }
    if (solved && start_of_group.residual <= std::max(accuracy, group_options.tolerance))
      add(group, problem.q, solution.p, status, options.tolerance, *solved);
  }
  solution.status = status;
  velocities<3>(problem, solution.p, solution.u);
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  solution.converged = solution.residual <= options.tolerance;
  if (!solution.converged && leaves_groups) // which have met a fraction of another tolerance
    return solve_by_groups(problem, options, deadline, solution, nullptr);
  return true;
}

} // namespace percussion
