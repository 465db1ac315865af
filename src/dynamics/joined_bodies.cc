#include "joined_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {

std::optional<JoinedBodies> JoinedBodies::make(const std::vector<double> &W, unsigned int dim,
                                               std::vector<Joint> joints) {
  JoinedBodies bodies;
  bodies.dim = dim;
  bodies.n_rows = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(W.size()))));
  bodies.joints = std::move(joints);
  // Redundant ties share their percussions if each is compliant.
  constexpr double least_compliance = 1e-9; // of the response of its row
  if (!bodies.factorise(W, 0.) && !bodies.factorise(W, least_compliance))
    return {};
  return bodies;
}

bool JoinedBodies::factorise(const std::vector<double> &W, double tie_compliance) {
  constexpr double immovable = 1e-14; // of the largest response
  const std::size_t m = n_unknowns(), n = n_rows;
  double largest = 0;
  for (std::size_t r = 0; r < n; ++r)
    largest = std::max(largest, W[r * n + r]);
  columns.assign(n * m, 0.);
  compliance.assign(tie_compliance > 0. ? m : 0, 0.);
  is_immovable.assign(m, false);
  for (std::size_t j = 0; j < m; ++j) {
    is_immovable[j] = is_tie(j) && !(W[row(j) * n + row(j)] > immovable * largest);
    for (unsigned int r = 0; r < dim && !is_tie(j); ++r) {
      const std::size_t source = joints[j / dim].row + r;
      const double s = joints[j / dim].S[dim * r + j % dim];
      for (std::size_t i = 0; i < n; ++i)
        columns[j * n + i] += W[i * n + source] * s;
    }
    for (std::size_t i = 0; i < n && is_tie(j); ++i)
      columns[j * n + i] = is_immovable[j] ? 0. : -W[i * n + row(j)];
  }
  double *const M = equations.dense(m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      const bool has_identity = i == j && (!is_tie(i) || is_immovable[i]);
      M[j * m + i] = (is_immovable[i] ? 0. : columns[j * n + row(i)]) + (has_identity ? 1. : 0.);
      if (i == j && is_tie(i) && tie_compliance > 0.) {
        compliance[i] = tie_compliance * M[j * m + i];
        M[j * m + i] += compliance[i];
      }
    }
  return equations.factorise_dense();
}

bool JoinedBodies::join(const std::vector<double> &tie_velocities, std::vector<double> &u,
                        std::vector<double> &ties) const {
  const std::size_t m = n_unknowns();
  std::vector<double> unknowns(m);
  for (std::size_t i = 0; i < m; ++i)
    unknowns[i] = is_immovable[i] ? 0. : u[row(i)] - (is_tie(i) ? tie_velocities[row(i)] : 0.);
  if (!solve(unknowns))
    return false;
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < n_rows; ++i)
      u[i] -= columns[j * n_rows + i] * unknowns[j];
    if (is_tie(j))
      ties[row(j)] += unknowns[j];
  }
  // The difference has lost the small velocities of stiff bonds, on which their percussions depend.
  for (std::size_t j = 0; j < m; ++j)
    if (!is_tie(j))
      u[row(j)] = unknowns[j];
  return true;
}

bool JoinedBodies::solve(std::vector<double> &unknowns) const {
  constexpr int n_refinements = 2; // remove the velocities that the compliance of ties leaves
  if (!equations.solve(unknowns))
    return false;
  std::vector<double> change = unknowns;
  for (int k = 0; k < n_refinements && !compliance.empty(); ++k) {
    for (std::size_t i = 0; i < change.size(); ++i)
      change[i] *= compliance[i];
    if (!equations.solve(change))
      return false;
    for (std::size_t i = 0; i < change.size(); ++i)
      unknowns[i] += change[i];
  }
  return true;
}

std::vector<double> JoinedBodies::joined_W(const std::vector<double> &W) const {
  const std::size_t n = n_rows;
  const std::vector<double> no_velocities(n, 0.);
  std::vector<double> joined(n * n), column(n), ties(n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r)
      column[r] = W[r * n + c];
    if (!join(no_velocities, column, ties))
      return {};
    const double round_off = 1e-12 * W[c * n + c];
    if (column[c] < -round_off)
      return {};
    for (std::size_t r = 0; r < n; ++r)
      joined[r * n + c] = column[r];
    // Stiff bonds hold their contacts up to round-off, which may be negative.
    joined[c * n + c] = std::max(column[c], round_off);
  }
  for (std::size_t r = 0; r < n; ++r) // symmetric but for round-off
    for (std::size_t c = 0; c < r; ++c)
      joined[r * n + c] = joined[c * n + r] = 0.5 * (joined[r * n + c] + joined[c * n + r]);
  return joined;
}

} // namespace percussion
