#pragma once

#include <percussion/body/finite_strain.h>

#include "lane_tensors.h"

/// Displacement gradients and laws at the points of a block, for forces and tangents.
namespace percussion {

template <int dim>
template <unsigned int n_nodes>
typename FiniteStrain<dim>::template NodeVectors<n_nodes>
FiniteStrain<dim>::deformation(unsigned int block, const Vector &q) const {
  const unsigned int n = number_of_nodes<n_nodes>();
  const double *const values = q.data();
  const unsigned int *const dofs = &cells.dofs[std::size_t(block) * n_lanes * dim * n];
  const auto gather = [&](unsigned int i) {
    Lanes gathered;
    for (unsigned int lane = 0; lane < n_lanes; ++lane)
      gathered[lane] = values[dofs[lane * dim * n + i]];
    return gathered;
  };
  NodeVectors<n_nodes> u;
  for (unsigned int d = 0; d < dim; ++d) {
    const Lanes translation = gather(d);
    for (unsigned int a = 1; a < n; ++a)
      u.nodes[a - 1][d] = gather(dim * a + d) - translation;
    if (is_axisymmetric && d == 0)
      u.radial = translation;
  }
  return u;
}

template <int dim>
template <int space, unsigned int n_nodes>
LaneGradientIn<space> FiniteStrain<dim>::gradient(std::size_t point,
                                                  const NodeVectors<n_nodes> &u) const {
  LaneGradientIn<space> G;
  if constexpr (space > dim)
    G = {};
  const unsigned int n = number_of_nodes<n_nodes>();
  const auto *const slope = slopes.data() + point * (n - 1);
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j) {
      G[i][j] = u.nodes[0][i] * slope[0][j];
      for (unsigned int a = 2; a < n; ++a)
        G[i][j] += u.nodes[a - 1][i] * slope[a - 1][j];
    }
  if constexpr (space > dim) {
    G[2][2] = u.radial * hoops[point].inverse_radius;
    for (unsigned int a = 1; a < n; ++a)
      G[2][2] += u.nodes[a - 1][0] * hoops[point].shapes[a - 1];
  }
  return G;
}

template <int dim>
template <int space>
LaneGradientIn<space> FiniteStrain<dim>::start_gradient(std::size_t point) const {
  if constexpr (space == dim)
    return points[point].G0;
  else {
    LaneGradientIn<space> G{};
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        G[i][j] = points[point].G0[i][j];
    G[2][2] = hoops[point].G0;
    return G;
  }
}

template <int dim>
template <typename Law>
decltype(auto) FiniteStrain<dim>::law_at(const Law &law, [[maybe_unused]] std::size_t point) const {
  if constexpr (has_fibres<Law>)
    return with_fibres(law, fibres[point].directions);
  else
    return (law);
}

template <int dim>
template <typename Law>
decltype(auto) FiniteStrain<dim>::law_at(const Law &law, [[maybe_unused]] std::size_t point,
                                         [[maybe_unused]] unsigned int lane) const {
  if constexpr (has_fibres<Law>)
    return with_fibres(law, fibres[point].in_lane(lane));
  else
    return (law);
}

} // namespace percussion
