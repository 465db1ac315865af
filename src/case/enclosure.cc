#include "enclosure.h"

#include <algorithm>
#include <limits>

namespace percussion {

Enclosure::Enclosure(const ElasticBody<2> &body, unsigned int component, const Vector &q) {
  const Space<2> &space = body.space;
  const auto displaced = [&](unsigned int node) {
    return space.nodes[node] + space.value_at(node, q);
  };
  low = std::numeric_limits<double>::max();
  high = std::numeric_limits<double>::lowest();
  for (const auto &cell : space.mesh.triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary() &&
          space.component[cell->face(f)->vertex_index(0)] == component) {
        edges.push_back(
            {displaced(cell->face(f)->vertex_index(0)), displaced(cell->face(f)->vertex_index(1))});
        low = std::min({low, edges.back().a[1], edges.back().b[1]});
        high = std::max({high, edges.back().a[1], edges.back().b[1]});
      }
  at_level.resize(edges.size());
  for (unsigned int e = 0; e < edges.size(); ++e) {
    const auto [first, last] = std::minmax({level_of(edges[e].a[1]), level_of(edges[e].b[1])});
    for (std::size_t level = first; level <= last; ++level)
      at_level[level].push_back(e);
  }
}

std::size_t Enclosure::level_of(double y) const {
  const double fraction = high > low ? (y - low) / (high - low) : 0.;
  const auto n = static_cast<double>(at_level.size());
  return static_cast<std::size_t>(std::clamp(fraction * n, 0., n - 1.));
}

/// A point is inside if an odd number of edges lies to its right.
bool Enclosure::contains(const dealii::Point<2> &x) const {
  if (!(x[1] >= low && x[1] <= high))
    return false;
  bool inside = false;
  for (const unsigned int e : at_level[level_of(x[1])]) {
    const auto &[a, b] = edges[e];
    if ((a[1] > x[1]) != (b[1] > x[1]) &&
        x[0] < a[0] + (b[0] - a[0]) * (x[1] - a[1]) / (b[1] - a[1]))
      inside = !inside;
  }
  return inside;
}

double Enclosure::distance(const dealii::Point<2> &x) const {
  double smallest = std::numeric_limits<double>::max();
  for (const auto &[a, b] : edges) {
    const auto edge_vector = b - a;
    const double fraction = std::clamp(edge_vector * (x - a) / edge_vector.norm_square(), 0., 1.);
    smallest = std::min(smallest, x.distance(a + fraction * edge_vector));
  }
  return smallest;
}

} // namespace percussion
