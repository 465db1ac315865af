#pragma once

#include <deal.II/base/symmetric_tensor.h>

namespace percussion {

/// What a two-dimensional body does out of its plane.
enum class Plane { strain, stress };

/// In-plane right Cauchy–Green tensor or second Piola–Kirchhoff stress of a two-dimensional body.
using PlaneTensor = dealii::SymmetricTensor<2, 2>;
using PlaneTangent = dealii::SymmetricTensor<4, 2>;

/// Second Piola–Kirchhoff stress Σ of a step from C₀ to C₁, and its derivative with respect to C₁.
struct AlgorithmicStress {
  PlaneTensor stress;      ///< Σ [stress]
  PlaneTangent derivative; ///< dΣ/dC₁ [stress]; not symmetric in its pairs of indices
};

/// det C · C⁻¹ = tr(C) I − C in two dimensions.
inline PlaneTensor cofactor(const PlaneTensor &C) {
  return trace(C) * dealii::unit_symmetric_tensor<2>() - C;
}

/// The derivative of the cofactor, the same for every C: dC ↦ tr(dC) I − dC.
inline PlaneTangent cofactor_derivative() {
  const auto identity = dealii::unit_symmetric_tensor<2>();
  return outer_product(identity, identity) - dealii::identity_tensor<2>();
}

/// All components of a stress from the in-plane ones and, in two dimensions, the 33 one.
template <int dim>
dealii::SymmetricTensor<2, 3> full_tensor(const dealii::SymmetricTensor<2, dim> &in_plane,
                                          double out_of_plane) {
  dealii::SymmetricTensor<2, 3> full;
  if (dim == 2)
    full[2][2] = out_of_plane;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i; j < dim; ++j)
      full[i][j] = in_plane[i][j];
  return full;
}

} // namespace percussion
