#include "subproblem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

constexpr auto not_listed = static_cast<std::size_t>(-1);

} // namespace

Subproblems::Subproblems(const FrictionContactProblem &full_problem)
    : full(full_problem), contact_index(full.n_contacts, not_listed),
      body_index(full.bodies.n_bodies, not_listed) {}

FrictionContactProblem Subproblems::of(const Numbers &contacts, const std::vector<double> &velocity,
                                       double unit) {
  FrictionContactProblem subproblem;
  subproblem.dimension = 3;
  subproblem.n_contacts = contacts.size();
  BlockSparseMatrix &blocks = subproblem.blocks;
  blocks.row_start.assign(1, 0);
  subproblem.bodies.row_start.assign(1, 0);
  std::size_t n_blocks = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contact_index[contacts[k]] = k;
    n_blocks += full.blocks.row_start[contacts[k] + 1] - full.blocks.row_start[contacts[k]];
  }
  blocks.column.reserve(n_blocks);
  blocks.value.reserve(9 * n_blocks); // growing would take three times as much
  for (const std::size_t i : contacts) {
    for (std::size_t k = 0; k < 3; ++k)
      subproblem.q.push_back(velocity[3 * i + k] / unit);
    subproblem.mu.push_back(full.mu[i]);
    for (std::size_t b = full.blocks.row_start[i]; b < full.blocks.row_start[i + 1]; ++b) {
      const std::size_t column = contact_index[full.blocks.column[b]];
      if (column == not_listed)
        continue;
      blocks.column.push_back(column);
      blocks.value.insert(blocks.value.end(), &full.blocks.value[9 * b],
                          &full.blocks.value[9 * b] + 9);
    }
    blocks.row_start.push_back(blocks.column.size());
    append_bodies(i, subproblem);
  }
  for (const std::size_t i : contacts) {
    contact_index[i] = not_listed;
    for (std::size_t e = full.bodies.row_start[i]; e < full.bodies.row_start[i + 1]; ++e)
      body_index[full.bodies.body[e]] = not_listed;
  }
  return subproblem;
}

void Subproblems::append_bodies(std::size_t i, FrictionContactProblem &subproblem) {
  const ContactingBodies &all = full.bodies;
  ContactingBodies &some = subproblem.bodies;
  for (std::size_t e = all.row_start[i]; e < all.row_start[i + 1]; ++e) {
    const std::size_t b = all.body[e];
    if (body_index[b] == not_listed) {
      body_index[b] = some.n_bodies++;
      some.mass.insert(some.mass.end(), &all.mass[36 * b], &all.mass[36 * b] + 36);
    }
    some.body.push_back(body_index[b]);
    some.rows.insert(some.rows.end(), &all.rows[18 * e], &all.rows[18 * e] + 18);
  }
  some.row_start.push_back(some.body.size());
  if (!all.compliance.empty())
    some.compliance.insert(some.compliance.end(), &all.compliance[3 * i],
                           &all.compliance[3 * i] + 3);
}

std::vector<Subproblems::Numbers> groups_of(const ContactingBodies &bodies,
                                            const std::vector<char> &is_selected) {
  Subproblems::Numbers parent(bodies.n_bodies);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t b) {
    while (parent[b] != b)
      b = parent[b] = parent[parent[b]];
    return b;
  };
  for (std::size_t i = 0; i < is_selected.size(); ++i)
    for (std::size_t e = bodies.row_start[i]; is_selected[i] && e < bodies.row_start[i + 1]; ++e)
      parent[root(bodies.body[e])] = root(bodies.body[bodies.row_start[i]]);
  std::vector<Subproblems::Numbers> groups;
  Subproblems::Numbers group(bodies.n_bodies, not_listed);
  for (std::size_t i = 0; i < is_selected.size(); ++i) {
    if (!is_selected[i])
      continue;
    std::size_t &index_of_group = group[root(bodies.body[bodies.row_start[i]])];
    if (index_of_group == not_listed) {
      index_of_group = groups.size();
      groups.emplace_back();
    }
    groups[index_of_group].push_back(i);
  }
  return groups;
}

double largest_velocity(const Subproblems::Numbers &contacts, const std::vector<double> &velocity) {
  double largest = 0.;
  for (const std::size_t i : contacts)
    for (std::size_t k = 0; k < 3; ++k)
      largest = std::max(largest, std::abs(velocity[3 * i + k]));
  return largest > 0. ? largest : 1.;
}

} // namespace percussion
