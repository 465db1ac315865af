#pragma once

#include <percussion/material/plane.h>

#include <cmath>

namespace percussion {

/// A function of a step from C₋ = C_m − ΔC/2 to C₊ = C_m + ΔC/2, and its derivative with
/// respect to C₊ at fixed C₋ (that is dC_m = dC₊/2, dΔC = dC₊). Sums and products propagate both.
struct StepQuantity {
  double value;
  PlaneTensor derivative;
};

/// A multiple.
inline StepQuantity operator*(double factor, const StepQuantity &a) {
  return {factor * a.value, factor * a.derivative};
}

/// A sum.
inline StepQuantity operator+(const StepQuantity &a, const StepQuantity &b) {
  return {a.value + b.value, a.derivative + b.derivative};
}

/// A product.
inline StepQuantity operator*(const StepQuantity &a, const StepQuantity &b) {
  return {a.value * b.value, a.value * b.derivative + b.value * a.derivative};
}

/// The excess of an energy over its tangent at the middle,
///
///     B = W(C₊) − W(C₋) − W'(C_m) : ΔC ,
///
/// vanishes for every quadratic W and is of third order in ΔC otherwise. Subtraction would lose it
/// to round-off as ΔC → 0; each law provides a form without cancellation.
using EnergyExcess = StepQuantity;

/// ln(1 + d + t) − ln(1 + d − t) − 2 t = 2 (artanh x − x) − 2 t d/(1 + d) with x = t/(1 + d), and
/// its derivatives.
struct LogarithmExcess {
  double value, by_t, by_d;

  /// For |t| < 1 + d, where both logarithms exist. Inlined, what a caller does not use of it, or of
  /// LogarithmOfStep, is not computed: a stress needs no derivatives.
  [[gnu::always_inline]] inline LogarithmExcess(double t, double d) {
    const double x = t / (1. + d), x2 = x * x;
    value = 2. * artanh_minus_argument(x) - 2. * t * d / (1. + d);
    by_t = 2. * (x2 * (1. + d) - d) / ((1. - x2) * (1. + d));
    by_d = -2. * t / ((1. - x2) * (1. + d) * (1. + d));
  }

  /// artanh x − x without cancellation, |x| < 1.
  static double artanh_minus_argument(double x) {
    const double size = std::abs(x);
    if (size > 1. / 3.)
      return std::atanh(x) - x;
    // x³/3 + x⁵/5 + …, to the last digit
    constexpr double inverse[] = {1. / 3,  1. / 5,  1. / 7,  1. / 9,  1. / 11, 1. / 13,
                                  1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25,
                                  1. / 27, 1. / 29, 1. / 31, 1. / 33, 1. / 35};
    const double x2 = x * x;
    double sum = 0;
    for (int k = size > 0.1 ? 16 : size > 0.01 ? 7 : 3; k >= 0; --k)
      sum = sum * x2 + inverse[k];
    return sum * x2 * x;
  }
};

/// x − ln(1 + x), of second order in x, without cancellation: with y = x/(2 + x),
/// ln(1 + x) = 2 artanh y and x − 2 y = x y.
inline double argument_minus_log1p(double x) {
  if (x < -0.5 || x > 1.)
    return x - std::log1p(x);
  const double y = x / (2. + x);
  return x * y - 2. * LogarithmExcess::artanh_minus_argument(y);
}

/// L = ln Q over a step, for a positive quadratic Q(C) whose second derivative is that of
/// det_factor · det C. With Q(C±) = Q(C_m) (1 + d ± t) all differences are free of cancellation as
/// ΔC → 0.
struct LogarithmOfStep {
  double middle_Q_minus_1;  ///< Q(C_m) − 1
  PlaneTensor middle_slope; ///< Q'(C_m)
  StepQuantity t;           ///< Q'(C_m):ΔC / (2 Q(C_m))
  StepQuantity d;           ///< det_factor · det(ΔC/2) / Q(C_m)
  StepQuantity excess;      ///< L₊ − L₋ − L'(C_m):ΔC

  /// From Q(C_m) − 1, Q'(C_m), the factor of det C in Q, and ΔC.
  [[gnu::always_inline]] inline LogarithmOfStep(double Q_minus_1, const PlaneTensor &slope,
                                                double det_factor, const PlaneTensor &dC)
      : middle_Q_minus_1(Q_minus_1), middle_slope(slope) {
    const double Q = 1. + Q_minus_1;
    const auto bending = det_factor * cofactor(dC); // Q'' ΔC
    t.value = (slope * dC) / (2. * Q);
    t.derivative = (slope + 0.5 * bending - t.value * slope) / (2. * Q);
    d.value = det_factor * determinant(dC) / (4. * Q);
    d.derivative = (0.5 * bending - d.value * slope) / (2. * Q);
    const LogarithmExcess logarithm(t.value, d.value);
    excess = {logarithm.value, logarithm.by_t * t.derivative + logarithm.by_d * d.derivative};
  }

  /// L(C_m).
  StepQuantity middle() const {
    return {std::log1p(middle_Q_minus_1), middle_slope / (2. * (1. + middle_Q_minus_1))};
  }

  /// L₊ − L₋.
  StepQuantity rise() const { return excess + 2. * t; }

  /// L₊ + L₋ − 2 L(C_m) = ln((1 + d)² − t²), of second order in ΔC.
  StepQuantity curvature() const {
    const double square = d.value * (2. + d.value) - t.value * t.value;
    return {std::log1p(square),
            2. / (1. + square) * ((1. + d.value) * d.derivative - t.value * t.derivative)};
  }
};

} // namespace percussion
