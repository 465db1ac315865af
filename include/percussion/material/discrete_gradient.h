#pragma once

#include <percussion/material/energy_excess.h>

#include <limits>
#include <type_traits>
#include <utility>

namespace percussion {

/// Smallest normal number. If the squared size of a step is below it, its inverse overflows, and
/// the second-order correction of the stress is negligible.
constexpr double smallest_step_square = std::numeric_limits<double>::min();

/// True for a law with a discrete gradient of its own (see IsochoricLaw).
template <typename Law, typename = void>
constexpr bool has_discrete_gradient = false;
template <typename Law>
constexpr bool
    has_discrete_gradient<Law, std::void_t<decltype(std::declval<const Law &>().discrete_gradient(
                                   PlaneTensor(), PlaneTensor()))>> = true;

/// Returns the discrete-gradient stress of a step from A₀ to A₁ (Gonzalez; BBDM24 (3.2)),
///
///     Σ = 2 W'(A_m) + 2 B ΔA / (ΔA:ΔA) ,   A_m = (A₀ + A₁)/2 ,   ΔA = A₁ − A₀ ,
///
/// with the energy excess B, for which Σ : ΔA / 2 = W(A₁) − W(A₀) exactly.
template <typename Law, typename Tensor>
Tensor gonzalez_stress(const Law &law, const Tensor &A0, const Tensor &A1) {
  const Tensor A_m = 0.5 * (A0 + A1), dA = A1 - A0;
  const NumberOf<Tensor> n = dA * dA, none{};
  // Neither a branch nor a division by zero, as some of the lanes may be at rest.
  const auto excess = n >= smallest_step_square ? law.excess(A_m, dA).value : none;
  const auto divisor = n >= smallest_step_square ? n : none + 1.;
  return law.stress(A_m) + 2. * excess / divisor * dA;
}

/// Returns the stress Σ of a step, for which Σ : ΔA / 2 = W(A₁) − W(A₀) exactly: Gonzalez', or the
/// law's own.
template <typename Law, typename Tensor>
Tensor algorithmic_stress(const Law &law, const Tensor &A0, const Tensor &A1) {
  if constexpr (has_discrete_gradient<Law>)
    return law.discrete_gradient(A0, A1);
  else
    return gonzalez_stress(law, A0, A1);
}

/// Returns Gonzalez' stress and its derivative with respect to A₁.
template <typename Law, int dim>
AlgorithmicStress<dim> gonzalez_stress_and_tangent(const Law &law,
                                                   const dealii::SymmetricTensor<2, dim> &A0,
                                                   const dealii::SymmetricTensor<2, dim> &A1) {
  const dealii::SymmetricTensor<2, dim> A_m = 0.5 * (A0 + A1), dA = A1 - A0;
  AlgorithmicStress<dim> result{law.stress(A_m), 0.25 * law.tangent(A_m)};
  const double n = dA * dA;
  if (n >= smallest_step_square) {
    const auto B = law.excess(A_m, dA);
    result.stress += 2. * B.value / n * dA;
    result.derivative += 2. * B.value / n * dealii::identity_tensor<dim>() +
                         outer_product(dA, 2. / n * (B.derivative - 2. * B.value / n * dA));
  }
  return result;
}

/// Returns the stress of a step and its derivative with respect to A₁.
template <typename Law, int dim>
AlgorithmicStress<dim> algorithmic_stress_and_tangent(const Law &law,
                                                      const dealii::SymmetricTensor<2, dim> &A0,
                                                      const dealii::SymmetricTensor<2, dim> &A1) {
  if constexpr (has_discrete_gradient<Law>)
    return law.discrete_gradient_and_tangent(A0, A1);
  else
    return gonzalez_stress_and_tangent(law, A0, A1);
}

} // namespace percussion
