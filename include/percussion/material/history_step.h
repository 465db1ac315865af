#pragma once

#include <percussion/material/space_tensor.h>

#include <type_traits>
#include <utility>

namespace percussion {

// A law with memory stores numbers of each point, its history, which are zero in the virgin body.
// It is a struct with these members:
//
//     plane                         plane strain; the third direction has C₃₃ = 1
//     n_history()                   number of stored numbers
//     is_plastic                    true if the loss is plastic, false if it is viscous work
//     energy(A, history)            stored energy per undeformed volume [stress]
//     stress(A, history)            second Piola–Kirchhoff stress at rest [stress]
//     step(step, history1)          stress and loss of a step, and the history at its end
//     step_tangent<dim>(step)       stress of a step and its derivative
//     volumetric_part, local_part   see volumetric_energy.h
//     moduli()                      moduli of small, fast strains
//     outputs()                     histories that results contain
//
// The stress Σ of a step and its loss fulfil Σ : ΔC / 2 = Δψ + loss with loss ≥ 0 for every step.

/// Step of a point with memory.
struct HistoryStep {
  SpaceTensor A0, A1;     ///< C − I at both ends
  double h;               ///< length [time]; infinite for a slow step
  const double *history0; ///< history at the start
  /// True for the stress at the end of the step, without inertia; then A0 = A1. Its derivative is
  /// half the true one, as for laws without memory, whose stress depends on both ends.
  bool is_of_end = false;
};

/// Stress of a step [stress], and its loss per undeformed volume, which is ≥ 0 [stress].
struct HistoryStress {
  SpaceTensor stress;
  double loss;
};

/// Moduli of small strains [stress].
struct ElasticModuli {
  double shear, bulk;
};

/// Number of a history that results contain as a field of cells.
struct HistoryOutput {
  const char *name;        ///< name of the field
  const char *description; ///< description for the documentation
  unsigned int index;      ///< index in the history
};

/// True for laws with memory.
template <typename Law, typename = void>
constexpr bool has_history = false;
template <typename Law>
constexpr bool has_history<Law, std::void_t<decltype(std::declval<const Law &>().n_history())>> =
    true;

/// Returns the tensor of the components of two or three directions.
template <int dim>
dealii::SymmetricTensor<2, dim> components_of_space(const SpaceTensor &S) {
  if constexpr (dim == 3)
    return S;
  else
    return symmetric(S[0][0], S[1][1], S[0][1]);
}

/// Returns the derivative dΣ/dA₁ of a stress from dΣ = change(dC) for symmetric dC in the first
/// `dim` directions.
template <int dim, typename Change>
dealii::SymmetricTensor<4, dim> derivative_of(const Change &change) {
  dealii::SymmetricTensor<4, dim> derivative;
  for (unsigned int k = 0; k < dim; ++k)
    for (unsigned int l = k; l < dim; ++l) {
      SpaceTensor dC; // sets both dC_kl and dC_lk
      dC[k][l] = k == l ? 1. : 0.5;
      const SpaceTensor dS = change(dC);
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = i; j < dim; ++j)
          derivative[i][j][k][l] = dS[i][j];
    }
  return derivative;
}

} // namespace percussion
