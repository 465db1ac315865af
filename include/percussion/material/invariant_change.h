#pragma once

#include <percussion/material/energy_excess.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {

/// Function g(C) over a step from C₀ to C₁, with a symmetric gradient D for which
///
///     D : ΔC = g(C₁) − g(C₀)   exactly,
///
/// and which equals g'(C) if both ends are C. Sums, products and functions of functions have such
/// gradients by the rules below, whose quotients have closed forms: none divides by a change, so
/// that no step is too small. All rules are symmetric in both ends, hence of second order.
template <typename Tensor, bool has_tangent>
struct InvariantChange {
  NumberOf<Tensor> start, end; ///< g(C₀), g(C₁)
  Tensor gradient;             ///< D
};

/// The same with derivatives by C₁ at fixed C₀.
template <int dim>
struct InvariantChange<dealii::SymmetricTensor<2, dim>, true> {
  double start, end;
  dealii::SymmetricTensor<2, dim> gradient;
  dealii::SymmetricTensor<2, dim> end_slope;      ///< g'(C₁)
  dealii::SymmetricTensor<4, dim> gradient_slope; ///< dD/dC₁
};

/// Function φ(x) of one number over a step from x₀ to x₁.
template <typename Number>
struct FunctionChange {
  Number start, end; ///< φ(x₀), φ(x₁)
  Number quotient;   ///< (φ(x₁) − φ(x₀)) / (x₁ − x₀)
  Number slope;      ///< derivative of the quotient by x₁
  Number end_slope;  ///< φ'(x₁)
};

/// Returns a multiple.
template <typename Number>
FunctionChange<Number> scaled(double factor, const FunctionChange<Number> &phi) {
  return {factor * phi.start, factor * phi.end, factor * phi.quotient, factor * phi.slope,
          factor * phi.end_slope};
}

/// Returns a sum.
template <typename Number>
FunctionChange<Number> sum(const FunctionChange<Number> &phi, const FunctionChange<Number> &psi) {
  return {phi.start + psi.start, phi.end + psi.end, phi.quotient + psi.quotient,
          phi.slope + psi.slope, phi.end_slope + psi.end_slope};
}

/// Returns φ(ψ(x)).
template <typename Number>
FunctionChange<Number> compose(const FunctionChange<Number> &phi,
                               const FunctionChange<Number> &psi) {
  return {phi.start, phi.end, phi.quotient * psi.quotient,
          phi.slope * psi.end_slope * psi.quotient + phi.quotient * psi.slope,
          phi.end_slope * psi.end_slope};
}

/// Returns φ(g): its gradient is the quotient of φ times D.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> compose(const FunctionChange<NumberOf<Tensor>> &phi,
                                             const InvariantChange<Tensor, has_tangent> &g) {
  InvariantChange<Tensor, has_tangent> result;
  result.start = phi.start;
  result.end = phi.end;
  result.gradient = phi.quotient * g.gradient;
  if constexpr (has_tangent) {
    result.end_slope = phi.end_slope * g.end_slope;
    result.gradient_slope =
        phi.quotient * g.gradient_slope + outer_product(phi.slope * g.gradient, g.end_slope);
  }
  return result;
}

/// Returns a product; D is the mean of each factor times the gradient of the other.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> operator*(const InvariantChange<Tensor, has_tangent> &f,
                                               const InvariantChange<Tensor, has_tangent> &g) {
  const auto f_mean = 0.5 * (f.start + f.end), g_mean = 0.5 * (g.start + g.end);
  InvariantChange<Tensor, has_tangent> result;
  result.start = f.start * g.start;
  result.end = f.end * g.end;
  result.gradient = f_mean * g.gradient + g_mean * f.gradient;
  if constexpr (has_tangent) {
    result.end_slope = f.end * g.end_slope + g.end * f.end_slope;
    result.gradient_slope = f_mean * g.gradient_slope + g_mean * f.gradient_slope +
                            outer_product(0.5 * g.gradient, f.end_slope) +
                            outer_product(0.5 * f.gradient, g.end_slope);
  }
  return result;
}

