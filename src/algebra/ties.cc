#include <percussion/algebra/ties.h>

#include "blas.h"
#include "tie_laws.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace percussion {

void Ties::set(std::vector<TieRow> new_rows, std::size_t n, double negligible_value) {
  rows = std::move(new_rows);
  n_tied = n;
  negligible_singular_value = negligible_value;
  ++n_sets;
  prepared = 0;
}

/// Computes S, and S⁻¹ without the rows that have laws.
void Ties::factorise(std::size_t n_users) {
  const std::size_t m = rows.size();
  S.assign(m * m, 0.);
  scale.assign(m, 0.);
  const double *const tied_values = Y.data() + (n_users - n_tied) * m;
  for (std::size_t r = 0; r < m; ++r) {
    const std::vector<double> &row_of_C = are_symmetric() ? rows[r].value : rows[r].left_value;
    for (std::size_t k = 0; k < rows[r].column.size(); ++k)
      for (std::size_t s = 0; s < m; ++s)
        S[r * m + s] += row_of_C[k] * tied_values[rows[r].column[k] * m + s];
    S[r * m + r] += rows[r].compliance;
    scale[r] = S[r * m + r] > 0. ? 1. / std::sqrt(S[r * m + r]) : 0.;
  }
  std::vector<unsigned int> exact;
  for (unsigned int r = 0; r < m; ++r)
    if (!rows[r].law)
      exact.push_back(r);
  inverse = inverse_of(exact);
  compute_response(n_users);
}

/// Computes S⁻¹ Zᵀ.
void Ties::compute_response(std::size_t n_users) {
  const std::size_t m = rows.size();
  const std::vector<double> &C_compliance = are_symmetric() ? Y : Z;
  SinvZ.assign(C_compliance.size(), 0.);
  for (std::size_t i = 0; i < n_users; ++i)
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        SinvZ[i * m + r] += inverse[r * m + s] * C_compliance[i * m + s];
}

/// Returns the inverse of S in these rows, and zero in the others.
std::vector<double> Ties::inverse_of(const std::vector<unsigned int> &active) const {
  const std::size_t m = rows.size(), n = active.size();
  std::vector<double> block(n * n), block_scale(n);
  for (std::size_t i = 0; i < n; ++i) {
    block_scale[i] = scale[active[i]];
    for (std::size_t j = 0; j < n; ++j)
      block[i * n + j] = S[active[i] * m + active[j]] * (scale[active[i]] * scale[active[j]]);
  }
  if (n > 0)
    block = are_symmetric() ? invert_symmetric(std::move(block), block_scale)
                            : invert_general(std::move(block), block_scale);
  if (n == m)
    return block;
  std::vector<double> all(m * m, 0.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all[active[i] * m + active[j]] = block[i * n + j];
  return all;
}

/// Computes the inverse by the eigenvalues of S; eigenvalues of the size of round-off are omitted.
std::vector<double> Ties::invert_symmetric(std::vector<double> matrix,
                                           const std::vector<double> &matrix_scale) const {
  const std::size_t m = matrix_scale.size();
  const int n = static_cast<int>(m), work_size = 34 * n;
  int info = 0;
  std::vector<double> eigenvalue(m), work(static_cast<std::size_t>(work_size)), result(m * m, 0.);
  dsyev_("V", "U", &n, matrix.data(), &n, eigenvalue.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw std::runtime_error("the eigenvalues of the links were not found");
  for (std::size_t e = 0; e < m; ++e)
    if (eigenvalue[e] > negligible * eigenvalue.back())
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t s = 0; s < m; ++s)
          result[r * m + s] += matrix_scale[r] * matrix[e * m + r] * matrix_scale[s] *
                               matrix[e * m + s] / eigenvalue[e];
  return result;
}

/// Computes the inverse by LU factors, or by the singular values if some may be negligible.
std::vector<double> Ties::invert_general(std::vector<double> matrix,
                                         const std::vector<double> &matrix_scale) const {
  const std::size_t m = matrix_scale.size();
  const int n = static_cast<int>(m), work_size = 64 * n;
  int info = 0;
  std::vector<int> pivots(m);
  std::vector<double> work(static_cast<std::size_t>(work_size)), LU = matrix, result(m * m, 0.);
  const auto largest_row_sum = [&](const std::vector<double> &summed) {
    double largest = 0;
    for (std::size_t r = 0; r < m; ++r) {
      double sum = 0;
      for (std::size_t s = 0; s < m; ++s)
        sum += std::abs(summed[r * m + s]);
      largest = std::max(largest, sum);
    }
    return largest;
  };
  dgetrf_(&n, &n, LU.data(), &n, pivots.data(), &info);
  if (info == 0)
    dgetri_(&n, LU.data(), &n, pivots.data(), work.data(), &work_size, &info);
  // The singular values are larger than this fraction of the largest.
  if (info == 0 &&
      largest_row_sum(matrix) * largest_row_sum(LU) * 100. * negligible_singular_value < 1.) {
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        result[r * m + s] = matrix_scale[r] * LU[r * m + s] * matrix_scale[s];
    return result;
  }
  // LAPACK reads the columns of Sᵀ = U Σ Vᵀ, so that S⁻¹ = U Σ⁻¹ Vᵀ.
  std::vector<double> U(m * m), VT(m * m), singular_value(m);
  dgesvd_("A", "A", &n, &n, matrix.data(), &n, singular_value.data(), U.data(), &n, VT.data(), &n,
          work.data(), &work_size, &info);
  if (info != 0)
    throw std::runtime_error("the singular values of the links were not found");
  for (std::size_t e = 0; e < m; ++e)
    if (singular_value[e] > negligible_singular_value * singular_value[0])
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t s = 0; s < m; ++s)
          result[r * m + s] +=
              matrix_scale[r] * U[e * m + r] / singular_value[e] * VT[s * m + e] * matrix_scale[s];
  return result;
}

