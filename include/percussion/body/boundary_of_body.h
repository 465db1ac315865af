#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/space.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace percussion {

/// Boundary faces of a body, given by their nodes.
template <int dim>
struct BoundaryOfBody {
  /// Collects the faces of the undeformed body, or of the body displaced by q.
  explicit BoundaryOfBody(const Space<dim> &dimensions, const Vector *q = nullptr)
      : space(dimensions), positions(dimensions.nodes), faces(dimensions.boundary_faces) {
    for (std::size_t node = 0; q != nullptr && node < positions.size(); ++node)
      positions[node] += space.value_at(static_cast<unsigned int>(node), *q);
    for (const auto &face : faces)
      nodes.insert(nodes.end(), face.begin(), face.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const auto &face : faces) {
      double diameter = 0;
      for (std::size_t i = 0; i < face.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const double length = x(face[i]).distance(x(face[j]));
          shortest = std::min(shortest, length);
          diameter = std::max(diameter, length);
        }
      mean_diameter += diameter / static_cast<double>(faces.size());
    }
  }
  const dealii::Point<dim> &x(unsigned int node) const { return positions[node]; }

  const Space<dim> &space;
  std::vector<dealii::Point<dim>> positions; ///< positions of all nodes of the body
  const std::vector<std::vector<unsigned int>> &faces;
  std::vector<unsigned int> nodes; ///< nodes of the boundary, ascending
  double shortest =
      std::numeric_limits<double>::max(); ///< shortest edge or diagonal of a face [length]
  double mean_diameter = 0;               ///< mean diameter of the faces [length]
};

} // namespace percussion
