// Faces of a convex polyhedron, axes of round shapes, and their gaps to a point.

#pragma once

#include <percussion/contact/polyhedra.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace percussion {

/// Angle up to which an axis counts as the normal of a continued face [rad].
constexpr double flush_face_angle = 1e-6;

/// Number of features of a capsule or cylinder itself, see n_features().
constexpr unsigned int most_round_features = 64;

/// Returns the point of a segment that is nearest to x.
inline dealii::Point<3> nearest_on_edge(const dealii::Point<3> &x, const dealii::Point<3> &a,
                                        const dealii::Point<3> &b) {
  const dealii::Tensor<1, 3> edge_vector = b - a;
  return a + std::clamp(edge_vector * (x - a) / edge_vector.norm_square(), 0., 1.) * edge_vector;
}

/// Returns the unit vector along the axis of a capsule or cylinder.
inline dealii::Tensor<1, 3> axis_of(const PlacedShape &s) {
  const dealii::Tensor<1, 3> segment = s.vertices[1] - s.vertices[0];
  return segment / segment.norm();
}

/// Returns the point of a cylinder that is highest along a unit vector. If the vector is across or
/// along the axis, it is one of many.
inline dealii::Point<3> highest_point(const PlacedShape &cylinder, const dealii::Tensor<1, 3> &n) {
  const dealii::Tensor<1, 3> a = axis_of(cylinder);
  dealii::Tensor<1, 3> across = n - (n * a) * a;
  across -= (across * a) * a; // what round-off leaves of a vector along the axis may be along it
  const dealii::Point<3> &end = cylinder.vertices[n * a > 0. ? 1 : 0];
  return across.norm() > 0. ? end + cylinder.shape->radius / across.norm() * across : end;
}

/// Position relative to the axis of a cylinder.
struct PositionAtCylinder {
  PositionAtCylinder(const PlacedShape &cylinder, const dealii::Point<3> &x);

  /// Returns the height above the nearer end face; negative between both [length].
  double beyond_end() const { return std::abs(height) - 0.5 * length; }
  /// Returns the outward normal of the nearer end face.
  dealii::Tensor<1, 3> end_normal() const { return std::copysign(1., height) * axis; }

  dealii::Tensor<1, 3> axis;   ///< unit vector along the axis
  double length;               ///< height of the cylinder [length]
  double height;               ///< coordinate along the axis, from the middle [length]
  double distance;             ///< distance from the axis [length]
  dealii::Tensor<1, 3> radial; ///< unit vector away from the axis; on it, any across it
};

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

/// True if a unit vector from a vertex of a polyhedron is out of all edges there: nowhere along an
/// edge by more than a sine.
inline bool is_out_of_edges(const PlacedShape &s, unsigned int vertex,
                            const dealii::Tensor<1, 3> &direction, double sine) {
  const auto &edges = s.shape->edges;
  return std::none_of(edges.begin(), edges.end(), [&](const auto &edge) {
    if (edge.begin != vertex && edge.end != vertex)
      return false;
    const dealii::Tensor<1, 3> away =
        s.vertices[edge.begin == vertex ? edge.end : edge.begin] - s.vertices[vertex];
    return direction * away > sine * away.norm();
  });
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
