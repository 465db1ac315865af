#pragma once

#include <percussion/base/lanes.h>

#include <deal.II/base/symmetric_tensor.h>

namespace percussion {

/// Out-of-plane assumption of a two-dimensional body.
enum class Plane { strain, stress };

/// In-plane second Piola–Kirchhoff stress of a two-dimensional body, or A = C − I of its right
/// Cauchy–Green tensor C: twice the Green–Lagrange strain, which is accurate at small strains,
/// where C loses digits to I.
using PlaneTensor = dealii::SymmetricTensor<2, 2>;
/// Derivative of such a stress with respect to such a strain.
using PlaneTangent = dealii::SymmetricTensor<4, 2>;

/// Second Piola–Kirchhoff stress Σ of a step from A₀ to A₁, and its derivative with respect to A₁.
template <int dim>
struct AlgorithmicStress {
  dealii::SymmetricTensor<2, dim> stress;     ///< Σ [stress]
  dealii::SymmetricTensor<4, dim> derivative; ///< dΣ/dA₁ [stress]; not symmetric in its pairs
};

// The following functions, like the laws, accept a PlaneTensor or a LaneTensor (several points).

/// Type of the numbers of a tensor: double or Lanes.
template <typename Tensor>
using NumberOf = decltype(trace(Tensor()));

/// Returns the tensor of these components.
inline PlaneTensor symmetric(double xx, double yy, double xy) {
  const double components[] = {xx, yy, xy};
  return PlaneTensor(components);
}

/// Returns det C · C⁻¹ = tr(C) I − C in two dimensions.
inline PlaneTensor cofactor(const PlaneTensor &C) { return symmetric(C[1][1], C[0][0], -C[0][1]); }

/// Returns A + x I.
inline PlaneTensor shifted(const PlaneTensor &A, double x) {
  return symmetric(A[0][0] + x, A[1][1] + x, A[0][1]);
}

/// Returns A = C − I = ∇u + ∇uᵀ + ∇uᵀ ∇u of a displacement gradient.
template <typename Gradient>
auto doubled_strain(const Gradient &G) {
  const auto component = [&G](unsigned int i, unsigned int j) {
    return G[i][j] + G[j][i] + G[0][i] * G[0][j] + G[1][i] * G[1][j];
  };
  return symmetric(component(0, 0), component(1, 1), component(0, 1));
}

/// Returns the cofactor of C = I + A.
template <typename Tensor>
Tensor cofactor_of_C(const Tensor &A) {
  return shifted(cofactor(A), 1.);
}

/// Returns det C − 1.
template <typename Tensor>
NumberOf<Tensor> det_C_minus_1(const Tensor &A) {
  return trace(A) + determinant(A);
}

/// Returns the derivative of the cofactor, the same for every C: dC ↦ tr(dC) I − dC.
inline PlaneTangent cofactor_derivative() {
  const auto identity = dealii::unit_symmetric_tensor<2>();
  return outer_product(identity, identity) - dealii::identity_tensor<2>();
}

/// Returns all components of a stress from the in-plane ones and, in two dimensions, the 33 one.
template <int dim>
dealii::SymmetricTensor<2, 3> full_tensor(const dealii::SymmetricTensor<2, dim> &plane_tensor,
                                          double out_of_plane) {
  dealii::SymmetricTensor<2, 3> full;
  if (dim == 2)
    full[2][2] = out_of_plane;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i; j < dim; ++j)
      full[i][j] = plane_tensor[i][j];
  return full;
}

} // namespace percussion
