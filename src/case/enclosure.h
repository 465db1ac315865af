#pragma once

#include <percussion/body/system.h>

#include <vector>

namespace percussion {

/// Closed boundary of a connected component of an elastic body, for tests of points.
class Enclosure {
public:
  /// Collects the boundary of the component with this number (Space::part), displaced by q.
  Enclosure(const ElasticBody<2> &body, unsigned int component, const Vector &q);

  /// True if x is inside.
  bool contains(const dealii::Point<2> &x) const;
  /// Returns the distance of x from the boundary [length].
  double distance(const dealii::Point<2> &x) const;

private:
  struct Edge {
    dealii::Point<2> a, b;
  };
  std::size_t level_of(double y) const;

  std::vector<Edge> edges;
  double low = 0, high = 0; ///< range of y
  std::vector<std::vector<unsigned int>>
      at_level; ///< indices of the edges in each of equal intervals of y
};

} // namespace percussion
