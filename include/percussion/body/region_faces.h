#pragma once

#include <percussion/body/elastic_body.h>

#include <map>
#include <vector>

namespace percussion {

/// Returns a normal of an edge, as long as the edge.
template <typename Face>
dealii::Tensor<1, 2> normal_of(const Face &edge) {
  const auto direction = edge.vertex(1) - edge.vertex(0);
  return dealii::Tensor<1, 2>({direction[1], -direction[0]});
}
/// Returns a normal of a triangle or quadrilateral, whose length is its area.
inline dealii::Tensor<1, 3> normal_of(const dealii::TriaAccessor<2, 3, 3> &face) {
  const unsigned int last = face.n_vertices() - 1; // of a quadrilateral, the one before the first
  return 0.5 * (last == 2 ? cross_product_3d(face.vertex(1) - face.vertex(0),
                                             face.vertex(2) - face.vertex(0))
                          : cross_product_3d(face.vertex(last) - face.vertex(0),
                                             face.vertex(2) - face.vertex(1)));
}

/// Returns the outward normal of a face of a cell, whose length is its area, in 2D its length.
template <typename Cell>
auto outward_normal(const Cell &cell, unsigned int face_number) {
  const auto face = cell->face(face_number);
  const auto normal = normal_of(*face);
  return normal * (face->center() - cell->center()) < 0. ? -1. * normal : normal;
}

/// Calls visit(middle, normal, diameter) for the faces of a region, with their outward normals.
template <int dim, typename Visit>
void for_each_face(const Mesh<dim> &mesh, const Region &region, const Visit &visit) {
  std::map<unsigned int, std::vector<unsigned int>> faces_of;
  for (const CellFace &face : region.faces)
    faces_of[face.cell].push_back(face.face);
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    if (const auto found = faces_of.find(cell->active_cell_index()); found != faces_of.end())
      for (const unsigned int f : found->second)
        visit(cell->face(f)->center(), outward_normal(cell, f), cell->face(f)->diameter());
}
template <int dim, typename Visit>
void for_each_face(const ElasticBody<dim> &body, const Region &region, const Visit &visit) {
  for_each_face(body.space.mesh, region, visit);
}

} // namespace percussion
