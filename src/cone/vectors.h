#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

/// Products, norms and other operations on vectors of all contacts.
namespace percussion {

/// Sums in eight parts, which are independent and can be added in parallel.
inline double dot(const double *x, const double *y, std::size_t n) {
  double sum[8] = {0., 0., 0., 0., 0., 0., 0., 0.};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (std::size_t l = 0; l < 8; ++l)
      sum[l] += x[k + l] * y[k + l];
  for (; k < n; ++k)
    sum[0] += x[k] * y[k];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

inline double dot(const std::vector<double> &x, const std::vector<double> &y) {
  return dot(x.data(), y.data(), x.size());
}

inline double norm(const std::vector<double> &x) { return std::sqrt(dot(x, x)); }

/// Sums in the order of the entries.
inline double plain_norm(const double *x, std::size_t n) {
  double square = 0.;
  for (std::size_t k = 0; k < n; ++k)
    square += x[k] * x[k];
  return std::sqrt(square);
}

inline double plain_norm(const std::vector<double> &x) { return plain_norm(x.data(), x.size()); }

/// Returns the largest magnitude; 0 without entries.
inline double largest_of(const std::vector<double> &x) {
  double largest = 0.;
  for (const double entry : x)
    largest = std::max(largest, std::abs(entry));
  return largest;
}

inline bool all_finite(const std::vector<double> &x) {
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

inline void scale(double factor, std::vector<double> &x) {
  for (double &entry : x)
    entry *= factor;
}

inline bool vanishes(const std::vector<double> &x) {
  return std::all_of(x.begin(), x.end(), [](double entry) { return entry == 0.; });
}

/// Returns true if the natural map of p, of this residual, is at most `factor` times both q and p:
/// a criterion that does not depend on units.
inline bool is_small(const std::vector<double> &q, const std::vector<double> &p, double residual,
                     double factor) {
  const double size = norm(q);
  return residual * (1. + size) <= factor * std::min(size, norm(p));
}

} // namespace percussion
