#pragma once

#include <percussion/material/history_step.h>
#include <percussion/material/volumetric_energy.h>

#include <array>
#include <vector>

namespace percussion {

/// Spring and dashpot in series.
struct MaxwellBranch {
  double shear; ///< shear modulus µ_i of the spring [stress]
  double time;  ///< relaxation time τ_i [time]
};

/// Generalised Maxwell law (Prony series) in the logarithmic strain E, e = dev E,
///
///     ψ = µ |e|² + Σ µ_i |e − Γ_i|² + κ/2 (ln J)² ,   Γ_i' = (e − Γ_i)/τ_i .
///
/// Each branch takes the midpoint rule, explicit for the strain of the step: with r = 1/(1 +
/// h/2τ_i) and d = e_½ − Γ₀, Γ₁ = Γ₀ + 2 (1 − r) d, its stress is 2 µ_i r d and its loss 4 µ_i r (1
/// − r) |d|² ≥ 0, for every h. The stress at the end takes Euler's implicit rule. The history
/// contains the Γ_i. The split is additive in E: shear strains beyond about 1, whose axes turn,
/// need another law.
struct Viscoelastic {
  static constexpr Plane plane = Plane::strain;
  static constexpr bool is_plastic = false;

  double shear; ///< µ of slow strains [stress]
  double bulk;  ///< κ [stress]
  std::vector<MaxwellBranch> branches;

  unsigned int n_history() const { return 6 * static_cast<unsigned int>(branches.size()); }

  SquareOfLogarithm volumetric_part() const { return {bulk}; }
  Viscoelastic local_part() const { return {shear, 0., branches}; }

  /// Returns the stored energy per undeformed volume [stress].
  double energy(const SpaceTensor &A, const double *history) const;
  /// Returns the second Piola–Kirchhoff stress of a body at rest [stress].
  SpaceTensor stress(const SpaceTensor &A, const double *history) const;

  /// Returns stress and loss of a step, and writes the history at its end.
  HistoryStress step(const HistoryStep &step, double *history1) const;
  /// Returns the stress of a step and its derivative by A₁ in `dim` directions.
  template <int dim>
  AlgorithmicStress<dim> step_tangent(const HistoryStep &step) const;

  /// Returns the moduli of strains that are fast compared with all relaxation times.
  ElasticModuli moduli() const;
  static std::vector<HistoryOutput> outputs() { return {}; }
};

} // namespace percussion
