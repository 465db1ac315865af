// Rigid bodies in the configuration of a search.

#pragma once

#include <percussion/contact/boundary.h>
#include <percussion/contact/broad_phase.h>
#include <percussion/contact/polygons.h>
#include <percussion/contact/polyhedra.h>

namespace percussion {

/// Outlines of rigid bodies in 2D. Bodies without a list of pieces have one, their outline.
template <int dim>
struct PlacedBodies {
  std::vector<Outline> outlines;
  std::vector<std::vector<Outline>> pieces; ///< outlines of listed pieces, empty for most bodies

  void resize(std::size_t n) {
    outlines.resize(n);
    pieces.resize(n);
  }
  /// Places a body, and returns the bounding box of its vertices, widened by a margin.
  typename NearBodies<dim>::Box place(std::size_t b, const RigidBody<dim> &body,
                                      const RigidPose<dim> &pose, double margin) {
    Outline &outline = outlines[b];
    outline.clear();
    for (const dealii::Point<dim> &x : body.outline)
      outline.push_back(pose.position(body, x));
    pieces[b].resize(body.pieces.size());
    auto vertex = outline.begin();
    for (std::size_t k = 0; k < body.pieces.size(); vertex += body.pieces[k++].n_vertices)
      pieces[b][k].assign(vertex, vertex + body.pieces[k].n_vertices);
    auto box = NearBodies<dim>::Box::empty();
    box.add(outline);
    box.widen(margin);
    return box;
  }
};

/// Convex shapes of rigid bodies in 3D.
template <>
struct PlacedBodies<3> {
  std::vector<std::vector<PlacedShape>> shapes; ///< shapes of each body

  void resize(std::size_t n) { shapes.resize(n); }
  /// Places a body, and returns the bounding box of its vertices, widened by a margin.
  NearBodies<3>::Box place(std::size_t b, const RigidBody<3> &body, const RigidPose<3> &pose,
                           double margin) {
    shapes[b].resize(body.shapes.size());
    auto box = NearBodies<3>::Box::empty();
    for (std::size_t k = 0; k < body.shapes.size(); ++k) {
      place_shape(body.shapes[k], body, pose, shapes[b][k]);
      box.add(shapes[b][k].vertices);
    }
    box.widen(margin);
    return box;
  }
};

} // namespace percussion
