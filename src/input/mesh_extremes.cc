#include <percussion/input/mesh_extremes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

template <int dim>
double angle_in_degrees(const dealii::Tensor<1, dim> &a, const dealii::Tensor<1, dim> &b) {
  double sine;
  if constexpr (dim == 2)
    sine = a[0] * b[1] - a[1] * b[0];
  else
    sine = cross_product_3d(a, b).norm();
  return std::abs(std::atan2(sine, a * b)) * 180 / std::acos(-1.);
}

/// Updates the extremes by the edges of a cell. Any two edges that meet at a corner of a
/// triangle, quadrilateral, tetrahedron or hexahedron bound the same face.
template <typename Cell>
void look_at_edges(const Cell &cell, MeshExtremes &extremes) {
  for (const unsigned int k : cell->line_indices()) {
    const auto line = cell->line(k);
    const auto edge_vector = line->vertex(1) - line->vertex(0);
    extremes.shortest_edge = std::min(extremes.shortest_edge, edge_vector.norm());
    extremes.longest_edge = std::max(extremes.longest_edge, edge_vector.norm());
    for (unsigned int l = 0; l < k; ++l)
      for (const unsigned int i : {0, 1})
        for (const unsigned int j : {0, 1})
          if (const auto neighbour = cell->line(l);
              line->vertex_index(i) == neighbour->vertex_index(j)) {
            const auto onward = neighbour->vertex(1) - neighbour->vertex(0);
            extremes.smallest_angle =
                std::min(extremes.smallest_angle,
                         angle_in_degrees((i == j ? 1. : -1.) * edge_vector, onward));
          }
  }
}

} // namespace

template <int dim>
MeshExtremes mesh_extremes(const Mesh<dim> &mesh) {
  MeshExtremes extremes{0, std::numeric_limits<double>::infinity(), 0, 180};
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    extremes.size += cell->measure();
    look_at_edges(cell, extremes);
  }
  return extremes;
}

template MeshExtremes mesh_extremes<2>(const Mesh<2> &);
template MeshExtremes mesh_extremes<3>(const Mesh<3> &);

} // namespace percussion
