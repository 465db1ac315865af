#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>

#include <string>
#include <vector>

namespace percussion {

/// A closed surface of polygons, each with its vertices counter-clockwise as seen from outside.
struct ClosedSurface {
  std::vector<dealii::Point<3>> vertices;
  std::vector<std::vector<unsigned int>> faces; ///< numbers of vertices
};

/// A convex polyhedron, or a sphere: a single vertex, its centre, with a radius.
struct ConvexShape : ClosedSurface {
  /// An edge, as the face to its left sees it.
  struct Edge {
    unsigned int begin, end;  ///< vertices
    unsigned int left, right; ///< faces
  };
  std::vector<Edge> edges;
  /// Of each face, the edge from each vertex to the next.
  std::vector<std::vector<unsigned int>> sides;
  std::vector<dealii::Tensor<1, 3>> normals; ///< of the faces, outward, of unit length
  double radius = 0;                         ///< of a sphere [length]

  /// Whether it is one.
  bool is_sphere() const { return faces.empty(); }
};

/// The convex hull of points: those that are corners, in the order given, and polygons of all that
/// lie in one plane to 1e-9 of the extent. Throws InputError where the points are less than four,
/// are not finite, or lie in one plane.
ConvexShape convex_hull(const std::vector<dealii::Point<3>> &points);
/// A box parallel to the axes.
ConvexShape make_box(const dealii::Point<3> &centre, const dealii::Tensor<1, 3> &lengths);
/// A sphere.
ConvexShape make_sphere(const dealii::Point<3> &centre, double radius);

/// Why a surface does not bound a solid: an edge that does not belong to two faces with opposite
/// directions, or no volume. Empty if it does.
std::string surface_problem(const ClosedSurface &surface);

/// Whether a closed surface is its own convex hull, to 1e-9 of its extent.
bool is_convex(const ClosedSurface &surface);

/// Properties of a solid with homogeneous density.
struct SolidProperties {
  double volume = 0;       ///< [length³]
  dealii::Point<3> centre; ///< of mass
  /// ∫ x ⊗ x about the centre [length⁵].
  dealii::SymmetricTensor<2, 3> second_moment;

  /// tr(S) 1 − S: the tensor of inertia for density one [length⁵].
  dealii::SymmetricTensor<2, 3> inertia() const {
    return trace(second_moment) * dealii::unit_symmetric_tensor<3>() - second_moment;
  }
  /// Of both together; what they have in common counts twice.
  SolidProperties &operator+=(const SolidProperties &other);
};
/// Exact integrals over the inside of a closed surface.
SolidProperties solid_properties(const ClosedSurface &surface);
/// Of a polyhedron or a sphere.
SolidProperties solid_properties(const ConvexShape &shape);

} // namespace percussion
