#pragma once

#include <percussion/base/expression.h>
#include <percussion/body/weighted_nodes.h>

#include <deal.II/base/point.h>

#include <memory>
#include <optional>
#include <string>

namespace percussion {

/// End of a link: a point of a rigid body, the mean of nodes of an elastic one, or a fixed point of
/// space.
template <int dim>
struct LinkEnd {
  dealii::Point<dim> position;       ///< initial position, at q = 0 [length]
  std::optional<unsigned int> rigid; ///< index of the rigid body, if the end is on one
  /// Nodes with weights of sum one; empty unless on an elastic body.
  WeightedNodes<dim> nodes;

  /// Returns true for a fixed point of space.
  bool is_fixed() const { return !rigid && nodes.empty(); }
};

/// Kind of a link. Hinges, cylindrical and universal joints exist in 3D.
enum class LinkKind {
  spring,      ///< force along the line between its ends, elastic and viscous
  pin,         ///< the ends coincide (in 3D a ball joint)
  weld,        ///< a pin that also prevents relative rotation
  hinge,       ///< a pin with a common axis of both bodies
  slider,      ///< the second end moves along the axis of the first body, without rotation
  cylindrical, ///< a slider whose second body may also rotate about the axis
  universal,   ///< a pin that keeps the angle between an axis of each body
  distance     ///< the distance between the ends is constant, or within limits
};

/// Motor on a coordinate of a link: a formula of time prescribes the coordinate, its rate, or the
/// force along it.
struct LinkMotor {
  enum class Kind { none, position, velocity, force };
  Kind kind = Kind::none;
  std::shared_ptr<const Expression> formula = {};

  /// True if the motor prescribes the motion.
  bool is_holding() const { return kind == Kind::position || kind == Kind::velocity; }
};

/// Limits of a coordinate x of a link, and dry friction against its rate: see link_law.h.
struct LinkBounds {
  std::optional<double> lower, upper;           ///< limits of x [length, or rad]; none: unlimited
  double restitution = 0;                       ///< e of impacts at the limits
  std::shared_ptr<const Expression> friction{}; ///< friction of the time t [force, or moment]
  /// Friction per magnitude of the force of the joint: the coefficient μ, or μ times the radius at
  /// which an angle has its friction [1, or length].
  double friction_per_force = 0;

  bool has_limit() const { return lower || upper; }
  bool has_friction() const { return friction || friction_per_force > 0.; }
  bool empty() const { return !has_limit() && !has_friction(); }
};

/// Force on a coordinate x of a link: k (x − x_rest) + c dx/dt, its motor, its limits and friction.
struct LinkDrive {
  double stiffness = 0; ///< k [force / length, or moment]
  double rest = 0;      ///< x_rest [length, or rad]
  double damping = 0;   ///< c [force × time / length, or moment × time]
  LinkMotor motor = {};
  LinkBounds bounds = {};
};

/// Spring with a dashpot in parallel, or joint, between two points. With their distance ℓ the
/// tension of a spring is k (ℓ − ℓ_rest) + c dℓ/dt. On a slider and a cylindrical joint these act
/// on the displacement along the axis.
template <int dim>
struct Link {
  std::string name; ///< chosen by the user
  LinkKind kind = LinkKind::spring;
  LinkEnd<dim> first, second;
  double stiffness = 0;   ///< k [force / length]
  double rest_length = 0; ///< ℓ_rest [length]; negative for a tension at every length
  double damping = 0;     ///< c [force × time / length]
  /// Initial directions of the axis in the first body, and of a universal joint's axis in the
  /// second.
  dealii::Tensor<1, dim> axis = {}, second_axis = {};
  LinkMotor motor = {};   ///< motor of the displacement along the axis, or of the distance
  LinkBounds bounds = {}; ///< limits and friction of the same coordinate
  LinkDrive rotation =
      {}; ///< drive of the angle about the axis, of the second body relative to the first
  /// Limits and friction of the angle about the second axis of a universal joint.
  LinkBounds second_rotation = {};
};

} // namespace percussion
