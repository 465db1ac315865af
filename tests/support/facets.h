#pragma once

#include <percussion/contact/facets.h>

namespace percussion::test {

/// Returns the undeformed positions of the nodes of facets.
template <int dim>
std::vector<dealii::Point<dim>> undeformed(const Facets<dim> &facets) {
  std::vector<dealii::Point<dim>> positions;
  for (const FacetNode<dim> &node : facets.nodes)
    positions.push_back(node.position);
  return positions;
}

} // namespace percussion::test
