#pragma once

#include <percussion/material/space_tensor.h>

#include <cmath>

namespace percussion {

/// Returns all components of the Cauchy stress σ = F S Fᵀ / J [stress] of a hyperelastic law at the
/// displacement gradient F − I; in 2D with J = det F √C₃₃ and σ₃₃ = C₃₃ S₃₃ / J.
template <typename Law>
dealii::SymmetricTensor<2, 3> cauchy_stress(const Law &law, const dealii::Tensor<2, 2> &grad_u) {
  const PlaneTensor A = doubled_strain(grad_u);
  const dealii::Tensor<2, 2> F = dealii::unit_symmetric_tensor<2>() + grad_u;
  const double c33 = law.out_of_plane_stretch(A);
  const double J = determinant(F) * std::sqrt(c33);
  const dealii::Tensor<2, 2> S = law.stress(A);
  return full_tensor(PlaneTensor(symmetrize(F * S * transpose(F))),
                     c33 * law.out_of_plane_stress(A)) /
         J;
}

/// Returns all components of the Cauchy stress [stress] in 3D.
template <typename Law>
dealii::SymmetricTensor<2, 3> cauchy_stress(const Law &law, const dealii::Tensor<2, 3> &grad_u) {
  const dealii::Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>() + grad_u;
  const dealii::Tensor<2, 3> S = law.stress(doubled_strain(grad_u));
  return symmetrize(F * S * transpose(F)) / determinant(F);
}

/// Returns all components of the Cauchy stress [stress] of a law with memory.
template <typename Law, int dim>
dealii::SymmetricTensor<2, 3> cauchy_stress(const Law &law, const dealii::Tensor<2, dim> &grad_u,
                                            const double *history) {
  dealii::Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>();
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      F[i][j] += grad_u[i][j];
  const dealii::Tensor<2, 3> S = law.stress(full_tensor<dim>(doubled_strain(grad_u), 0.), history);
  return symmetrize(F * S * transpose(F)) / determinant(F);
}

} // namespace percussion
