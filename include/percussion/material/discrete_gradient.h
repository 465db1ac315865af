#pragma once

#include <percussion/material/energy_excess.h>

#include <limits>

namespace percussion {

/// Below the smallest normal number the squared size of a step has no inverse, and the correction
/// of the stress, which is of second order, no digit.
constexpr double smallest_step_square = std::numeric_limits<double>::min();

/// The discrete-gradient stress of a step from C₀ to C₁ (Gonzalez; BBDM24 (3.2)),
///   Σ = 2 W'(C_m) + 2 B ΔC / (ΔC:ΔC) ,   C_m = (C₀ + C₁)/2 ,   ΔC = C₁ − C₀ ,
/// with the energy excess B, for which Σ : ΔC / 2 = W(C₁) − W(C₀) exactly.
template <typename Law>
PlaneTensor algorithmic_stress(const Law &law, const PlaneTensor &C0, const PlaneTensor &C1) {
  const PlaneTensor C_m = 0.5 * (C0 + C1), dC = C1 - C0;
  PlaneTensor stress = law.stress(C_m);
  const double n = dC * dC;
  if (n >= smallest_step_square)
    stress += 2. * law.excess(C_m, dC).value / n * dC;
  return stress;
}

/// The same and its derivative with respect to C₁.
template <typename Law>
AlgorithmicStress algorithmic_stress_and_tangent(const Law &law, const PlaneTensor &C0,
                                                 const PlaneTensor &C1) {
  const PlaneTensor C_m = 0.5 * (C0 + C1), dC = C1 - C0;
  AlgorithmicStress result{law.stress(C_m), 0.25 * law.tangent(C_m)};
  const double n = dC * dC;
  if (n >= smallest_step_square) {
    const EnergyExcess B = law.excess(C_m, dC);
    result.stress += 2. * B.value / n * dC;
    result.derivative += 2. * B.value / n * dealii::identity_tensor<2>() +
                         outer_product(dC, 2. / n * (B.derivative - 2. * B.value / n * dC));
  }
  return result;
}

} // namespace percussion
