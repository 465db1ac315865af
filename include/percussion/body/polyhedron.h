#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>

#include <string>
#include <vector>

namespace percussion {

/// Closed surface of polygons, each with its vertices counter-clockwise as seen from outside.
struct ClosedSurface {
  std::vector<dealii::Point<3>> vertices;
  std::vector<std::vector<unsigned int>> faces; ///< indices of vertices
};

/// Convex polyhedron, or round shape: a sphere, whose only vertex is its centre; a capsule, the
/// points within its radius of the segment between its two vertices; or a cylinder with flat ends,
/// whose two vertices are the centres of its end faces.
struct ConvexShape : ClosedSurface {
  /// Edge, in the direction in which the face to its left traverses it.
  struct Edge {
    unsigned int begin, end;            ///< vertices
    unsigned int left_face, right_face; ///< faces
  };
  std::vector<Edge> edges;
  /// For each face, the edges from each vertex to the next.
  std::vector<std::vector<unsigned int>> sides;
  std::vector<dealii::Tensor<1, 3>> normals; ///< outward unit normals of the faces
  double radius = 0;                         ///< radius of a round shape [length]
  bool has_flat_ends = false;                ///< true for a cylinder

  /// Returns true for a sphere, a capsule or a cylinder.
  bool is_round() const { return faces.empty(); }
  bool is_sphere() const { return is_round() && vertices.size() == 1; }
  bool is_capsule() const { return is_round() && vertices.size() == 2 && !has_flat_ends; }
  bool is_cylinder() const { return has_flat_ends; }
};

/// Returns the convex hull of points: its corners in the order given, and polygons of all corners
/// that lie in one plane to 1e-9 of the extent. Throws InputError if there are fewer than four
/// points, if they are not finite, or if they lie in one plane.
ConvexShape convex_hull(const std::vector<dealii::Point<3>> &points);
/// Returns a box parallel to the axes.
ConvexShape make_box(const dealii::Point<3> &centre, const dealii::Tensor<1, 3> &lengths);
/// Returns a sphere.
ConvexShape make_sphere(const dealii::Point<3> &centre, double radius);
/// Returns a capsule around the segment between two points.
ConvexShape make_capsule(const dealii::Point<3> &begin, const dealii::Point<3> &end, double radius);
/// Returns a cylinder with flat ends, with the centres of its end faces.
ConvexShape make_cylinder(const dealii::Point<3> &begin, const dealii::Point<3> &end,
                          double radius);

/// Returns the reason why a surface does not bound a solid: an edge that does not belong to two
/// faces with opposite directions, or no volume. Empty if it bounds one.
std::string surface_problem(const ClosedSurface &surface);

/// Returns true if a closed surface is its own convex hull, to 1e-9 of its extent.
bool is_convex(const ClosedSurface &surface);

/// Properties of a solid with homogeneous density.
struct SolidProperties {
  double volume = 0;       ///< [length³]
  dealii::Point<3> centre; ///< centre of mass
  /// ∫ x ⊗ x about the centre [length⁵].
  dealii::SymmetricTensor<2, 3> second_moment;

  /// Returns tr(S) 1 − S: the tensor of inertia for density one [length⁵].
  dealii::SymmetricTensor<2, 3> inertia() const {
    return trace(second_moment) * dealii::unit_symmetric_tensor<3>() - second_moment;
  }
  /// Adds a second solid; overlaps count twice.
  SolidProperties &operator+=(const SolidProperties &second);
};
/// Computes exact integrals over the inside of a closed surface.
SolidProperties solid_properties(const ClosedSurface &surface);
/// Computes exact integrals over a polyhedron or a round shape.
SolidProperties solid_properties(const ConvexShape &shape);

} // namespace percussion
