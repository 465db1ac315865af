#include <percussion/algebra/ties.h>

#include "blas.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percussion {

void Ties::set(std::vector<TieRow> new_rows, std::size_t n) {
  rows = std::move(new_rows);
  n_tied = n;
  ++n_sets;
  prepared = 0;
}

/// Computes S⁻¹ by the eigenvalues of S, scaled to a unit diagonal; eigenvalues of the size of
/// round-off are omitted.
void Ties::factorise(std::size_t n_users) {
  const std::size_t m = rows.size();
  std::vector<double> S(m * m, 0.), scale(m);
  const double *const tied_values = Y.data() + (n_users - n_tied) * m;
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t k = 0; k < rows[r].column.size(); ++k)
      for (std::size_t s = 0; s < m; ++s)
        S[r * m + s] += rows[r].value[k] * tied_values[rows[r].column[k] * m + s];
    S[r * m + r] += rows[r].compliance;
    scale[r] = S[r * m + r] > 0. ? 1. / std::sqrt(S[r * m + r]) : 0.;
  }
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t s = 0; s < m; ++s)
      S[r * m + s] *= scale[r] * scale[s];
  const int n = static_cast<int>(m), work_size = 34 * n;
  int info = 0;
  std::vector<double> eigenvalue(m), work(static_cast<std::size_t>(work_size));
  dsyev_("V", "U", &n, S.data(), &n, eigenvalue.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw std::runtime_error("the eigenvalues of the links were not found");
  constexpr double negligible = 1e-12;
  inverse.assign(m * m, 0.);
  for (std::size_t e = 0; e < m; ++e)
    if (eigenvalue[e] > negligible * eigenvalue.back())
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t s = 0; s < m; ++s)
          inverse[r * m + s] += scale[r] * S[e * m + r] * scale[s] * S[e * m + s] / eigenvalue[e];
  SinvY.assign(Y.size(), 0.);
  for (std::size_t i = 0; i < n_users; ++i)
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        SinvY[i * m + r] += inverse[r * m + s] * Y[i * m + s];
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
      change[r] += rows[r].value[k] * x[rows[r].column[k]];
  }
  solve(change);
  t = change;
}

void Ties::add(const std::vector<double> &force) {
  const std::size_t m = rows.size();
  std::fill(change.begin(), change.end(), 0.);
  for (std::size_t i = 0; i < force.size(); ++i)
    for (std::size_t r = 0; r < m; ++r)
      change[r] += SinvY[i * m + r] * force[i];
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
    sum += Y[i * m + r] * SinvY[j * m + r];
  return sum;
}

} // namespace percussion
