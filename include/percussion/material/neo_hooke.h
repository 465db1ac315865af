#pragma once

#include <percussion/material/energy_excess.h>
#include <percussion/material/linear_elastic.h>
#include <percussion/material/volumetric_energy.h>

namespace percussion {

/// Compressible neo-Hookean law (J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite
/// Element Analysis, section 6.4.3),
///
///     W(C) = µ/2 (I₁ − 3 − ln I₃) + λ/8 (ln I₃)² ,
///
/// with the invariants of the three-dimensional C; in plane strain C₃₃ = 1. In plane stress C₃₃
/// has no closed form (it needs Lambert's function). λ < 0 would let the energy fall without bound
/// under compression: the law needs µ > 0 and λ ≥ 0.
struct NeoHooke {
  double lambda, mu; ///< Lamé's constants at small strain [stress]
  static constexpr Plane plane = Plane::strain;

  /// Returns the law for Young's modulus [stress] and Poisson's ratio at small strain.
  static NeoHooke from_young(double young, double poisson) {
    const auto linear = LinearElastic<2>::from_young(young, poisson, plane);
    return {linear.lambda, linear.mu};
  }

  /// Returns λ/8 (ln I₃)² = λ/2 (ln J)², and the law without it.
  SquareOfLogarithm volumetric_part() const { return {lambda}; }
  NeoHooke local_part() const { return {0., mu}; }

  /// Returns C₃₃.
  double out_of_plane_stretch(const PlaneTensor &) const { return 1.; }

  /// Returns the second Piola–Kirchhoff stress S₃₃ = 2 ∂W/∂C₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return 0.5 * lambda * std::log1p(det_C_minus_1(A));
  }

  /// Returns the stored energy per undeformed volume [stress]: with j = det C − 1, tr A = j − I₂(A)
  /// − I₃(A) (in 2D I₂ = det A, I₃ = 0), and the terms of first order cancel.
  template <int dim>
  double energy(const dealii::SymmetricTensor<2, dim> &A) const {
    const double j = det_C_minus_1(A), log_det = std::log1p(j);
    const double third = dim == 3 ? determinant(A) : 0.;
    return 0.5 * mu * (argument_minus_log1p(j) - second_invariant(A) - third) +
           0.125 * lambda * log_det * log_det;
  }

  /// Returns 2 W'(C) = µ (I − C⁻¹) + λ/2 ln I₃ C⁻¹ [stress].
  template <typename Tensor>
  Tensor stress(const Tensor &A) const {
    const auto j = det_C_minus_1(A);
    Tensor cof = second_invariant_slope(A); // cofactor of C, less I
    if constexpr (is_spatial<Tensor>)
      cof = cof + cofactor(A);
    return 1. / (1. + j) *
           (shifted(0.5 * lambda * log_1_plus(j) * cofactor_of_C(A) - mu * cof, mu * j));
  }

  /// Returns 4 W''(C) [stress].
  template <int dim>
  dealii::SymmetricTensor<4, dim> tangent(const dealii::SymmetricTensor<2, dim> &A) const {
    const double j = det_C_minus_1(A), p = 0.5 * lambda * std::log1p(j) - mu;
    const auto inverse = cofactor_of_C(A) / (1. + j);
    auto cofactor_curvature = second_invariant_curvature<dim>();
    if constexpr (dim == 3)
      cofactor_curvature += cofactor_derivative(A);
    // S = µ I + p C⁻¹, dC⁻¹ = d(cof)/det − C⁻¹ (C⁻¹:dC)
    return 2. * p / (1. + j) * cofactor_curvature +
           (lambda - 2. * p) * outer_product(inverse, inverse);
  }

  /// Returns the energy excess of a step about A_m by ΔA [stress].
  template <typename Tensor>
  [[gnu::always_inline]] inline StepQuantity<Tensor> excess(const Tensor &A_m,
                                                            const Tensor &dA) const {
    // For L = ln I₃: L₊² − L₋² − 2 L_m L'_m:ΔC = (L₊ + L₋ − 2 L_m)(L₊ − L₋) + 2 L_m (excess of L).
    const LogarithmOfStep<Tensor> log_det = logarithm_of_det(A_m, dA);
    const auto square_excess =
        log_det.curvature() * log_det.rise() + 2. * (log_det.middle() * log_det.excess);
    return -0.5 * mu * log_det.excess + 0.125 * lambda * square_excess;
  }
};

} // namespace percussion
