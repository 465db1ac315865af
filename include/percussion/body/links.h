#pragma once

#include <percussion/body/weighted_nodes.h>

#include <deal.II/base/point.h>

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

/// Kind of a link.
enum class LinkKind {
  spring, ///< force along the line between its ends, elastic and viscous
  pin,    ///< the ends coincide
  weld    ///< a pin that also keeps the angle between rigid bodies
};

/// Spring with a dashpot in parallel, or joint, between two points. With their distance ℓ the
/// tension of a spring is k (ℓ − ℓ_rest) + c dℓ/dt.
template <int dim>
struct Link {
  std::string name; ///< chosen by the user
  LinkKind kind = LinkKind::spring;
  LinkEnd<dim> first, second;
  double stiffness = 0;   ///< k [force / length]
  double rest_length = 0; ///< ℓ_rest [length]; negative for a tension at every length
  double damping = 0;     ///< c [force × time / length]
};

} // namespace percussion
