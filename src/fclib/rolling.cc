#include "rolling.h"

#include <percussion/base/linear_system.h>
#include <percussion/cone/global.h>

#include <cmath>
#include <stdexcept>

namespace percussion {
namespace {

/// Returns the row of a component in the problem of contacts and moments.
std::size_t row_of(const RollingForm &form, std::size_t stored_row) {
  const std::size_t d = 2 * form.dimension - 1, D = form.dimension;
  const std::size_t contact = stored_row / d, component = stored_row % d;
  return component < D ? D * contact + component
                       : D * (form.n_contacts + contact) + component - D + 1;
}

/// Returns a vector of a file in the rows of contacts and moments; normal rows of moments are 0.
std::vector<double> split_rows(const RollingForm &form, const std::vector<double> &stored) {
  std::vector<double> values(2 * form.dimension * form.n_contacts, 0.);
  for (std::size_t k = 0; k < stored.size(); ++k)
    values[row_of(form, k)] = stored[k];
  return values;
}

/// Multiplies the entries in rows of moments by a factor.
void scale_moments(const RollingForm &form, double factor, std::vector<double> &values) {
  for (std::size_t k = form.dimension * form.n_contacts; k < values.size(); ++k)
    values[k] *= factor;
}

/// Renumbers indices of rows, in an array of rows or columns.
void split_indices(const RollingForm &form, std::vector<int> &indices) {
  for (int &index : indices)
    index = static_cast<int>(row_of(form, static_cast<std::size_t>(index)));
}

/// Returns the entries of W with rows and columns of moments.
CompressedRows split_delassus(const RollingForm &form, Entries W) {
  split_indices(form, W.row);
  split_indices(form, W.column);
  W.n_rows = W.n_columns = 2 * form.dimension * form.n_contacts;
  return compressed_rows(W);
}

/// Returns the entry of W on the diagonal.
double diagonal(const CompressedRows &W, std::size_t row) {
  for (std::size_t k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
    if (W.column[k] == row)
      return W.value[k];
  return 0.;
}

/// Returns the length with which tangential rows and moments respond alike on average.
double length_of(const RollingForm &form, const CompressedRows &W) {
  const std::size_t D = form.dimension, n = D * form.n_contacts;
  double tangential = 0., rotational = 0.;
  for (std::size_t row = 0; row < n; ++row) {
    if (row % D == 0)
      continue;
    tangential += diagonal(W, row);
    rotational += diagonal(W, n + row);
  }
  return tangential > 0. && rotational > 0. ? std::sqrt(tangential / rotational) : 1.;
}

/// Scales the rows of moments, and gives them the normal percussions of their contacts: u = c p − c
/// p_N in their normal rows, with the compliance c of the contact.
CompressedRows couple_moments(const RollingForm &form, const CompressedRows &W) {
  const std::size_t D = form.dimension, n = D * form.n_contacts;
  Entries entries;
  entries.n_rows = entries.n_columns = W.n_rows;
  for (std::size_t row = 0; row < W.n_rows; ++row)
    for (std::size_t k = W.row_start[row]; k < W.row_start[row + 1]; ++k)
      entries.add(row, W.column[k],
                  (row < n ? 1. : form.length) * (W.column[k] < n ? 1. : form.length) * W.value[k]);
  for (std::size_t normal = 0; normal < n; normal += D) {
    const double w = diagonal(W, normal), c = w > 0. ? w : 1.;
    entries.add(n + normal, n + normal, c);
    entries.add(n + normal, normal, -c);
  }
  return compressed_rows(entries);
}

/// Makes the global problem of contacts and moments, with moments in the units of the file.
void make_global(StoredRolling &stored, RollingForm &form) {
  GlobalFrictionContactProblem &global = form.global;
  global.dimension = form.dimension;
  global.n_contacts = 2 * form.n_contacts;
  global.M = compressed_rows(stored.matrix);
  split_indices(form, stored.H.column);
  stored.H.n_columns = 2 * form.dimension * form.n_contacts;
  global.H = compressed_rows(stored.H);
  global.q = std::move(stored.vector);
  global.b = split_rows(form, stored.w);
  global.mu = stored.mu;
  global.mu.insert(global.mu.end(), stored.mu_r.begin(), stored.mu_r.end());
}

} // namespace

FrictionContactProblem friction_problem(StoredRolling stored, RollingForm &form) {
  form.dimension = (stored.dimension + 1) / 2;
  form.n_contacts = stored.mu.size();
  FrictionContactProblem problem;
  problem.dimension = form.dimension;
  problem.n_contacts = 2 * form.n_contacts;
  CompressedRows W;
  if (stored.H.n_rows > 0) {
    make_global(stored, form);
    const FrictionContactProblem reduced = reduced_problem(form.global);
    W = delassus(reduced);
    problem.q = reduced.q;
  } else {
    W = split_delassus(form, std::move(stored.matrix));
    problem.q = split_rows(form, stored.vector);
  }
  form.length = length_of(form, W);
  scale_moments(form, form.length, problem.q);
  set_delassus(couple_moments(form, W), problem);
  problem.mu = std::move(stored.mu);
  for (const double mu_r : stored.mu_r)
    problem.mu.push_back(mu_r / form.length);
  return problem;
}

GlobalConeSolution with_moments(const RollingForm &form, GlobalConeSolution stored) {
  GlobalConeSolution solution;
  solution.p = split_rows(form, stored.p);
  solution.u = split_rows(form, stored.u);
  scale_moments(form, 1. / form.length, solution.p);
  scale_moments(form, form.length, solution.u);
  const std::size_t n = form.dimension * form.n_contacts;
  for (std::size_t normal = 0; normal < n; normal += form.dimension)
    solution.p[n + normal] = solution.p[normal];
  return solution;
}

GlobalConeSolution without_moments(const RollingForm &form, const GlobalConeSolution &solution) {
  std::vector<double> p = solution.p, u = solution.u;
  scale_moments(form, form.length, p);
  scale_moments(form, 1. / form.length, u);
  GlobalConeSolution stored;
  const std::size_t n = (2 * form.dimension - 1) * form.n_contacts;
  for (std::size_t k = 0; k < n; ++k) {
    stored.p.push_back(p[row_of(form, k)]);
    stored.u.push_back(u[row_of(form, k)]);
  }
  const GlobalFrictionContactProblem &global = form.global;
  if (global.q.empty())
    return stored;
  stored.v = global.q;
  for (std::size_t row = 0; row < global.H.n_rows; ++row)
    for (std::size_t k = global.H.row_start[row]; k < global.H.row_start[row + 1]; ++k)
      stored.v[row] += global.H.value[k] * p[global.H.column[k]];
  LinearSystem mass;
  mass.sparse() = global.M;
  if (!mass.factorise_sparse())
    throw std::invalid_argument("global frictional contact problem: M is singular");
  mass.solve(stored.v);
  return stored;
}

} // namespace percussion