void Ties::solve(std::vector<double> &right_side) const {
  const std::size_t m = rows.size();
  std::vector<double> result(m, 0.);
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t s = 0; s < m; ++s)
      result[r] += inverse[r * m + s] * right_side[s];
  right_side = std::move(result);
}

void Ties::start(const double *x) {
  change.assign(rows.size(), 0.);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    change[r] = -rows[r].target;
    for (std::size_t k = 0; k < rows[r].column.size(); ++k)
      change[r] += (are_symmetric() ? rows[r].value : rows[r].left_value)[k] * x[rows[r].column[k]];
  }
  const bool have_laws =
      std::any_of(rows.begin(), rows.end(), [](const TieRow &row) { return row.law.has_value(); });
  if (have_laws)
    start_laws();
  else
    solve(change);
  t = change;
}

/// Returns the product of a matrix, row by row, and a vector, both restricted to some indices.
static std::vector<double> restricted_product(const std::vector<double> &matrix,
                                              const std::vector<unsigned int> &indices,
                                              const std::vector<double> &vector) {
  std::vector<double> product(vector.size(), 0.);
  for (const unsigned int r : indices)
    for (const unsigned int s : indices)
      product[r] += matrix[r * vector.size() + s] * vector[s];
  return product;
}

/// Replaces the values C x − c in `change` by the forces, and finds which rows are held. The exact
/// rows are eliminated first; the forces of held rows are then improved together with theirs, by
/// the inverse for later changes.
void Ties::start_laws() {
  const std::size_t m = rows.size();
  std::vector<unsigned int> lawful, active;
  std::vector<const TieLaw *> laws;
  for (unsigned int r = 0; r < m; ++r)
    if (rows[r].law) {
      lawful.push_back(r);
      laws.push_back(&*rows[r].law);
    } else
      active.push_back(r);
  const std::vector<double> exact_inverse = inverse_of(active);
  const auto S_times = [&](std::size_t r, const std::vector<double> &force) {
    return std::inner_product(force.begin(), force.end(), &S[r * m], 0.);
  };
  const auto exact_forces = [&, exact = active](const std::vector<double> &values) {
    return restricted_product(exact_inverse, exact, values);
  };
  const std::size_t n = lawful.size();
  std::vector<double> W(n * n), g(n);
  const std::vector<double> free_forces = exact_forces(change);
  std::vector<TieLawSize> sizes;
  for (std::size_t k = 0; k < n; ++k) {
    const double reduction = S_times(lawful[k], free_forces);
    g[k] = change[lawful[k]] - reduction;
    sizes.push_back(
        {S[lawful[k] * m + lawful[k]], std::abs(change[lawful[k]]) + std::abs(reduction)});
  }
  for (std::size_t l = 0; l < n; ++l) {
    std::vector<double> column(m);
    for (std::size_t r = 0; r < m; ++r)
      column[r] = S[r * m + lawful[l]];
    const std::vector<double> forces = exact_forces(column);
    for (std::size_t k = 0; k < n; ++k)
      W[k * n + l] = column[lawful[k]] - S_times(lawful[k], forces);
  }
  TieLawForces solution = solve_tie_laws(W, g, laws, sizes);
  std::vector<double> force(m, 0.), rest = change;
  for (std::size_t k = 0; k < n; ++k)
    force[lawful[k]] = solution.t[k];
  for (std::size_t r = 0; r < m; ++r)
    rest[r] = change[r] - S_times(r, force);
  const std::vector<double> balancing = exact_forces(rest);
  for (std::size_t k = 0; k < n; ++k)
    if (solution.status[k] % 2 == 1) {
      active.push_back(lawful[k]);
      change[lawful[k]] -= laws[k]->targets[solution.status[k] / 2];
    }
  std::sort(active.begin(), active.end());
  for (std::size_t r = 0; r < m; ++r)
    force[r] += balancing[r];
  inverse = inverse_of(active);
  compute_response(Y.size() / m);
  std::vector<double> error(m, 0.);
  for (const unsigned int r : active)
    error[r] = change[r] - S_times(r, force);
  solve(error);
  for (std::size_t r = 0; r < m; ++r)
    change[r] = force[r] + error[r];
  all_statuses = std::move(solution.status);
}

void Ties::add(const std::vector<double> &force) {
  const std::size_t m = rows.size();
  std::fill(change.begin(), change.end(), 0.);
  for (std::size_t i = 0; i < force.size(); ++i)
    for (std::size_t r = 0; r < m; ++r)
      change[r] += SinvZ[i * m + r] * force[i];
  for (std::size_t r = 0; r < m; ++r)
    t[r] += change[r];
}

double Ties::displacement(std::size_t user) const {
  double sum = 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    sum -= Y[user * rows.size() + r] * change[r];
  return sum;
}

std::vector<double> Ties::force_on_tied() const {
  std::vector<double> force(n_tied, 0.);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t k = 0; k < rows[r].column.size(); ++k)
      force[rows[r].column[k]] -= rows[r].value[k] * change[r];
  return force;
}

double Ties::reduction_of_compliance(std::size_t i, std::size_t j) const {
  const std::size_t m = rows.size();
  double sum = 0;
  for (std::size_t r = 0; r < m; ++r)
    sum += Y[i * m + r] * SinvZ[j * m + r];
  return sum;
}

} // namespace percussion
