#pragma once

#include <percussion/base/expression.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <variant>
#include <vector>

namespace percussion {

/// The half-plane, or half-space, on the side that the normal points to.
template <int dim>
struct HalfPlane {
  dealii::Point<dim> point;      ///< of its edge
  dealii::Tensor<1, dim> normal; ///< of unit length, into the admissible side
};

/// A circle or sphere, or in space a cylinder; bodies stay outside of it or inside.
template <int dim>
struct Ball {
  dealii::Point<dim> centre;     ///< where it begins; of a cylinder any point of the axis
  double radius;                 ///< [length]
  bool bodies_inside;            ///< else they stay outside
  dealii::Tensor<1, dim> axis{}; ///< of a cylinder, of unit length; else zero
};

/// The zero level of a formula that is positive on the admissible side and whose gradient has unit
/// length at the surface (a signed distance; other level sets are scaled by their gradient).
struct LevelSet {
  Expression distance; ///< of the position [length]
  double length;       ///< differences for the gradient are a fraction of this [length]
};

/// A rigid surface, fixed or translated by a prescribed motion.
template <int dim>
struct Surface {
  std::variant<HalfPlane<dim>, Ball<dim>, LevelSet> shape; ///< where it begins
  std::vector<Expression> motion; ///< displacement(t) component by component; empty: fixed
};

/// Signed distance of a point to a surface and the direction in which it grows.
template <int dim>
struct Gap {
  double distance;               ///< negative: penetration [length]
  dealii::Tensor<1, dim> normal; ///< unit length, into the admissible side
};

/// Gap of a position as seen from the undisplaced surface.
template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &seen_from_surface);

/// Gap of the position x at time t.
template <int dim>
Gap<dim> gap(const Surface<dim> &surface, const dealii::Point<dim> &x, double t);

/// Displacement of the surface at time t; zero where it is fixed.
template <int dim>
dealii::Tensor<1, dim> displacement(const Surface<dim> &surface, double t);

/// Orthonormal local frame of a normal. In the plane rows n, t, where t is n turned clockwise, so
/// that n = +y has t = +x. In space rows n, t, t', right-handed: the frame z, x, y turned by the
/// shortest way until its z is n, which is continuous but for normals near to −z (n_z < −0.9), to
/// which the frame −z, y, x is turned.
template <int dim>
std::array<dealii::Tensor<1, dim>, dim> local_frame(const dealii::Tensor<1, dim> &normal);

} // namespace percussion
