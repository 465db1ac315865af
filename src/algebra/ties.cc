#include <percussion/algebra/ties.h>

#include "blas.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percussion {

void Ties::set(std::vector<TieRow> new_rows, std::size_t n, double negligible_value) {
  rows = std::move(new_rows);
  n_tied = n;
  negligible_singular_value = negligible_value;
  ++n_sets;
  prepared = 0;
}

/// Computes S⁻¹, scaled to a unit diagonal.
void Ties::factorise(std::size_t n_users) {
  const std::size_t m = rows.size();
  std::vector<double> S(m * m, 0.), scale(m);
  const double *const tied_values = Y.data() + (n_users - n_tied) * m;
  for (std::size_t r = 0; r < m; ++r) {
    const std::vector<double> &row_of_C = are_symmetric() ? rows[r].value : rows[r].left_value;
    for (std::size_t k = 0; k < rows[r].column.size(); ++k)
      for (std::size_t s = 0; s < m; ++s)
        S[r * m + s] += row_of_C[k] * tied_values[rows[r].column[k] * m + s];
    S[r * m + r] += rows[r].compliance;
    scale[r] = S[r * m + r] > 0. ? 1. / std::sqrt(S[r * m + r]) : 0.;
  }
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t s = 0; s < m; ++s)
      S[r * m + s] *= scale[r] * scale[s];
  inverse.assign(m * m, 0.);
  if (are_symmetric())
    invert_symmetric(S, scale);
  else
    invert_general(S, scale);
  const std::vector<double> &C_compliance = are_symmetric() ? Y : Z;
  SinvZ.assign(C_compliance.size(), 0.);
  for (std::size_t i = 0; i < n_users; ++i)
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        SinvZ[i * m + r] += inverse[r * m + s] * C_compliance[i * m + s];
}

/// Computes the inverse by the eigenvalues of S; eigenvalues of the size of round-off are omitted.
void Ties::invert_symmetric(std::vector<double> &S, const std::vector<double> &scale) {
  const std::size_t m = rows.size();
  const int n = static_cast<int>(m), work_size = 34 * n;
  int info = 0;
  std::vector<double> eigenvalue(m), work(static_cast<std::size_t>(work_size));
  dsyev_("V", "U", &n, S.data(), &n, eigenvalue.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw std::runtime_error("the eigenvalues of the links were not found");
  for (std::size_t e = 0; e < m; ++e)
    if (eigenvalue[e] > negligible * eigenvalue.back())
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t s = 0; s < m; ++s)
          inverse[r * m + s] += scale[r] * S[e * m + r] * scale[s] * S[e * m + s] / eigenvalue[e];
}

/// Computes the inverse by LU factors, or by the singular values if some may be negligible.
void Ties::invert_general(std::vector<double> &S, const std::vector<double> &scale) {
  const std::size_t m = rows.size();
  const int n = static_cast<int>(m), work_size = 64 * n;
  int info = 0;
  std::vector<int> pivots(m);
  std::vector<double> work(static_cast<std::size_t>(work_size)), LU = S;
  const auto largest_row_sum = [&](const std::vector<double> &matrix) {
    double largest = 0;
    for (std::size_t r = 0; r < m; ++r) {
      double sum = 0;
      for (std::size_t s = 0; s < m; ++s)
        sum += std::abs(matrix[r * m + s]);
      largest = std::max(largest, sum);
    }
    return largest;
  };
  dgetrf_(&n, &n, LU.data(), &n, pivots.data(), &info);
  if (info == 0)
    dgetri_(&n, LU.data(), &n, pivots.data(), work.data(), &work_size, &info);
  // The singular values are larger than this fraction of the largest.
  if (info == 0 &&
      largest_row_sum(S) * largest_row_sum(LU) * 100. * negligible_singular_value < 1.) {
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        inverse[r * m + s] = scale[r] * LU[r * m + s] * scale[s];
    return;
  }
  // LAPACK reads the columns of Sᵀ = U Σ Vᵀ, so that S⁻¹ = U Σ⁻¹ Vᵀ.
  std::vector<double> U(m * m), VT(m * m), singular_value(m);
  dgesvd_("A", "A", &n, &n, S.data(), &n, singular_value.data(), U.data(), &n, VT.data(), &n,
          work.data(), &work_size, &info);
  if (info != 0)
    throw std::runtime_error("the singular values of the links were not found");
  for (std::size_t e = 0; e < m; ++e)
    if (singular_value[e] > negligible_singular_value * singular_value[0])
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t s = 0; s < m; ++s)
          inverse[r * m + s] +=
              scale[r] * U[e * m + r] / singular_value[e] * VT[s * m + e] * scale[s];
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
  solve(change);
  t = change;
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
