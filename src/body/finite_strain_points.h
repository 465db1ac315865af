#pragma once

#include <percussion/body/finite_strain.h>

#include "lane_tensors.h"

/// Displacement gradients at the points of a block, for forces and tangents.
namespace percussion {

template <int dim>
template <unsigned int n_nodes>
typename FiniteStrain<dim>::NodeVectors FiniteStrain<dim>::deformation(unsigned int block,
                                                                       const Vector &q) const {
  const double *const values = q.data();
  const Cell *const cell = &cells[block * n_lanes];
  const auto gather = [&](unsigned int i) {
    Lanes gathered;
    for (unsigned int lane = 0; lane < n_lanes; ++lane)
      gathered[lane] = values[cell[lane].dofs[i]];
    return gathered;
  };
  NodeVectors u;
  for (unsigned int d = 0; d < dim; ++d) {
    const Lanes translation = gather(d);
    for (unsigned int a = 1; a < n_nodes; ++a)
      u.nodes[a - 1][d] = gather(dim * a + d) - translation;
    if (is_axisymmetric && d == 0)
      u.radial = translation;
  }
  return u;
}

template <int dim>
template <int space, unsigned int n_nodes>
LaneGradientIn<space> FiniteStrain<dim>::gradient(std::size_t point, const NodeVectors &u) const {
  LaneGradientIn<space> G;
  if constexpr (space > dim)
    G = {};
  const auto &slopes = points[point].slopes;
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j) {
      G[i][j] = u.nodes[0][i] * slopes[0][j];
      for (unsigned int a = 2; a < n_nodes; ++a)
        G[i][j] += u.nodes[a - 1][i] * slopes[a - 1][j];
    }
  if constexpr (space > dim) {
    G[2][2] = u.radial * hoops[point].inverse_radius;
    for (unsigned int a = 1; a < n_nodes; ++a)
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

} // namespace percussion
