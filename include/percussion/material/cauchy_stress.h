#pragma once

#include <percussion/material/plane.h>

#include <cmath>

namespace percussion {

/// All components of the Cauchy stress σ = F S Fᵀ / J [stress] of a hyperelastic law at the
/// in-plane deformation gradient F, with J = det F √C₃₃ and σ₃₃ = C₃₃ S₃₃ / J.
template <typename Law>
dealii::SymmetricTensor<2, 3> cauchy_stress(const Law &law, const dealii::Tensor<2, 2> &F) {
  const PlaneTensor C = symmetrize(transpose(F) * F);
  const double c33 = law.out_of_plane_stretch(C);
  const double J = determinant(F) * std::sqrt(c33);
  const dealii::Tensor<2, 2> S = law.stress(C);
  return full_tensor(PlaneTensor(symmetrize(F * S * transpose(F))),
                     c33 * law.out_of_plane_stress(C)) /
         J;
}

} // namespace percussion
