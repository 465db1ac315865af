#include "constraints.h"

#include <algorithm>
#include <cmath>

// Solution of a linear system by LAPACK.
extern "C" void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv,
                       double *b, const int *ldb, int *info);

namespace percussion {
namespace {

/// Smallest pivot of a regular R, relative to its largest entry.
constexpr double least_pivot = 1e-12;

std::string size_of(const Entries &matrix) {
  return std::to_string(matrix.n_rows) + " rows and " + std::to_string(matrix.n_columns) +
         " columns";
}

double largest_of(const std::vector<double> &values) {
  double largest = 0.;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// Computes X from the right-hand sides, in place. Returns false if R is singular.
bool solve(std::size_t n, std::vector<double> R, std::vector<double> &X) {
  const int size = static_cast<int>(n), n_right = static_cast<int>(X.size() / n);
  const double smallest_pivot = least_pivot * largest_of(R);
  std::vector<int> pivots(n);
  int info = 0;
  dgesv_(&size, &n_right, R.data(), &size, pivots.data(), X.data(), &size, &info);
  for (std::size_t k = 0; k < n; ++k)
    if (!(std::abs(R[k * (n + 1)]) > smallest_pivot))
      return false;
  return info == 0;
}

} // namespace

Multipliers read_multipliers(const hdf5::Group &problem, std::size_t n) {
  Multipliers result;
  if (!problem.has_link("V"))
    return result;
  result.V = read_matrix(problem.group("V"));
  const std::size_t p = result.V.n_columns;
  if (p == 0)
    return result;
  if (result.V.n_rows != n)
    problem.fail("V", size_of(result.V), "as many rows as W: " + std::to_string(n));
  const Entries R = read_matrix(problem.group("R"));
  if (R.n_rows != p || R.n_columns != p)
    problem.fail("R", size_of(R),
                 "as many rows and columns as V has columns: " + std::to_string(p));
  std::vector<double> matrix(p * p, 0.);
  for (std::size_t k = 0; k < R.value.size(); ++k)
    matrix[static_cast<std::size_t>(R.column[k]) * p + R.row[k]] += R.value[k];
  result.X.assign(p * n, 0.);
  for (std::size_t k = 0; k < result.V.value.size(); ++k)
    result.X[static_cast<std::size_t>(result.V.row[k]) * p + result.V.column[k]] +=
        result.V.value[k];
  const std::vector<double> s = problem.group("vectors").reals("s", p);
  result.X.insert(result.X.end(), s.begin(), s.end());
  if (!solve(p, std::move(matrix), result.X))
    problem.fail("R", "a singular matrix",
                 "a regular matrix, to eliminate the equality constraints");
  return result;
}

void eliminate(const Multipliers &multipliers, Entries &W, std::vector<double> &q) {
  const Entries &V = multipliers.V;
  const std::size_t n = q.size(), p = V.n_columns;
  std::vector<double> sum(p > 0 ? n * n : 0, 0.); // V R⁻¹ Vᵀ
  for (std::size_t k = 0; k < V.value.size(); ++k) {
    const auto row = static_cast<std::size_t>(V.row[k]);
    const double *X = multipliers.X.data() + V.column[k];
    for (std::size_t column = 0; column < n; ++column)
      sum[row * n + column] += V.value[k] * X[column * p];
    q[row] -= V.value[k] * X[n * p];
  }
  for (std::size_t k = 0; k < sum.size(); ++k)
    if (sum[k] != 0.)
      W.add(k / n, k % n, -sum[k]);
}

std::vector<double> multipliers_of(const Multipliers &multipliers, const std::vector<double> &r) {
  const std::size_t p = multipliers.V.n_columns;
  std::vector<double> lambda(p, 0.);
  for (std::size_t k = 0; k < multipliers.X.size(); ++k)
    lambda[k % p] -= multipliers.X[k] * (k / p < r.size() ? r[k / p] : 1.);
  return lambda;
}

double append_constraints(const hdf5::Group &problem, const Entries &G, Entries &M,
                          std::vector<double> &q) {
  const std::size_t n = M.n_rows;
  if (G.n_columns == 0)
    return 1.;
  if (G.n_rows != n)
    problem.fail("G", size_of(G), "as many rows as M: " + std::to_string(n));
  const double ratio = largest_of(M.value) / largest_of(G.value);
  const double c =
      ratio > 0. && std::isfinite(ratio) ? std::exp2(std::round(std::log2(ratio))) : 1.;
  M.n_rows = M.n_columns = n + G.n_columns;
  for (std::size_t k = 0; k < G.value.size(); ++k) {
    const int multiplier = static_cast<int>(n) + G.column[k];
    M.add(G.row[k], multiplier, -c * G.value[k]);
    M.add(multiplier, G.row[k], -c * G.value[k]);
  }
  for (const double b : problem.group("vectors").reals("b", G.n_columns))
    q.push_back(c * b);
  return c;
}

} // namespace percussion
