#pragma once

#include <percussion/material/plane.h>

#include <type_traits>

/// Tensors of plane.h in 3D, where C₃₃ and the out-of-plane shears belong to the motion.
namespace percussion {

/// Second Piola–Kirchhoff stress, or A = C − I.
using SpaceTensor = dealii::SymmetricTensor<2, 3>;
/// Derivative of such a stress with respect to such a strain.
using SpaceTangent = dealii::SymmetricTensor<4, 3>;

/// True for tensors in 3D.
template <typename Tensor>
constexpr bool is_spatial =
    std::is_same_v<Tensor, SpaceTensor> || std::is_same_v<Tensor, LaneSpaceTensor>;

/// Returns the tensor of these components.
inline SpaceTensor symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  const double components[] = {xx, yy, zz, xy, xz, yz}; // deal.II's order
  return SpaceTensor(components);
}

/// Returns the components of a tensor by name.
inline const LaneSpaceTensor &components_of(const LaneSpaceTensor &A) { return A; }
inline SpaceComponents<double> components_of(const SpaceTensor &A) {
  return {A[0][0], A[1][1], A[2][2], A[0][1], A[0][2], A[1][2]};
}

/// Returns A + x I.
inline SpaceTensor shifted(const SpaceTensor &A, double x) {
  return A + x * dealii::unit_symmetric_tensor<3>();
}

/// Returns det C · C⁻¹, quadratic in C.
template <typename Tensor, typename = std::enable_if_t<is_spatial<Tensor>>>
Tensor cofactor(const Tensor &C) {
  const auto &c = components_of(C);
  return symmetric(c.yy * c.zz - c.yz * c.yz, c.xx * c.zz - c.xz * c.xz, c.xx * c.yy - c.xy * c.xy,
                   c.xz * c.yz - c.xy * c.zz, c.xy * c.yz - c.xz * c.yy, c.xy * c.xz - c.yz * c.xx);
}

/// Returns A × B in cof (A + B) = cof A + A × B + cof B, bilinear and symmetric.
template <typename Tensor, typename = std::enable_if_t<is_spatial<Tensor>>>
Tensor mixed_cofactor(const Tensor &A, const Tensor &B) {
  const auto &a = components_of(A), &b = components_of(B);
  return symmetric(a.yy * b.zz + b.yy * a.zz - 2. * (a.yz * b.yz),
                   a.xx * b.zz + b.xx * a.zz - 2. * (a.xz * b.xz),
                   a.xx * b.yy + b.xx * a.yy - 2. * (a.xy * b.xy),
                   a.xz * b.yz + b.xz * a.yz - a.xy * b.zz - b.xy * a.zz,
                   a.xy * b.yz + b.xy * a.yz - a.xz * b.yy - b.xz * a.yy,
                   a.xy * b.xz + b.xy * a.xz - a.yz * b.xx - b.yz * a.xx);
}

/// Returns ½ (tr² A − A : A), in 2D det A.
template <typename Tensor>
NumberOf<Tensor> second_invariant(const Tensor &A) {
  if constexpr (is_spatial<Tensor>) {
    const auto &a = components_of(A);
    return a.xx * a.yy + a.xx * a.zz + a.yy * a.zz - (a.xy * a.xy + a.xz * a.xz + a.yz * a.yz);
  } else
    return determinant(A);
}

/// Returns the derivative of the second invariant, tr(A) I − A.
template <typename Tensor>
Tensor second_invariant_slope(const Tensor &A) {
  if constexpr (is_spatial<Tensor>)
    return shifted(-1. * A, trace(A));
  else
    return cofactor(A);
}

/// Returns A = C − I of a displacement gradient.
inline SpaceTensor doubled_strain(const dealii::Tensor<2, 3> &G) {
  SpaceTensor A;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      A[i][j] = G[i][j] + G[j][i] + G[0][i] * G[0][j] + G[1][i] * G[1][j] + G[2][i] * G[2][j];
  return A;
}
inline LaneSpaceTensor doubled_strain(const LaneGradientIn<3> &G) {
  const auto component = [&G](unsigned int i, unsigned int j) {
    return G[i][j] + G[j][i] + G[0][i] * G[0][j] + G[1][i] * G[1][j] + G[2][i] * G[2][j];
  };
  return {component(0, 0), component(1, 1), component(2, 2),
          component(0, 1), component(0, 2), component(1, 2)};
}

/// Returns the cofactor of C = I + A.
template <typename Tensor>
std::enable_if_t<is_spatial<Tensor>, Tensor> cofactor_of_C_in_space(const Tensor &A) {
  return shifted(second_invariant_slope(A) + cofactor(A), 1.);
}
inline SpaceTensor cofactor_of_C(const SpaceTensor &A) { return cofactor_of_C_in_space(A); }
inline LaneSpaceTensor cofactor_of_C(const LaneSpaceTensor &A) { return cofactor_of_C_in_space(A); }

/// Returns det C − 1.
inline double det_C_minus_1(const SpaceTensor &A) {
  return trace(A) + second_invariant(A) + determinant(A);
}
inline Lanes det_C_minus_1(const LaneSpaceTensor &A) {
  return trace(A) + second_invariant(A) + determinant(A);
}

/// Returns dA ↦ tr(dA) I − dA, the derivative of second_invariant_slope().
template <int dim>
dealii::SymmetricTensor<4, dim> second_invariant_curvature() {
  const auto identity = dealii::unit_symmetric_tensor<dim>();
  return outer_product(identity, identity) - dealii::identity_tensor<dim>();
}

/// Returns B ↦ A × B, the derivative of cof A.
inline SpaceTangent cofactor_derivative(const SpaceTensor &A) {
  const auto I = dealii::unit_symmetric_tensor<3>();
  SpaceTangent result =
      trace(A) * second_invariant_curvature<3>() - outer_product(A, I) - outer_product(I, A);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      for (unsigned int k = 0; k < 3; ++k)
        for (unsigned int l = k; l < 3; ++l)
          result[i][j][k][l] +=
              0.5 * (A[i][k] * I[j][l] + A[i][l] * I[j][k] + I[i][k] * A[j][l] + I[i][l] * A[j][k]);
  return result;
}

} // namespace percussion