/// Returns a multiple.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> operator*(double factor,
                                               const InvariantChange<Tensor, has_tangent> &g) {
  InvariantChange<Tensor, has_tangent> result;
  result.start = factor * g.start;
  result.end = factor * g.end;
  result.gradient = factor * g.gradient;
  if constexpr (has_tangent) {
    result.end_slope = factor * g.end_slope;
    result.gradient_slope = factor * g.gradient_slope;
  }
  return result;
}

/// Returns a sum.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> operator+(const InvariantChange<Tensor, has_tangent> &f,
                                               const InvariantChange<Tensor, has_tangent> &g) {
  InvariantChange<Tensor, has_tangent> result;
  result.start = f.start + g.start;
  result.end = f.end + g.end;
  result.gradient = f.gradient + g.gradient;
  if constexpr (has_tangent) {
    result.end_slope = f.end_slope + g.end_slope;
    result.gradient_slope = f.gradient_slope + g.gradient_slope;
  }
  return result;
}

/// Returns a difference.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> operator-(const InvariantChange<Tensor, has_tangent> &f,
                                               const InvariantChange<Tensor, has_tangent> &g) {
  return f + -1. * g;
}

/// Returns the change of x²; its quotient is x₀ + x₁.
template <typename Number>
FunctionChange<Number> square(const Number &x0, const Number &x1) {
  return {x0 * x0, x1 * x1, x0 + x1, Number{} + 1., 2. * x1};
}

/// Returns the change of 1/(1 + x).
template <typename Number>
FunctionChange<Number> reciprocal_of_1_plus(const Number &x0, const Number &x1) {
  const Number start = 1. / (1. + x0), end = 1. / (1. + x1), quotient = -start * end;
  return {start, end, quotient, -quotient * end, -end * end};
}

/// Returns the change of √(1 + x) − 1; its quotient is 1/(√(1 + x₀) + √(1 + x₁)).
template <typename Number>
FunctionChange<Number> root_minus_1(const Number &x0, const Number &x1) {
  const auto square_root = [](double x) { return std::sqrt(x); };
  const Number root0 = map(square_root, 1. + x0), root1 = map(square_root, 1. + x1);
  const Number quotient = 1. / (root0 + root1), end_slope = 0.5 / root1;
  return {x0 / (1. + root0), x1 / (1. + root1), quotient, -quotient * quotient * end_slope,
          end_slope};
}

/// Returns the change of ∛(1 + x) − 1; its quotient is 1/(y₀² + y₀ y₁ + y₁²) with the roots y.
template <typename Number>
FunctionChange<Number> cube_root_minus_1(const Number &x0, const Number &x1) {
  const auto cube_root = [](double x) { return std::cbrt(x); };
  const Number y0 = map(cube_root, 1. + x0), y1 = map(cube_root, 1. + x1);
  const Number quotient = 1. / (y0 * y0 + y0 * y1 + y1 * y1), end_slope = 1. / (3. * y1 * y1);
  return {x0 / (1. + y0 + y0 * y0), x1 / (1. + y1 + y1 * y1), quotient,
          -quotient * quotient * (y0 + 2. * y1) * end_slope, end_slope};
}

/// Returns artanh(y)/y − 1 without cancellation, |y| < 1, and its derivative.
std::array<double, 2> artanh_ratio_minus_1(double y);

/// Returns the change of x − ln(1 + x). With s = 2 + x₀ + x₁ and y = (x₁ − x₀)/s, its quotient is
/// (x₀ + x₁ − 2 r)/s, r = artanh(y)/y − 1.
template <typename Number>
FunctionChange<Number> argument_minus_log1p(const Number &x0, const Number &x1) {
  const Number inverse = 1. / (2. + (x0 + x1)), y = inverse * (x1 - x0);
  const Number r = map([](double ratio) { return artanh_ratio_minus_1(ratio)[0]; }, y),
               r_slope = map([](double ratio) { return artanh_ratio_minus_1(ratio)[1]; }, y);
  const Number quotient = inverse * (x0 + x1 - 2. * r);
  const auto value = [](double x) { return argument_minus_log1p(x); };
  return {map(value, x0), map(value, x1), quotient,
          inverse * (1. - 2. * inverse * r_slope * (1. - y) - quotient), x1 / (1. + x1)};
}

