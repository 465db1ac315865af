#pragma once

#include <percussion/material/energy_excess.h>

namespace percussion {

/// Ciarlet–Geymonat's compressible Ogden law (BBDM24, section 6.2):
///   W(C) = C₁ (I₁ − 3) + C₂ (I₂ − 3) + D (I₃ − 1) − K ln I₃ ,   K = C₁ + 2 C₂ + D ,
/// with the invariants of the three-dimensional C: in plane strain C₃₃ = 1; in plane stress C₃₃ =
/// K / (C₁ + C₂ tr C + D det C), for which σ₃₃ = 0. Both are stress-free at C = I. At small strain
/// λ = 4 (C₂ + D), µ = 2 (C₁ + C₂). For C₁ > 0, C₂ ≥ 0, D ≥ 0 the law is polyconvex, µ > 0, λ ≥ 0.
struct Ogden {
  double c1, c2, d; ///< C₁, C₂, D [stress]
  Plane plane;

  double k() const { return c1 + 2. * c2 + d; }

  /// C₃₃.
  double out_of_plane_stretch(const PlaneTensor &C) const {
    return plane == Plane::strain ? 1. : k() / k_over_c33(C);
  }

  /// Second Piola–Kirchhoff stress S₃₃ = 2 ∂W/∂C₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &C) const {
    return 2. * (k_over_c33(C) - k() / out_of_plane_stretch(C));
  }

  /// Stored energy per undeformed volume [stress].
  double energy(const PlaneTensor &C) const {
    const double tr = trace(C), det = determinant(C), c33 = out_of_plane_stretch(C);
    return c1 * (tr + c33 - 3.) + c2 * (c33 * tr + det - 3.) + d * (c33 * det - 1.) -
           k() * std::log(c33 * det);
  }

  /// 2 W'(C) [stress].
  PlaneTensor stress(const PlaneTensor &C) const {
    const auto identity = dealii::unit_symmetric_tensor<2>();
    const double c33 = out_of_plane_stretch(C);
    return 2. * ((c1 + c2 * c33) * identity + (c2 + d * c33 - k() / determinant(C)) * cofactor(C));
  }

  /// 4 W''(C) [stress].
  PlaneTangent tangent(const PlaneTensor &C) const {
    const auto cof = cofactor(C);
    const double det = determinant(C), c33 = out_of_plane_stretch(C);
    // d(1/det) = −cof:dC / det²
    PlaneTangent result = (c2 + d * c33 - k() / det) * cofactor_derivative() +
                          k() / (det * det) * outer_product(cof, cof);
    if (plane == Plane::stress) {
      const auto slope = k_over_c33_slope(C);
      result -= c33 * c33 / k() * outer_product(slope, slope);
    }
    return 4. * result;
  }

  EnergyExcess excess(const PlaneTensor &C_m, const PlaneTensor &dC) const {
    // All terms but the logarithms are quadratic in C; in plane stress ln I₃ = ln det C + ln C₃₃.
    EnergyExcess B = -k() * LogarithmOfStep(determinant(C_m), cofactor(C_m), 1., dC).excess;
    if (plane == Plane::stress)
      B = B + k() * LogarithmOfStep(k_over_c33(C_m), k_over_c33_slope(C_m), d, dC).excess;
    return B;
  }

private:
  /// C₁ + C₂ tr C + D det C, which is K / C₃₃ in plane stress.
  double k_over_c33(const PlaneTensor &C) const { return c1 + c2 * trace(C) + d * determinant(C); }
  PlaneTensor k_over_c33_slope(const PlaneTensor &C) const {
    return c2 * dealii::unit_symmetric_tensor<2>() + d * cofactor(C);
  }
};

} // namespace percussion
