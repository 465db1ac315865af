#pragma once

#include <percussion/material/space_tensor.h>

#include <array>

namespace percussion {

/// Eigenvalues of a symmetric tensor, and its orthonormal eigenvectors as columns.
struct PrincipalAxes {
  std::array<double, 3> values;
  dealii::Tensor<2, 3> vectors;
};

/// Returns the principal axes by Jacobi's rotations, whose vectors are orthogonal to round-off.
/// Axes of coordinates that are principal stay exactly so, as the third in plane strain.
PrincipalAxes principal_axes(const SpaceTensor &A);

/// Returns V diag(values) Vᵀ.
SpaceTensor from_principal_axes(const std::array<double, 3> &values, const dealii::Tensor<2, 3> &V);

/// Returns the logarithmic strain E = ½ ln(I + A).
SpaceTensor logarithmic_strain(const SpaceTensor &A);

/// Returns the stress S with S : dC / 2 = T : dE for the stress T in logarithmic strain at C = I +
/// A.
SpaceTensor stress_of_logarithmic(const SpaceTensor &A, const SpaceTensor &T);

/// Logarithmic strain E = ½ ln C over a step from C₀ = Σ α_j M_j M_jᵀ to C₁ = Σ β_i N_i N_iᵀ. With
/// the divided difference ln[x, y] = (ln x − ln y)/(x − y),
///
///     ΔE = ½ sym Σ_ij ln[β_i, α_j] (N_i · ΔC M_j) N_i ⊗ M_j ,
///     Σ  =   sym Σ_ij ln[β_i, α_j] (N_i · T M_j) N_i ⊗ M_j ,     Σ : ΔC / 2 = T : ΔE
///
/// exactly for every symmetric T, because N_i · (ln C₁ − ln C₀) M_j = ln[β_i, α_j] N_i · ΔC M_j. No
/// quotient cancels and no case depends on equal eigenvalues. Any law of small strain with T : ΔE =
/// Δψ + loss so becomes a law of finite strain with the same balance.
class LogarithmicStep {
public:
  /// Takes A = C − I at both ends, and ΔC without the round-off of their difference.
  LogarithmicStep(const SpaceTensor &A0, const SpaceTensor &A1, const SpaceTensor &dC);

  /// Returns Σ for T.
  SpaceTensor stress(const SpaceTensor &T) const;

  SpaceTensor start, end; ///< E at both ends
  SpaceTensor change;     ///< ΔE

private:
  friend class LogarithmicTangent;
  PrincipalAxes axes0, axes1;
  dealii::Tensor<2, 3> quotient; ///< ln[β_i, α_j]
};

/// Derivatives of the map of a LogarithmicStep by C₁ at a stress T.
class LogarithmicTangent {
public:
  /// Stores a reference to the step.
  LogarithmicTangent(const LogarithmicStep &step, const SpaceTensor &T);

  /// Returns dE₁ for dC₁.
  SpaceTensor strain_change(const SpaceTensor &dC) const;
  /// Returns dΣ for dC₁ and the dT that belongs to its dE₁.
  SpaceTensor stress_change(const SpaceTensor &dC, const SpaceTensor &dT) const;

private:
  const LogarithmicStep &map;
  dealii::Tensor<2, 3> end_quotient;                           ///< ln[β_i, β_k]
  std::array<std::array<std::array<double, 3>, 3>, 3> weights; ///< ln[β_i, β_k, α_j] N_k · T M_j
};

} // namespace percussion
