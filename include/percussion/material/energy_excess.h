#pragma once

#include <percussion/material/space_tensor.h>

#include <cmath>

namespace percussion {

/// Number that belongs to a step from C₋ = C_m − ΔC/2 to C₊ = C_m + ΔC/2, and its derivative with
/// respect to C₊ at fixed C₋ (that is dC_m = dC₊/2, dΔC = dC₊). Sums and products carry both.
template <typename Tensor>
struct StepQuantity {
  NumberOf<Tensor> value;
  Tensor derivative;
};

/// Returns a multiple.
template <typename Tensor>
StepQuantity<Tensor> operator*(double factor, const StepQuantity<Tensor> &a) {
  return {factor * a.value, factor * a.derivative};
}

/// Returns a sum.
template <typename Tensor>
StepQuantity<Tensor> operator+(const StepQuantity<Tensor> &a, const StepQuantity<Tensor> &b) {
  return {a.value + b.value, a.derivative + b.derivative};
}

/// Returns a product.
template <typename Tensor>
StepQuantity<Tensor> operator*(const StepQuantity<Tensor> &a, const StepQuantity<Tensor> &b) {
  return {a.value * b.value, a.value * b.derivative + b.value * a.derivative};
}

/// Excess of an energy over its tangent at the middle,
///
///     B = W(C₊) − W(C₋) − W'(C_m) : ΔC .
///
/// It vanishes for every quadratic W and is of third order in ΔC otherwise. A subtraction would
/// lose it to round-off as ΔC → 0; each law computes it from a form without cancellation.
using EnergyExcess = StepQuantity<PlaneTensor>;

/// Returns artanh x − x = x³/3 + x⁵/5 + … to the last digit, for x² ≤ largest_square ≤ 1/9.
template <typename Number>
[[gnu::always_inline]] inline Number artanh_series(const Number &x, double largest_square) {
  constexpr double inverse[] = {1. / 3,  1. / 5,  1. / 7,  1. / 9,  1. / 11, 1. / 13,
                                1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25,
                                1. / 27, 1. / 29, 1. / 31, 1. / 33, 1. / 35};
  const Number x2 = x * x;
  Number sum{};
  if (largest_square <= 1e-4) // most steps are this small
    sum = ((inverse[3] * x2 + inverse[2]) * x2 + inverse[1]) * x2 + inverse[0];
  else
    for (int k = largest_square > 1e-2 ? 16 : 7; k >= 0; --k)
      sum = sum * x2 + inverse[k];
  return sum * x2 * x;
}

/// Returns artanh x − x without cancellation, |x| < 1.
inline double artanh_minus_argument(double x) {
  return std::abs(x) > 1. / 3. ? std::atanh(x) - x : artanh_series(x, x * x);
}

/// Returns artanh x − x of each number.
inline Lanes artanh_minus_argument(const Lanes &x) {
  const double square = largest(x * x);
  if (square > 1. / 9.)
    return for_each_lane([](double y) { return artanh_minus_argument(y); }, x);
  return artanh_series(x, square);
}

/// Excess ln(1 + d + t) − ln(1 + d − t) − 2 t = 2 (artanh x − x) − 2 t d/(1 + d) with x = t/(1 +
/// d), and its derivatives.
template <typename Number>
struct LogarithmExcess {
  Number value, derivative_t, derivative_d;

  /// Requires |t| < 1 + d, so that both logarithms exist. Inlined, the compiler omits results of
  /// it, or of LogarithmOfStep, that a caller does not use: a stress needs no derivatives.
  [[gnu::always_inline]] inline LogarithmExcess(const Number &t, const Number &d) {
    const Number inverse = 1. / (1. + d), x = t * inverse, x2 = x * x;
    value = 2. * (artanh_minus_argument(x) - d * x);
    derivative_t = 2. * (x2 - d * inverse) / (1. - x2);
    derivative_d = -2. * x * inverse / (1. - x2);
  }
};

/// Returns x − ln(1 + x), of second order in x, without cancellation: with y = x/(2 + x), ln(1 + x)
/// = 2 artanh y and x − 2 y = x y.
inline double argument_minus_log1p(double x) {
  if (x < -0.5 || x > 1.)
    return x - std::log1p(x);
  const double y = x / (2. + x);
  return x * y - 2. * artanh_minus_argument(y);
}

/// Change of L = ln Q over a step, for a positive quadratic Q(C) with the second derivative of
/// det_factor · det C, or in 3D for Q = det C. With Q(C±) = Q(C_m) (1 + d ± t) all differences are
/// free of cancellation as ΔC → 0.
template <typename Tensor>
struct LogarithmOfStep {
  using Number = NumberOf<Tensor>;

