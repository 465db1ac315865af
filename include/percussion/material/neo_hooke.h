#pragma once

#include <percussion/material/energy_excess.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// Compressible neo-Hookean law (J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite
/// Element Analysis, section 6.4.3),
///
///     W(C) = µ/2 (I₁ − 3 − ln I₃) + λ/8 (ln I₃)² ,
///
/// with the invariants of the three-dimensional C, in plane strain: C₃₃ = 1. In plane stress C₃₃
/// has no closed form (it needs Lambert's function). λ < 0 would let the energy fall without bound
/// under compression: the law needs µ > 0 and λ ≥ 0.
struct NeoHooke {
  double lambda, mu; ///< Lamé's constants at small strain [stress]
  static constexpr Plane plane = Plane::strain;

  /// From Young's modulus [stress] and Poisson's ratio at small strain.
  static NeoHooke from_young(double young, double poisson) {
    const auto linear = LinearElastic<2>::from_young(young, poisson, plane);
    return {linear.lambda, linear.mu};
  }

  /// C₃₃.
  double out_of_plane_stretch(const PlaneTensor &) const { return 1.; }

  /// Second Piola–Kirchhoff stress S₃₃ = 2 ∂W/∂C₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return 0.5 * lambda * std::log1p(det_C_minus_1(A));
  }

  /// Stored energy per undeformed volume [stress]: with j = det C − 1, tr A = j − det A, and the
  /// terms of first order cancel.
  double energy(const PlaneTensor &A) const {
    const double j = det_C_minus_1(A), log_det = std::log1p(j);
    return 0.5 * mu * (argument_minus_log1p(j) - determinant(A)) +
           0.125 * lambda * log_det * log_det;
  }

  /// 2 W'(C) = µ (I − C⁻¹) + λ/2 ln I₃ C⁻¹ [stress].
  PlaneTensor stress(const PlaneTensor &A) const {
    const double j = det_C_minus_1(A);
    return (mu * (j * dealii::unit_symmetric_tensor<2>() - cofactor(A)) +
            0.5 * lambda * std::log1p(j) * cofactor_of_C(A)) /
           (1. + j);
  }

  /// 4 W''(C) [stress].
  PlaneTangent tangent(const PlaneTensor &A) const {
    const double j = det_C_minus_1(A), p = 0.5 * lambda * std::log1p(j) - mu;
    const auto inverse = cofactor_of_C(A) / (1. + j);
    // S = µ I + p C⁻¹, dC⁻¹ = d(cof)/det − C⁻¹ (C⁻¹:dC)
    return 2. * p / (1. + j) * cofactor_derivative() +
           (lambda - 2. * p) * outer_product(inverse, inverse);
  }

  /// Of a step about A_m by ΔA [stress].
  [[gnu::always_inline]] inline EnergyExcess excess(const PlaneTensor &A_m,
                                                    const PlaneTensor &dA) const {
    // For L = ln I₃: L₊² − L₋² − 2 L_m L'_m:ΔC = (L₊ + L₋ − 2 L_m)(L₊ − L₋) + 2 L_m (excess of L).
    const LogarithmOfStep log_det(det_C_minus_1(A_m), cofactor_of_C(A_m), 1., dA);
    const auto of_square =
        log_det.curvature() * log_det.rise() + 2. * (log_det.middle() * log_det.excess);
    return -0.5 * mu * log_det.excess + 0.125 * lambda * of_square;
  }
};

} // namespace percussion
