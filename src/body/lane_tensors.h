#pragma once

#include <percussion/material/hyperelastic.h>

#include <array>

/// Tensors of the points of a block, and the tensors of one lane.
namespace percussion {

using dealii::Tensor;

/// Returns the displacement gradient of one lane.
template <std::size_t dim>
auto extract_lane(const std::array<std::array<Lanes, dim>, dim> &G, unsigned int lane) {
  Tensor<2, int(dim)> lane_gradient;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      lane_gradient[i][j] = G[i][j][lane];
  return lane_gradient;
}

/// Returns the strain of one lane.
inline PlaneTensor extract_lane(const LaneTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.xy[lane]);
}
inline SpaceTensor extract_lane(const LaneSpaceTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.zz[lane], A.xy[lane], A.xz[lane], A.yz[lane]);
}

/// Sets the stress of one lane.
inline void set_lane(const PlaneTensor &S, unsigned int lane, LaneTensor &stress) {
  stress.xx[lane] = S[0][0];
  stress.yy[lane] = S[1][1];
  stress.xy[lane] = S[0][1];
}
inline void set_lane(const SpaceTensor &S, unsigned int lane, LaneSpaceTensor &stress) {
  stress.xx[lane] = S[0][0];
  stress.yy[lane] = S[1][1];
  stress.zz[lane] = S[2][2];
  stress.xy[lane] = S[0][1];
  stress.xz[lane] = S[0][2];
  stress.yz[lane] = S[1][2];
}

/// Returns F = I + ∇u.
template <int dim>
Tensor<2, dim> deformation_gradient(Tensor<2, dim> grad_u) {
  for (unsigned int i = 0; i < dim; ++i)
    grad_u[i][i] += 1.;
  return grad_u;
}
template <std::size_t dim>
auto deformation_gradient(std::array<std::array<Lanes, dim>, dim> grad_u) {
  for (unsigned int i = 0; i < dim; ++i)
    grad_u[i][i] += 1.;
  return grad_u;
}

inline Lanes determinant(const LaneGradientIn<2> &F) {
  return F[0][0] * F[1][1] - F[0][1] * F[1][0];
}
inline Lanes determinant(const LaneGradientIn<3> &F) {
  return F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) -
         F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
         F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
}

/// Returns F S.
inline LaneGradientIn<2> product(const LaneGradientIn<2> &F, const LaneTensor &S) {
  return {{{F[0][0] * S.xx + F[0][1] * S.xy, F[0][0] * S.xy + F[0][1] * S.yy},
           {F[1][0] * S.xx + F[1][1] * S.xy, F[1][0] * S.xy + F[1][1] * S.yy}}};
}
inline LaneGradientIn<3> product(const LaneGradientIn<3> &F, const LaneSpaceTensor &S) {
  LaneGradientIn<3> P;
  for (unsigned int i = 0; i < 3; ++i)
    P[i] = {F[i][0] * S.xx + F[i][1] * S.xy + F[i][2] * S.xz,
            F[i][0] * S.xy + F[i][1] * S.yy + F[i][2] * S.yz,
            F[i][0] * S.xz + F[i][1] * S.yz + F[i][2] * S.zz};
  return P;
}

/// Returns true if no point is turned inside out. A point of an axisymmetric body that has crossed
/// the axis is, too, although it has a positive determinant if it is also inverted in the plane.
template <unsigned int mesh_dim, std::size_t dim>
bool keeps_orientation(const std::array<std::array<Lanes, dim>, dim> &grad_u) {
  const auto F = deformation_gradient(grad_u);
  return all_positive(determinant(F)) && (dim == mesh_dim || all_positive(F[dim - 1][dim - 1]));
}

/// Returns true if the numbers of the law do not overflow.
template <typename Law, typename Tensor>
auto admits(const Law &law, const Tensor &A) -> decltype(law.admits(A)) {
  return law.admits(A);
}
template <typename... Arguments>
constexpr bool admits(const Arguments &...) {
  return true;
}

/// Sets the change of the part U(J) of a law over the step.
template <typename Dilatation, typename Law>
inline void set_energy(Dilatation &dilatation, const Law &law) {
  if constexpr (has_volumetric_part<Law>)
    dilatation.set_energy(law.volumetric_part());
}

/// Returns weight · F_½ Σ, with F_½ = I + (G₀ + G₁)/2.
template <std::size_t dim, typename LaneStress>
auto first_piola_kirchhoff(const Lanes &weight, const std::array<std::array<Lanes, dim>, dim> &G0,
                           const std::array<std::array<Lanes, dim>, dim> &G1,
                           const LaneStress &stress) {
  std::array<std::array<Lanes, dim>, dim> F;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      F[i][j] = 0.5 * (G0[i][j] + G1[i][j]);
  return product(deformation_gradient(F), weight * stress);
}

} // namespace percussion
