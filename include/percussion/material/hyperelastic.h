#pragma once

#include <percussion/material/linear_elastic.h>

#include <deal.II/base/symmetric_tensor.h>

#include <cmath>

namespace percussion {

/// In-plane right Cauchy–Green tensor and second Piola–Kirchhoff stress of a two-dimensional body.
using PlaneTensor = dealii::SymmetricTensor<2, 2>;
using PlaneTangent = dealii::SymmetricTensor<4, 2>;

/// The excess of the energy over its tangent at the middle, for C± = C_m ± ΔC/2:
///   B = W(C₊) − W(C₋) − W'(C_m) : ΔC ,
/// which vanishes for every quadratic W and is of third order in ΔC otherwise. By subtraction it
/// would be lost to round-off as ΔC → 0; each law gives it in a form that is not.
struct EnergyExcess {
  double value;           ///< B [stress]
  PlaneTensor derivative; ///< dB/dC₊ at fixed C₋ [stress]
};

/// ln(1 + d + t) − ln(1 + d − t) − 2 t = 2 (artanh x − x) − 2 t d/(1 + d) with x = t/(1 + d): the
/// excess of the logarithm of a quadratic Q(C), for t = Q'(C_m):ΔC / (2 Q(C_m)) and d =
/// (second-order part of Q at ΔC/2) / Q(C_m).
struct LogarithmExcess {
  double value, by_t, by_d;

  LogarithmExcess(double t, double d) {
    const double x = t / (1. + d), x2 = x * x;
    value = 2. * artanh_minus_argument(x) - 2. * t * d / (1. + d);
    by_t = 2. * (x2 * (1. + d) - d) / ((1. - x2) * (1. + d));
    by_d = -2. * t / ((1. - x2) * (1. + d) * (1. + d));
  }

  static double artanh_minus_argument(double x) {
    if (std::abs(x) > 0.1)
      return std::atanh(x) - x;
    // x³/3 + x⁵/5 + …, to the last digit for |x| ≤ 0.1
    const double x2 = x * x;
    double sum = 0;
    for (int k = 17; k >= 3; k -= 2)
      sum = sum * x2 + 1. / k;
    return sum * x2 * x;
  }
};

/// det C · C⁻¹ = tr(C) I − C in two dimensions.
inline PlaneTensor cofactor(const PlaneTensor &C) {
  return trace(C) * dealii::unit_symmetric_tensor<2>() - C;
}

/// Ciarlet–Geymonat's compressible Ogden law (BBDM24, section 6.2):
///   W(C) = C₁ (I₁ − 3) + C₂ (I₂ − 3) + D (I₃ − 1) − K ln I₃ ,   K = C₁ + 2 C₂ + D ,
/// with the invariants of the three-dimensional C: in plane strain C₃₃ = 1; in plane stress C₃₃ =
/// K / (C₁ + C₂ tr C + D det C), for which σ₃₃ = 0. Both are stress-free at C = I.
struct Ogden {
  double c1, c2, d; ///< C₁, C₂, D [stress]
  Plane plane;

  double k() const { return c1 + 2. * c2 + d; }
  double out_of_plane_stretch(const PlaneTensor &C) const {
    return plane == Plane::strain ? 1. : k() / (c1 + c2 * trace(C) + d * determinant(C));
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
    return 2. * ((c1 + c2 * c33) * identity + (c2 + d * c33) * cofactor(C) -
                 k() / determinant(C) * cofactor(C));
  }

  /// 4 W''(C) [stress].
  PlaneTangent tangent(const PlaneTensor &C) const {
    const auto identity = dealii::unit_symmetric_tensor<2>();
    const auto cof = cofactor(C);
    const double det = determinant(C), c33 = out_of_plane_stretch(C);
    // d cof(C) = tr(dC) I − dC, d(1/det) = −cof:dC / det²
    const auto d_cofactor = outer_product(identity, identity) - dealii::identity_tensor<2>();
    PlaneTangent result =
        (c2 + d * c33 - k() / det) * d_cofactor + k() / (det * det) * outer_product(cof, cof);
    if (plane == Plane::stress) {
      const auto slope = c2 * identity + d * cof; // of K / C₃₃
      result -= c33 * c33 / k() * outer_product(slope, slope);
    }
    return 4. * result;
  }

  EnergyExcess excess(const PlaneTensor &C_m, const PlaneTensor &dC) const {
    // All terms but the logarithms are quadratic in C.
    const auto cof = cofactor(C_m);
    EnergyExcess sum{0., {}};
    add_logarithm(-k(), determinant(C_m), cof, 1., dC, sum);
    if (plane == Plane::stress)
      add_logarithm(k(), c1 + c2 * trace(C_m) + d * determinant(C_m),
                    c2 * dealii::unit_symmetric_tensor<2>() + d * cof, d, dC, sum);
    return sum;
  }

private:
  /// Excess of factor · ln Q with Q(C_m), Q'(C_m) and Q'' = det_factor · (second derivative of
  /// det).
  static void add_logarithm(double factor, double Q, const PlaneTensor &slope, double det_factor,
                            const PlaneTensor &dC, EnergyExcess &sum) {
    const double t = (slope * dC) / (2. * Q);
    const double d = det_factor * determinant(dC) / (4. * Q);
    const LogarithmExcess logarithm(t, d);
    // Derivatives at fixed C₋: dC_m = dC₊/2, dΔC = dC₊.
    const auto t_slope =
        (slope + 0.5 * det_factor * cofactor(dC)) / (2. * Q) - t / (2. * Q) * slope;
    const auto d_slope = det_factor * cofactor(dC) / (4. * Q) - d / (2. * Q) * slope;
    sum.value += factor * logarithm.value;
    sum.derivative += factor * (logarithm.by_t * t_slope + logarithm.by_d * d_slope);
  }
};

/// The discrete-gradient stress of a step from C₀ to C₁ (Gonzalez; BBDM24 (3.2)),
///   Σ = 2 W'(C_m) + 2 B ΔC / (ΔC:ΔC) ,   C_m = (C₀ + C₁)/2 ,   ΔC = C₁ − C₀ ,
/// for which Σ : ΔC / 2 = W(C₁) − W(C₀) exactly, and its derivative with respect to C₁.
struct AlgorithmicStress {
  PlaneTensor stress;
  PlaneTangent derivative; ///< dΣ/dC₁; not symmetric in its pairs of indices
};

template <typename Law>
PlaneTensor algorithmic_stress(const Law &law, const PlaneTensor &C0, const PlaneTensor &C1) {
  const PlaneTensor C_m = 0.5 * (C0 + C1), dC = C1 - C0;
  PlaneTensor stress = law.stress(C_m);
  const double n = dC * dC;
  if (n > 0.)
    stress += 2. * law.excess(C_m, dC).value / n * dC;
  return stress;
}

template <typename Law>
AlgorithmicStress algorithmic_stress_and_tangent(const Law &law, const PlaneTensor &C0,
                                                 const PlaneTensor &C1) {
  const PlaneTensor C_m = 0.5 * (C0 + C1), dC = C1 - C0;
  AlgorithmicStress result{law.stress(C_m), 0.25 * law.tangent(C_m)};
  const double n = dC * dC;
  if (n > 0.) {
    const EnergyExcess B = law.excess(C_m, dC);
    result.stress += 2. * B.value / n * dC;
    result.derivative += 2. * B.value / n * dealii::identity_tensor<2>() +
                         outer_product(dC, 2. / n * (B.derivative - 2. * B.value / n * dC));
  }
  return result;
}

} // namespace percussion
