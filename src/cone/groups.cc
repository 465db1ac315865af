#include "groups.h"

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

using Numbers = std::vector<std::size_t>;

/// Returns the contacts of each group of bodies joined by contacts, ascending.
std::vector<Numbers> groups_of(const ContactingBodies &bodies) {
  Numbers parent(bodies.n_bodies);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t b) {
    while (parent[b] != b)
      b = parent[b] = parent[parent[b]];
    return b;
  };
  const std::size_t n = bodies.row_start.size() - 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
      parent[root(bodies.body[e])] = root(bodies.body[bodies.row_start[i]]);
  std::vector<Numbers> groups;
  Numbers group(bodies.n_bodies, bodies.n_bodies);
  for (std::size_t i = 0; i < n; ++i) {
    if (bodies.row_start[i] == bodies.row_start[i + 1]) // contact with fixed surroundings only
      return {};
    std::size_t &index_of_group = group[root(bodies.body[bodies.row_start[i]])];
    if (index_of_group == bodies.n_bodies) {
      index_of_group = groups.size();
      groups.emplace_back();
    }
    groups[index_of_group].push_back(i);
  }
  return groups;
}

/// Indices reused from one group to the next: `contact_index` of a contact and `body_index` of a
/// body in the group.
struct Indices {
  Numbers contact_index, body_index;
};

void append_bodies(const ContactingBodies &all, std::size_t i, Numbers &body_index,
                   ContactingBodies &group_bodies) {
  for (std::size_t e = all.row_start[i]; e < all.row_start[i + 1]; ++e) {
    const std::size_t b = all.body[e];
    if (body_index[b] == all.n_bodies) {
      body_index[b] = group_bodies.n_bodies++;
      group_bodies.mass.insert(group_bodies.mass.end(), &all.mass[36 * b], &all.mass[36 * b] + 36);
    }
    group_bodies.body.push_back(body_index[b]);
    group_bodies.rows.insert(group_bodies.rows.end(), &all.rows[18 * e], &all.rows[18 * e] + 18);
  }
  group_bodies.row_start.push_back(group_bodies.body.size());
  if (!all.compliance.empty())
    group_bodies.compliance.insert(group_bodies.compliance.end(), &all.compliance[3 * i],
                                   &all.compliance[3 * i] + 3);
}

/// Returns the problem of a group, with velocities divided by `unit`.
FrictionContactProblem group_problem_of(const FrictionContactProblem &full_problem,
                                        const Numbers &group, double unit, Indices &indices) {
  FrictionContactProblem group_problem;
  group_problem.dimension = 3;
  group_problem.n_contacts = group.size();
  group_problem.blocks.row_start.assign(1, 0);
  group_problem.bodies.row_start.assign(1, 0);
  std::size_t n_blocks = 0;
  for (std::size_t k = 0; k < group.size(); ++k) {
    indices.contact_index[group[k]] = k;
    n_blocks +=
        full_problem.blocks.row_start[group[k] + 1] - full_problem.blocks.row_start[group[k]];
  }
  group_problem.blocks.column.reserve(n_blocks);
  group_problem.blocks.value.reserve(9 * n_blocks); // growing would take three times as much
  for (const std::size_t i : group) {
    for (std::size_t k = 0; k < 3; ++k)
      group_problem.q.push_back(full_problem.q[3 * i + k] / unit);
    group_problem.mu.push_back(full_problem.mu[i]);
    for (std::size_t b = full_problem.blocks.row_start[i]; b < full_problem.blocks.row_start[i + 1];
         ++b) {
      group_problem.blocks.column.push_back(indices.contact_index[full_problem.blocks.column[b]]);
      group_problem.blocks.value.insert(group_problem.blocks.value.end(),
                                        &full_problem.blocks.value[9 * b],
                                        &full_problem.blocks.value[9 * b] + 9);
    }
    group_problem.blocks.row_start.push_back(group_problem.blocks.column.size());
    append_bodies(full_problem.bodies, i, indices.body_index, group_problem.bodies);
  }
  return group_problem;
}

double largest_velocity(const FrictionContactProblem &problem, const Numbers &group) {
  double largest = 0.;
  for (const std::size_t i : group)
    for (std::size_t k = 0; k < 3; ++k)
      largest = std::max(largest, std::abs(problem.q[3 * i + k]));
  return largest > 0. ? largest : 1.;
}

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
  ConeOptions of_group = options;
  of_group.max_iterations = std::min(options.max_iterations, max_group_iterations);
  of_group.time_limit = deadline.seconds_left();
  ConeSolver(of_group).solve(problem, solution);
  const unsigned int used_iterations = solution.iterations;
  if (solution.residual <= std::max(accuracy, options.tolerance) ||
      used_iterations >= options.max_iterations)
    return;
  of_group.max_iterations = options.max_iterations - used_iterations;
  of_group.time_limit = deadline.seconds_left();
  of_group.tolerance = std::max(accuracy, options.tolerance);
  ConeSolver(of_group).solve(problem, solution);
  solution.iterations += used_iterations;
}

} // namespace

bool solve_by_groups(const FrictionContactProblem &problem, const ConeOptions &options,
                     const Deadline &deadline, ConeSolution &solution) {
  if (problem.dimension != 3)
    return false;
  const DelassusOperator<3> W(problem);
  if (!W.bodies() || W.is_dense)
    return false;
  const auto groups = groups_of(problem.bodies);
  if (groups.size() < 2)
    return false;
  const ConeSolution guess = solution;
  std::vector<ContactStatus> status(problem.n_contacts);
  Indices indices{Numbers(problem.n_contacts),
                  Numbers(problem.bodies.n_bodies, problem.bodies.n_bodies)};
  ConeOptions of_group = options;
  of_group.tolerance = 0.5 * options.tolerance;
  const double allowed =
      of_group.tolerance * (1. + norm(problem.q)) / std::sqrt(static_cast<double>(groups.size()));
  std::size_t largest_group = 0;
  for (const Numbers &group : groups) {
    const double unit = largest_velocity(problem, group);
    const FrictionContactProblem group_problem = group_problem_of(problem, group, unit, indices);
    ConeSolution start_of_group;
    take_guess(guess, group, unit, start_of_group);
    const double accuracy = allowed / (unit * (1. + norm(group_problem.q)));
    solve_group(group_problem, of_group, deadline, accuracy, start_of_group);
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
  }
  solution.status = status;
  velocities<3>(problem, solution.p, solution.u);
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  solution.converged = solution.residual <= options.tolerance;
  return true;
}

} // namespace percussion
