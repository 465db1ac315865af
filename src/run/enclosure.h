#pragma once

#include <percussion/body/system.h>

#include <vector>

namespace percussion {

/// The whole boundary of a connected part of an elastic body, to ask what is inside.
class Enclosure {
public:
  /// The part of this number (Space::part), displaced by q.
  Enclosure(const ElasticBody<2> &body, unsigned int part, const Vector &q);

  /// Whether x is inside.
  bool contains(const dealii::Point<2> &x) const;
  /// Distance of x from the boundary [length].
  double distance(const dealii::Point<2> &x) const;

private:
  struct Edge {
    dealii::Point<2> a, b;
  };
  std::size_t level_of(double y) const;

  std::vector<Edge> edges;
  double low = 0, high = 0;                        ///< of all y
  std::vector<std::vector<unsigned int>> at_level; ///< edges by equal intervals of y
};

} // namespace percussion
