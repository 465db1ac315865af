#include <percussion/material/invariant_change.h>

namespace percussion {

std::array<double, 2> hyperbolic_sine_ratio(double x) {
  if (std::abs(x) > 1.) {
    const double ratio = 2. * std::sinh(0.5 * x) / x;
    return {ratio, (std::cosh(0.5 * x) - ratio) / x};
  }
  // Σ u^k / (2 k + 1)! with u = x²/4; the terms beyond k = 8 are below round-off.
  const double u = 0.25 * x * x;
  double sum = 0., slope = 0.; // slope by u
  for (int k = 8; k >= 0; --k) {
    // 1/(2 k + 1)! factored: 1 + u/(2·3) (1 + u/(4·5) (1 + …))
    const double factor = 1. / ((2. * k + 2.) * (2. * k + 3.));
    slope = factor * (1. + sum) + factor * u * slope;
    sum = factor * u * (1. + sum);
  }
  return {1. + sum, 0.5 * x * slope};
}

std::array<double, 2> artanh_ratio_minus_1(double y) {
  if (std::abs(y) > 1. / 3.) {
    const double ratio = std::atanh(y) / y;
    return {ratio - 1., (1. / (1. - y * y) - ratio) / y};
  }
  // Σ y^2k / (2 k + 1); the terms beyond k = 17 are below round-off.
  const double square = y * y;
  double sum = 0., slope = 0.; // slope by y², without the powers of y
  for (int k = 17; k >= 1; --k) {
    sum = square * (sum + 1. / (2. * k + 1.));
    slope = slope * square + k / (2. * k + 1.);
  }
  return {sum, 2. * y * slope};
}

} // namespace percussion
