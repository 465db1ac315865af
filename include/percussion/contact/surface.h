#pragma once

#include <percussion/base/expression.h>
#include <percussion/contact/faceted_surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace percussion {

/// Half-plane (2D) or half-space (3D) on the side that the normal points to.
template <int dim>
struct HalfPlane {
  dealii::Point<dim> point;      ///< point of its edge
  dealii::Tensor<1, dim> normal; ///< unit normal into the admissible side
};

/// Circle (2D), or sphere or cylinder (3D), with bodies outside or inside.
template <int dim>
struct Ball {
  dealii::Point<dim> centre;     ///< initial centre; for a cylinder any point of the axis
  double radius;                 ///< [length]
  bool bodies_inside;            ///< true if bodies stay inside, false if outside
  dealii::Tensor<1, dim> axis{}; ///< unit vector along the axis of a cylinder; else zero
};

/// Zero level of a formula that is positive on the admissible side: a signed distance or another
/// function with a gradient. The gap of a position is the distance from its foot point.
struct LevelSet {
  Expression distance; ///< formula in terms of the position [length]
  double length;       ///< length scale of the differences for the gradient [length]
};

/// Surface of triangles or lines from a file.
template <int dim>
struct Faceted {
  std::shared_ptr<const FacetedSurface<dim>> facets;
};

/// Turn of a surface about an axis that the surface takes along.
template <int dim>
struct SurfaceTurn {
  Expression angle;          ///< angle(t), counterclockwise about the axis [rad]
  dealii::Point<dim> centre; ///< initial position of a point of the axis
  dealii::Tensor<1, 3> axis; ///< unit vector; z in 2D
};

/// Rigid surface, fixed or with a prescribed motion.
template <int dim>
struct Surface {
  std::variant<HalfPlane<dim>, Ball<dim>, LevelSet, Faceted<dim>> shape; ///< initial shape
  std::vector<Expression> motion; ///< displacement(t) component by component; empty: none
  std::optional<SurfaceTurn<dim>> turn{};
  /// Velocity(t) of the material of the surface, component by component, beside that of the motion:
  /// of a belt, whose shape stays. Its part along the surface counts. Empty: none.
  std::vector<Expression> belt{};

  /// True if a formula of time moves the shape.
  bool moves() const {
    return (turn && turn->angle.depends_on_time()) ||
           std::any_of(motion.begin(), motion.end(),
                       [](const Expression &formula) { return formula.depends_on_time(); });
  }
};

/// Place of a surface at one time: a turn about its axis, then a displacement.
template <int dim>
struct SurfacePose {
  dealii::Tensor<1, dim> displacement;
  double angle = 0; ///< [rad]

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &displacement &angle;
  }
};

/// Returns the pose of a surface at time t.
template <int dim>
SurfacePose<dim> pose(const Surface<dim> &surface, double t);

/// Returns the position x relative to the surface in its initial position.
template <int dim>
dealii::Point<dim> seen_from(const Surface<dim> &surface, const SurfacePose<dim> &pose,
                             const dealii::Point<dim> &x);

/// Returns where a point of the surface in its initial position, or one beside it, is.
template <int dim>
dealii::Point<dim> placed(const Surface<dim> &surface, const SurfacePose<dim> &pose,
                          const dealii::Point<dim> &initial);

/// Returns a vector that turns with the surface. An angle of the other sign turns it back.
template <int dim>
dealii::Tensor<1, dim> turned(const Surface<dim> &surface, double angle,
                              const dealii::Tensor<1, dim> &vector);

/// Returns the cross product of an axis in space with a vector; in 2D the axis is along z.
template <int dim>
dealii::Tensor<1, dim> cross_with_axis(const dealii::Tensor<1, 3> &axis,
                                       const dealii::Tensor<1, dim> &vector);

/// Signed distance of a point from a surface, and the direction in which it grows.
template <int dim>
struct Gap {
  double distance;               ///< signed distance; negative: penetration [length]
  dealii::Tensor<1, dim> normal; ///< unit normal into the admissible side
};

/// Returns the gap of a position relative to the undisplaced surface.
template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &seen_from_surface);

/// Returns the gap of the position x at time t.
template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &x, double t);

/// True if a surface neither moves in a coordinate direction nor has normals with a component in
/// it, and does not turn.
template <int dim>
bool is_along(const Surface<dim> &surface, unsigned int component);

/// True if two surfaces have the same description: shape, data and motion. Half-planes are compared
/// up to round-off.
template <int dim>
bool have_same_description(const Surface<dim> &a, const Surface<dim> &b);

/// Size of a surface in pictures.
template <int dim>
struct Extent {
  bool is_bounded;
  dealii::Point<dim> low, high; ///< corners of a box around a bounded surface
  bool is_flat;                 ///< true if a piece in one cell of a grid is exact
};

/// Returns the size of a surface in pictures.
template <int dim>
Extent<dim> extent(const Surface<dim> &surface);

/// Returns the orthonormal local frame of a normal. In 2D, its rows are n, t with t equal to n
/// turned clockwise, so that n = +y has t = +x. In 3D, its rows are n, t, t', right-handed: the
/// frame z, x, y, rotated by the smallest angle that turns z into n. For normals near −z (n_z <
/// −0.9), the frame −z, y, x is rotated instead. The frame is continuous except at n_z = −0.9.
template <int dim>
std::array<dealii::Tensor<1, dim>, dim> local_frame(const dealii::Tensor<1, dim> &normal);

} // namespace percussion