  Number middle_Q_minus_1; ///< Q(C_m) − 1
  Tensor middle_slope;     ///< Q'(C_m)
  StepQuantity<Tensor> t;  ///< Q'(C_m):ΔC / (2 Q(C_m)), in 3D + det(ΔC/2) / Q(C_m)
  StepQuantity<Tensor> d;  ///< det_factor · det(ΔC/2) / Q(C_m), in 3D C_m:cof(ΔC/2) / Q(C_m)
  StepQuantity<Tensor> slope_rise; ///< L'(C_m):ΔC / 2
  StepQuantity<Tensor> excess;     ///< L₊ − L₋ − L'(C_m):ΔC

  /// Takes Q(C_m) − 1, Q'(C_m), the factor of det C in Q, and ΔC.
  [[gnu::always_inline]] inline LogarithmOfStep(const Number &Q_minus_1, const Tensor &slope,
                                                double det_factor, const Tensor &dC)
      : middle_Q_minus_1(Q_minus_1), middle_slope(slope) {
    const Number half_inverse = 0.5 / (1. + Q_minus_1);
    const Tensor half_bending = 0.5 * det_factor * cofactor(dC); // Q'' ΔC / 2
    t.value = half_inverse * (slope * dC);
    t.derivative = half_inverse * (slope + half_bending - t.value * slope);
    d.value = 0.5 * det_factor * half_inverse * determinant(dC);
    d.derivative = half_inverse * (half_bending - d.value * slope);
    const LogarithmExcess<Number> logarithm(t.value, d.value);
    excess = {logarithm.value,
              logarithm.derivative_t * t.derivative + logarithm.derivative_d * d.derivative};
    slope_rise = t;
  }

  /// Takes A_m = C_m − I and ΔC of a step in 3D, for Q = det C.
  [[gnu::always_inline]] inline LogarithmOfStep(const Tensor &A_m, const Tensor &dC)
      : middle_Q_minus_1(det_C_minus_1(A_m)), middle_slope(cofactor_of_C(A_m)) {
    const Number half_inverse = 0.5 / (1. + middle_Q_minus_1);
    const Tensor half = 0.5 * dC, cubic = cofactor(half);
    const Tensor bending = second_invariant_slope(half) + mixed_cofactor(A_m, half); // C_m × ΔC/2
    slope_rise.value = half_inverse * (middle_slope * dC);
    slope_rise.derivative =
        half_inverse * (middle_slope + bending - slope_rise.value * middle_slope);
    StepQuantity<Tensor> cube; // det(ΔC/2) / Q(C_m)
    cube.value = 2. * half_inverse * determinant(half);
    cube.derivative = half_inverse * (cubic - cube.value * middle_slope);
    t = slope_rise + cube;
    d.value = 2. * half_inverse * (trace(cubic) + A_m * cubic);
    d.derivative = half_inverse * (bending + cubic - d.value * middle_slope);
    const LogarithmExcess<Number> logarithm(t.value, d.value);
    excess = {logarithm.value + 2. * cube.value, logarithm.derivative_t * t.derivative +
                                                     logarithm.derivative_d * d.derivative +
                                                     2. * cube.derivative};
  }

  /// Returns L(C_m).
  StepQuantity<Tensor> middle() const {
    return {log_1_plus(middle_Q_minus_1), 0.5 / (1. + middle_Q_minus_1) * middle_slope};
  }

  /// Returns L₊ − L₋.
  StepQuantity<Tensor> rise() const { return excess + 2. * slope_rise; }

  /// Returns the second difference L(C₊) + L(C₋) − 2 L(C_m) of L = ln Q, with C± = C_m ± ΔC/2. It
  /// equals ln((1 + d)² − t²) with the members d and t, and is of second order in ΔC.
  StepQuantity<Tensor> curvature() const {
    const Number square = d.value * (2. + d.value) - t.value * t.value;
    return {log_1_plus(square),
            2. / (1. + square) * ((1. + d.value) * d.derivative - t.value * t.derivative)};
  }
};

/// Returns the change of ln det C, in 2D and 3D.
template <typename Tensor>
[[gnu::always_inline]] inline LogarithmOfStep<Tensor> logarithm_of_det(const Tensor &A_m,
                                                                       const Tensor &dC) {
  if constexpr (is_spatial<Tensor>)
    return LogarithmOfStep<Tensor>(A_m, dC);
  else
    return LogarithmOfStep<Tensor>(det_C_minus_1(A_m), cofactor_of_C(A_m), 1., dC);
}

} // namespace percussion
