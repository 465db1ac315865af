#pragma once

#include <deal.II/base/symmetric_tensor.h>

namespace percussion {

/// The out-of-plane assumption of a two-dimensional body.
enum class Plane { strain, stress };

/// In-plane second Piola–Kirchhoff stress of a two-dimensional body, or A = C − I of its right
/// Cauchy–Green tensor C: twice the Green–Lagrange strain, which is accurate at small strains,
/// where C loses digits to I.
using PlaneTensor = dealii::SymmetricTensor<2, 2>;
/// Derivative of such a stress with respect to such a strain.
using PlaneTangent = dealii::SymmetricTensor<4, 2>;

/// Second Piola–Kirchhoff stress Σ of a step from A₀ to A₁, and its derivative with respect to A₁.
struct AlgorithmicStress {
  PlaneTensor stress;      ///< Σ [stress]
  PlaneTangent derivative; ///< dΣ/dA₁ [stress]; not symmetric in its pairs of indices
};

/// A = C − I = ∇u + ∇uᵀ + ∇uᵀ ∇u of a displacement gradient.
inline PlaneTensor doubled_strain(const dealii::Tensor<2, 2> &grad_u) {
  PlaneTensor A;
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = i; j < 2; ++j)
      A[i][j] =
          grad_u[i][j] + grad_u[j][i] + grad_u[0][i] * grad_u[0][j] + grad_u[1][i] * grad_u[1][j];
  return A;
}

/// det C · C⁻¹ = tr(C) I − C in two dimensions.
inline PlaneTensor cofactor(const PlaneTensor &C) {
  return trace(C) * dealii::unit_symmetric_tensor<2>() - C;
}

/// The cofactor of C = I + A.
inline PlaneTensor cofactor_of_C(const PlaneTensor &A) {
  return dealii::unit_symmetric_tensor<2>() + cofactor(A);
}

/// det C − 1.
inline double det_C_minus_1(const PlaneTensor &A) { return trace(A) + determinant(A); }

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
