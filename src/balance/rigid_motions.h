#pragma once

#include <percussion/body/system.h>

#include <deal.II/base/bounding_box.h>

#include <algorithm>
#include <vector>

namespace percussion {

/// Returns the rigid motions of all elastic bodies together, about the middle of the first body's
/// nodes, with rotations in units of its size.
template <int dim>
std::vector<std::vector<double>> rigid_motions(const System<dim> &system) {
  constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
  std::vector<std::vector<double>> motions(dim + n_rotations,
                                           std::vector<double>(system.n_elastic_dofs(), 0.));
  const dealii::BoundingBox<dim> box(system.elastic.front()->space.nodes);
  const dealii::Point<dim> middle = box.center();
  double size = 0;
  for (unsigned int d = 0; d < dim; ++d)
    size = std::max(size, box.side_length(d));
  for (const auto &body : system.elastic)
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
      const auto &dofs = body->space.node_dofs[i];
      const dealii::Tensor<1, dim> x = (body->space.nodes[i] - middle) / size;
      for (unsigned int d = 0; d < dim; ++d)
        motions[d][dofs[d]] = 1.;
      for (unsigned int k = 0; k < n_rotations; ++k) { // rotation in the plane of the axes a and b
        const unsigned int a = k == 2 ? 1 : 0, b = k == 0 ? 1 : 2;
        motions[dim + k][dofs[a]] = -x[b];
        motions[dim + k][dofs[b]] = x[a];
      }
    }
  return motions;
}

} // namespace percussion
