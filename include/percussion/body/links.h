#pragma once

#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Where a link is fastened: to a point of a rigid body, to the mean of nodes of an elastic one, or
/// to a fixed point of space.
template <int dim>
struct LinkEnd {
  static constexpr unsigned int none = static_cast<unsigned int>(-1);

  dealii::Point<dim> position; ///< where it begins, at q = 0 [length]
  unsigned int rigid = none;   ///< the rigid body, if it is on one
  /// Degrees of freedom of nodes and their shares, which add up to one, if it is on an elastic
  /// body.
  std::vector<std::pair<std::array<unsigned int, dim>, double>> nodes;

  /// Whether nothing moves it.
  bool is_fixed() const { return rigid == none && nodes.empty(); }
};

/// What a link does.
enum class LinkKind {
  spring, ///< a force along the line of its ends, elastic and viscous
  pin,    ///< keeps its ends at one place
  weld    ///< a pin that also keeps the angle between rigid bodies
};

/// A spring with a dashpot in parallel, or a joint, between two points. With their distance ℓ the
/// tension of a spring is k (ℓ − ℓ_rest) + c dℓ/dt.
template <int dim>
struct Link {
  std::string name; ///< as the user calls it
  LinkKind kind = LinkKind::spring;
  LinkEnd<dim> first, second;
  double stiffness = 0;   ///< k [force / length]
  double rest_length = 0; ///< ℓ_rest [length]; negative for a tension at every length
  double damping = 0;     ///< c [force × time / length]
};

} // namespace percussion
