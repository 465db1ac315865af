#pragma once

#include <percussion/material/volumetric_energy.h>

namespace percussion {

/// Ciarlet–Geymonat's compressible Ogden law (BBDM24, section 6.2):
///
///     W(C) = C₁ (I₁ − 3) + C₂ (I₂ − 3) + D (I₃ − 1) − K ln I₃ ,   K = C₁ + 2 C₂ + D ,
///
/// with the invariants of the three-dimensional C: in plane strain C₃₃ = 1; in plane stress C₃₃ =
/// K / (C₁ + C₂ tr C + D det C), for which σ₃₃ = 0. Both are stress-free at C = I. At small strain
/// λ = 4 (C₂ + D), µ = 2 (C₁ + C₂). For C₁ > 0, C₂ ≥ 0, D ≥ 0 the law is polyconvex, µ > 0, λ ≥ 0.
struct Ogden {
  double c1, c2, d; ///< C₁, C₂, D [stress]
  Plane plane;

  /// Returns K [stress].
  double k() const { return c1 + 2. * c2 + d; }

  /// Returns D (I₃ − 1 − ln I₃), and the law without it. In plane stress J has no such part.
  SquareLessLogarithm volumetric_part() const { return {d}; }
  Ogden local_part() const { return {c1, c2, 0., plane}; }

  /// Returns C₃₃, the square of the out-of-plane stretch, for the in-plane A = C − I.
  double out_of_plane_stretch(const PlaneTensor &A) const {
    return plane == Plane::strain ? 1. : k() / (k() + planar_part(A));
  }

  /// Returns the second Piola–Kirchhoff stress S₃₃ = 2 ∂W/∂C₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return plane == Plane::strain ? 2. * planar_part(A) : 0.;
  }

  /// Returns the stored energy per undeformed volume [stress]. All terms of first order in A cancel
  /// and are omitted: with j = det C − 1
  ///
  ///     W = K (j − ln(1 + j)) − (C₁ + C₂) I₂(A) − (C₁ + 2 C₂) I₃(A) ,
  ///
  /// with I₂ = det A and I₃ = 0 in 2D; in plane stress less K (q − ln(1 + q)) with 1 + q = 1/C₃₃.
  double energy(const SpaceTensor &A) const {
    return k() * argument_minus_log1p(det_C_minus_1(A)) - (c1 + c2) * second_invariant(A) -
           (c1 + 2. * c2) * determinant(A);
  }
  double energy(const PlaneTensor &A) const {
    double sum = argument_minus_log1p(det_C_minus_1(A));
    if (plane == Plane::stress)
      sum -= argument_minus_log1p(planar_part(A) / k());
    return k() * sum - (c1 + c2) * determinant(A);
  }

  /// Returns 2 W'(C) = 2 [K j/(1 + j) cof C − (C₁ + C₂) I₂'(A) − (C₁ + 2 C₂) cof A] [stress] in 3D,
  /// and 2 [K j/(1 + j) cof C − (C₁ + C₂) cof A + z (C₂ I + D cof C)] in 2D, z = C₃₃ − 1.
  template <typename Tensor>
  Tensor stress(const Tensor &A) const {
    const auto cof = cofactor_of_C(A);
    const auto j = det_C_minus_1(A);
    const Tensor half_stress = k() * j / (1. + j) * cof - (c1 + c2) * second_invariant_slope(A);
    if constexpr (is_spatial<Tensor>)
      return 2. * (half_stress - (c1 + 2. * c2) * cofactor(A));
    else {
      if (plane == Plane::strain)
        return 2. * half_stress;
      const auto z = c33_minus_1(A);
      return 2. * shifted(half_stress + d * z * cof, c2 * z);
    }
  }

  /// Returns 4 W''(C) [stress] in 2D.
  PlaneTangent tangent(const PlaneTensor &A) const {
    const auto cof = cofactor_of_C(A);
    const double det = 1. + det_C_minus_1(A), c33 = out_of_plane_stretch(A);
    // d(1/det) = −cof:dC / det²
    PlaneTangent result = (c2 + d * c33 - k() / det) * cofactor_derivative() +
                          k() / (det * det) * outer_product(cof, cof);
    if (plane == Plane::stress) {
      const auto slope = c2 * dealii::unit_symmetric_tensor<2>() + d * cof; // derivative of K / C₃₃
      result -= c33 * c33 / k() * outer_product(slope, slope);
    }
    return 4. * result;
  }

  /// Returns 4 W''(C) [stress] in 3D.
  SpaceTangent tangent(const SpaceTensor &A) const {
    const auto cof = cofactor_of_C(A);
    const double det = 1. + det_C_minus_1(A);
    return 4. *
           ((c2 + d - k() / det) * second_invariant_curvature<3>() +
            (d - k() / det) * cofactor_derivative(A) + k() / (det * det) * outer_product(cof, cof));
  }

  /// Returns the energy excess of a step about A_m by ΔA [stress].
  template <typename Tensor>
  [[gnu::always_inline]] inline StepQuantity<Tensor> excess(const Tensor &A_m,
                                                            const Tensor &dA) const {
    // All terms except the logarithms are quadratic in C, apart from D det C in 3D; in plane stress
    // ln I₃ = ln det C + ln C₃₃.
    StepQuantity<Tensor> B = -k() * logarithm_of_det(A_m, dA).excess;
    if constexpr (is_spatial<Tensor>)
      return B + d * StepQuantity<Tensor>{0.25 * determinant(dA), 0.25 * cofactor(dA)};
    else if (plane == Plane::stress) {
      const Tensor slope = 1. / k() * shifted(d * cofactor_of_C(A_m), c2);
      B = B + k() * LogarithmOfStep<Tensor>(1. / k() * planar_part(A_m), slope, d / k(), dA).excess;
    }
    return B;
  }

private:
  /// Returns C₂ tr A + D (det C − 1), which equals K / C₃₃ − K in plane stress.
  template <typename Tensor>
  NumberOf<Tensor> planar_part(const Tensor &A) const {
    return c2 * trace(A) + d * det_C_minus_1(A);
  }
  /// Returns C₃₃ − 1 in plane stress.
  template <typename Tensor>
  NumberOf<Tensor> c33_minus_1(const Tensor &A) const {
    return -planar_part(A) / (k() + planar_part(A));
  }
};

} // namespace percussion
