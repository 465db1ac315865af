#pragma once

#include <percussion/material/history_step.h>
#include <percussion/material/plastic_flow.h>
#include <percussion/material/volumetric_energy.h>

#include <vector>

namespace percussion {

/// J2 plasticity in finite strain with the multiplicative split F = F^e F^p, of metals,
///
///     ψ = µ |dev E^e|² + κ/2 (ln J)² + g(α) + H_k/3 |β|² ,   E^e = ½ ln(F^p⁻ᵀ C F^p⁻¹) .
///
/// A step keeps F^p of its start in C^e of both ends, takes the PlasticReturn between both elastic
/// strains, and the stress Σ by the map of a LogarithmicStep. Without back stress F^p₁ = exp(Δα n)
/// F^p₀; with it n is not coaxial with E*^e, see advanced(). Both have determinant 1, and E₁^e =
/// E*^e − Δα n exactly. The history contains F^p⁻¹ − I, α, with kinematic hardening β, and with a
/// heat capacity the rise of the temperature, the sum of loss / capacity: all that is lost becomes
/// heat and stays where it is. All of it is in the undeformed body or the intermediate
/// configuration, so that rotations of the body do not change it.
struct Elastoplastic {
  static constexpr Plane plane = Plane::strain;
  static constexpr bool is_plastic = true;

  PlasticFlow flow;
  double bulk;              ///< κ [stress]
  double heat_capacity = 0; ///< per undeformed volume [stress / temperature]; zero without heating

  unsigned int n_history() const { return index_of_temperature() + (heat_capacity > 0. ? 1 : 0); }
  /// Returns the index of the rise of the temperature in the history.
  unsigned int index_of_temperature() const { return flow.kinematic > 0. ? 16 : 10; }

  SquareOfLogarithm volumetric_part() const { return {bulk}; }
  Elastoplastic local_part() const { return {flow, 0., heat_capacity}; }

  /// Returns the stored energy per undeformed volume [stress].
  double energy(const SpaceTensor &A, const double *history) const;
  /// Returns the second Piola–Kirchhoff stress of a body at rest [stress].
  SpaceTensor stress(const SpaceTensor &A, const double *history) const;

  /// Returns stress and loss of a step, and writes the history at its end.
  HistoryStress step(const HistoryStep &step, double *history1) const;
  /// Returns the stress of a step and its derivative by A₁ in `dim` directions.
  template <int dim>
  AlgorithmicStress<dim> step_tangent(const HistoryStep &step) const;

  ElasticModuli moduli() const { return {flow.shear, bulk}; }
  std::vector<HistoryOutput> outputs() const;
};

} // namespace percussion
