#pragma once

#include <percussion/material/energy_excess.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// Compressible neo-Hookean law (J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite
/// Element Analysis, section 6.4.3),
///   W(C) = µ/2 (I₁ − 3 − ln I₃) + λ/8 (ln I₃)² ,
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
  double out_of_plane_stress(const PlaneTensor &C) const {
    return 0.5 * lambda * std::log(determinant(C));
  }

  /// Stored energy per undeformed volume [stress].
  double energy(const PlaneTensor &C) const {
    const double log_det = std::log(determinant(C));
    return 0.5 * mu * (trace(C) - 2. - log_det) + 0.125 * lambda * log_det * log_det;
  }

  /// 2 W'(C) = µ I + p C⁻¹ [stress].
  PlaneTensor stress(const PlaneTensor &C) const {
    const double det = determinant(C);
    return mu * dealii::unit_symmetric_tensor<2>() + p(det) / det * cofactor(C);
  }

  /// 4 W''(C) [stress].
  PlaneTangent tangent(const PlaneTensor &C) const {
    const double det = determinant(C);
    const auto inverse = cofactor(C) / det;
    // dC⁻¹ = d(cof)/det − C⁻¹ (C⁻¹:dC)
    return 2. * p(det) / det * cofactor_derivative() +
           (lambda - 2. * p(det)) * outer_product(inverse, inverse);
  }

  EnergyExcess excess(const PlaneTensor &C_m, const PlaneTensor &dC) const {
    // For L = ln I₃: L₊² − L₋² − 2 L_m L'_m:ΔC = (L₊ + L₋ − 2 L_m)(L₊ − L₋) + 2 L_m (excess of L).
    const LogarithmOfStep log_det(determinant(C_m), cofactor(C_m), 1., dC);
    const auto of_square =
        log_det.curvature() * log_det.rise() + 2. * (log_det.middle() * log_det.excess);
    return -0.5 * mu * log_det.excess + 0.125 * lambda * of_square;
  }

private:
  /// λ/2 ln I₃ − µ.
  double p(double det) const { return 0.5 * lambda * std::log(det) - mu; }
};

} // namespace percussion
