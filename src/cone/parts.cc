#include "parts.h"

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "delassus.h"
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
    std::size_t &own = group[root(bodies.body[bodies.row_start[i]])];
    if (own == bodies.n_bodies) {
      own = groups.size();
      groups.emplace_back();
    }
    groups[own].push_back(i);
  }
  return groups;
}

/// Indices reused from one group to the next: `place` of a contact and `number` of a body in the
/// group.
struct Places {
  Numbers place, number;
};

void append_bodies(const ContactingBodies &all, std::size_t i, Numbers &number,
                   ContactingBodies &part) {
  for (std::size_t e = all.row_start[i]; e < all.row_start[i + 1]; ++e) {
    const std::size_t b = all.body[e];
    if (number[b] == all.n_bodies) {
      number[b] = part.n_bodies++;
      part.mass.insert(part.mass.end(), &all.mass[36 * b], &all.mass[36 * b] + 36);
    }
    part.body.push_back(number[b]);
    part.rows.insert(part.rows.end(), &all.rows[18 * e], &all.rows[18 * e] + 18);
  }
  part.row_start.push_back(part.body.size());
  if (!all.compliance.empty())
    part.compliance.insert(part.compliance.end(), &all.compliance[3 * i],
                           &all.compliance[3 * i] + 3);
}

/// Returns the problem of a group, with velocities divided by `unit`.
FrictionContactProblem part_of(const FrictionContactProblem &whole, const Numbers &group,
                               double unit, Places &places) {
  FrictionContactProblem part;
  part.dimension = 3;
  part.n_contacts = group.size();
  part.blocks.row_start.assign(1, 0);
  part.bodies.row_start.assign(1, 0);
  for (std::size_t k = 0; k < group.size(); ++k)
    places.place[group[k]] = k;
  for (const std::size_t i : group) {
    for (std::size_t k = 0; k < 3; ++k)
      part.q.push_back(whole.q[3 * i + k] / unit);
    part.mu.push_back(whole.mu[i]);
    for (std::size_t b = whole.blocks.row_start[i]; b < whole.blocks.row_start[i + 1]; ++b) {
      part.blocks.column.push_back(places.place[whole.blocks.column[b]]);
      part.blocks.value.insert(part.blocks.value.end(), &whole.blocks.value[9 * b],
                               &whole.blocks.value[9 * b] + 9);
    }
    part.blocks.row_start.push_back(part.blocks.column.size());
    append_bodies(whole.bodies, i, places.number, part.bodies);
  }
  return part;
}

double largest_velocity(const FrictionContactProblem &problem, const Numbers &group) {
  double largest = 0.;
  for (const std::size_t i : group)
    for (std::size_t k = 0; k < 3; ++k)
      largest = std::max(largest, std::abs(problem.q[3 * i + k]));
  return largest > 0. ? largest : 1.;
}

/// Copies between a solution of the whole problem and the solution of a group.
void take_guess(const ConeSolution &whole, const Numbers &group, double unit, ConeSolution &part) {
  const bool has_statuses = whole.status.size() * 3 == whole.p.size();
  for (const std::size_t i : group) {
    for (std::size_t k = 0; k < 3; ++k)
      part.p.push_back(whole.p[3 * i + k] / unit);
    if (has_statuses)
      part.status.push_back(whole.status[i]);
  }
}

double norm(const std::vector<double> &x) {
  return std::sqrt(delassus::dense_row_times(x.data(), x.data(), x.size()));
}

/// Solves the problem of a group: to the tolerance in its own unit of velocity if this takes few
/// iterations, otherwise to the accuracy `enough`, which suffices for the whole problem.
void solve_group(const FrictionContactProblem &problem, const ConeOptions &options,
                 const Deadline &deadline, double enough, ConeSolution &solution) {
  constexpr unsigned int a_while = 400; // limit of iterations for the smaller tolerance of a group
  ConeOptions of_group = options;
  of_group.max_iterations = std::min(options.max_iterations, a_while);
  of_group.time_limit = deadline.seconds_left();
  ConeSolver(of_group).solve(problem, solution);
  const unsigned int before = solution.iterations;
  if (solution.residual <= std::max(enough, options.tolerance) || before >= options.max_iterations)
    return;
  of_group.max_iterations = options.max_iterations - before;
  of_group.time_limit = deadline.seconds_left();
  of_group.tolerance = std::max(enough, options.tolerance);
  ConeSolver(of_group).solve(problem, solution);
  solution.iterations += before;
}

} // namespace

bool solve_in_parts(const FrictionContactProblem &problem, const ConeOptions &options,
                    const Deadline &deadline, ConeSolution &solution) {
  if (problem.dimension != 3 || problem.bodies.n_bodies == 0 || delassus::is_dense(problem))
    return false;
  const auto groups = groups_of(problem.bodies);
  if (groups.size() < 2)
    return false;
  const ConeSolution guess = solution;
  std::vector<ContactStatus> status(problem.n_contacts);
  Places places{Numbers(problem.n_contacts),
                Numbers(problem.bodies.n_bodies, problem.bodies.n_bodies)};
  ConeOptions of_group = options;
  of_group.tolerance = 0.5 * options.tolerance;
  const double share =
      of_group.tolerance * (1. + norm(problem.q)) / std::sqrt(static_cast<double>(groups.size()));
  std::size_t most = 0;
  for (const Numbers &group : groups) {
    const double unit = largest_velocity(problem, group);
    const FrictionContactProblem part = part_of(problem, group, unit, places);
    ConeSolution of_part;
    take_guess(guess, group, unit, of_part);
    const double enough = share / (unit * (1. + norm(part.q)));
    solve_group(part, of_group, deadline, enough, of_part);
    solution.iterations += of_part.iterations;
    if (group.size() > most) {
      most = group.size();
      solution.method = of_part.method;
      solution.record = of_part.record;
    }
    for (std::size_t k = 0; k < group.size(); ++k) {
      status[group[k]] = of_part.status[k];
      for (std::size_t l = 0; l < 3; ++l)
        solution.p[3 * group[k] + l] = unit * of_part.p[3 * k + l];
    }
  }
  solution.status = status;
  delassus::velocities<3>(problem, solution.p, solution.u);
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  solution.converged = solution.residual <= options.tolerance;
  return true;
}

} // namespace percussion
