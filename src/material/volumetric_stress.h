#pragma once

#include <percussion/material/history_step.h>
#include <percussion/material/volume_change.h>
#include <percussion/material/volumetric_energy.h>

namespace percussion {

/// Returns U(J).
inline double volumetric_energy(const SquareOfLogarithm &U, const SpaceTensor &A) {
  if (U.lambda == 0.)
    return 0.;
  const double x = volume_minus_1(A);
  return U.change(x, x).end;
}

/// Returns the stress 2 U[J₀, J₁] D_J of a step [stress].
inline SpaceTensor volumetric_stress(const SquareOfLogarithm &U, const SpaceTensor &A0,
                                     const SpaceTensor &A1) {
  if (U.lambda == 0.)
    return {};
  const auto J = volume_change(A0, A1);
  return 2. * U.change(J.start, J.end).quotient * J.gradient;
}

/// Adds this stress and its derivative.
template <int dim>
void add_volumetric_stress(const SquareOfLogarithm &U, const SpaceTensor &A0, const SpaceTensor &A1,
                           AlgorithmicStress<dim> &sigma) {
  if (U.lambda == 0.)
    return;
  using Strain = dealii::SymmetricTensor<2, dim>;
  const auto J =
      volume_change<Strain, true>(components_of_space<dim>(A0), components_of_space<dim>(A1));
  const auto energy = compose(U.change(J.start, J.end), J);
  sigma.stress += 2. * energy.gradient;
  sigma.derivative += 2. * energy.gradient_slope;
}

} // namespace percussion
