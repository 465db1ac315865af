// Faces of a convex polyhedron, and its gap to a point.

#pragma once

#include <percussion/contact/polyhedra.h>

#include <optional>

namespace percussion {

/// Angle up to which an axis counts as the normal of a continued face [rad].
constexpr double flush_face_angle = 1e-6;

/// Returns the height of a point above the plane of a face.
inline double height(const PlacedShape &s, unsigned int face, const dealii::Point<3> &x) {
  return s.normals[face] * (x - s.vertices[s.shape->faces[face][0]]);
}

/// True if the foot of a point on the plane of a face is within the face, or outside by at most a
/// tolerance.
inline bool is_in_front(const PlacedShape &s, unsigned int face, const dealii::Point<3> &x,
                        double tolerance = 0.) {
  const auto &corners = s.shape->faces[face];
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const dealii::Point<3> &a = s.vertices[corners[i]],
                           &b = s.vertices[corners[(i + 1) % corners.size()]];
    if (s.normals[face] * cross_product_3d(b - a, x - a) < -tolerance * a.distance(b))
      return false;
  }
  return true;
}

/// Shape and a point near it, a node or the centre of a sphere.
struct PointAtShape {
  const PlacedShape &shape;
  const dealii::Point<3> &x;
  double radius;       ///< radius of the sphere, or 0 [length]
  bool shape_is_first; ///< true if the shape is the first of the pair, and the point the second
  const PairGuide<3> &guide;

  /// Returns the direction from the second to the first shape.
  dealii::Tensor<1, 3> axis(const dealii::Tensor<1, 3> &normal) const {
    return shape_is_first ? -normal : normal;
  }
};

/// Returns the gap on the side from which the point came, with the continued face in place of a
/// face at a seam; no value beside that face. Writes the direction of TouchingShapes.
std::optional<PolyhedronGap> guided_gap(const PointAtShape &point, dealii::Tensor<1, 3> &direction);

} // namespace percussion
