#pragma once

#include <deal.II/lac/vector.h>

namespace percussion {

/// Vector over all degrees of freedom, whole on each process.
using Vector = dealii::Vector<double>;

/// Returns a sum over n entries: f(i, sum) adds the terms of entry i.
template <typename Function>
double sum_over(unsigned int n, const Function &f) {
  double sum = 0;
  for (unsigned int i = 0; i < n; ++i)
    f(i, sum);
  return sum;
}

/// Computes z = a x + b y.
void combine(double a, const Vector &x, double b, const Vector &y, Vector &z);

/// Returns x · y of n entries, by four independent sums.
double dot(const double *x, const double *y, unsigned int n);
/// Returns x · y of n entries, added up in double precision.
double dot(const float *x, const float *y, unsigned int n);
/// Returns x · y.
inline double dot(const Vector &x, const Vector &y) { return dot(x.data(), y.data(), x.size()); }

} // namespace percussion