/// Returns the change of ln(1 + x).
template <typename Number>
FunctionChange<Number> logarithm_of_1_plus(const Number &x0, const Number &x1) {
  const FunctionChange<Number> rest = argument_minus_log1p(x0, x1);
  return {log_1_plus(x0), log_1_plus(x1), 1. - rest.quotient, -rest.slope, 1. / (1. + x1)};
}

/// Returns the change of c₁ x + c₂ x² + … + c_n xⁿ by Horner's rule, whose quotients are sums of
/// products of x₀ and x₁.
template <std::size_t n, typename Number>
FunctionChange<Number> polynomial(const std::array<double, n> &c, const Number &x0,
                                  const Number &x1) {
  // With p = c_k + x r, p[x₀, x₁] = r(x₁) + x₀ r[x₀, x₁], and its derivative by x₁ is r'(x₁) + …
  const Number zero{};
  FunctionChange<Number> r{zero, zero, zero, zero, zero};
  const auto multiply_by_x = [&] {
    r = {x0 * r.start, x1 * r.end, r.end + x0 * r.quotient, r.end_slope + x0 * r.slope,
         r.end + x1 * r.end_slope};
  };
  for (std::size_t k = n; k-- > 0;) {
    r.start = r.start + c[k];
    r.end = r.end + c[k];
    multiply_by_x();
  }
  return r;
}

/// Returns the change of the positive part; its quotient is between 0 and 1.
template <typename Number>
FunctionChange<Number> positive_part(const Number &x0, const Number &x1) {
  const Number zero{}, one = zero + 1.;
  const Number start = x0 > 0. ? x0 : zero, end = x1 > 0. ? x1 : zero;
  const Number is_positive = x1 > 0. ? one : zero, was_positive = x0 > 0. ? one : zero;
  const Number divisor = is_positive != was_positive ? x1 - x0 : one;
  const Number quotient = is_positive != was_positive ? (end - start) / divisor : is_positive;
  return {start, end, quotient, (is_positive - quotient) / divisor, is_positive};
}

/// Largest exponent of exponential_minus_1(): larger ones are replaced by it, so that neither
/// energies nor squares of stresses overflow; a law refuses such deformations.
constexpr double largest_exponent = 300.;

/// Returns sinh(x/2)/(x/2), the mean of eˣ over [−½, ½] scaled by x, and its derivative.
std::array<double, 2> hyperbolic_sine_ratio(double x);

/// Returns the change of exp(k x) − 1 for k x ≤ largest_exponent: its quotient is k times the mean
/// exponential, exp(k (x₀ + x₁)/2) sinh(y)/y with y = k (x₁ − x₀)/2.
template <typename Number>
FunctionChange<Number> exponential_minus_1(double k, const Number &x0, const Number &x1) {
  const auto limited = [](double y) { return std::min(y, largest_exponent); };
  const Number y0 = map(limited, k * x0), y1 = map(limited, k * x1), difference = y1 - y0;
  const Number mean = map([](double y) { return std::exp(y); }, 0.5 * (y0 + y1));
  const Number ratio = map([](double y) { return hyperbolic_sine_ratio(y)[0]; }, difference),
               ratio_slope = map([](double y) { return hyperbolic_sine_ratio(y)[1]; }, difference);
  const auto expm1 = [](double y) { return std::expm1(y); };
  const Number end = map(expm1, y1);
  return {map(expm1, y0), end, k * mean * ratio, k * k * mean * (0.5 * ratio + ratio_slope),
          k * (1. + end)};
}

} // namespace percussion
