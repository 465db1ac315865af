#pragma once

#include <percussion/body/system.h>

#include <deal.II/base/types.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// A node of faces of elastic bodies that may touch or be touched.
template <int dim>
struct FacetNode {
  unsigned int elastic = 0;             ///< elastic body
  unsigned int node = 0;                ///< of its mesh
  std::array<unsigned int, dim> dofs{}; ///< degrees of freedom
  dealii::Point<dim> position;          ///< undeformed
  double area = 0;                      ///< tributary area [length^(dim−1) × thickness]
  double size = 0;                      ///< shortest edge at it [length]
  unsigned int before = dealii::numbers::invalid_unsigned_int; ///< facet that ends here, if any
  unsigned int after = dealii::numbers::invalid_unsigned_int;  ///< facet that begins here, if any
};

/// A straight face from node to node, the body to its left.
struct Facet {
  unsigned int begin = 0, end = 0; ///< among Facets::nodes
  unsigned int chain = 0;          ///< which of the connected lines of facets it belongs to
};

/// The faces of some regions of elastic bodies, put together to lines.
template <int dim>
struct Facets {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  std::vector<FacetNode<dim>> nodes;
  std::vector<Facet> facets;

  /// The nodes before and after one, or none at the ends of its line.
  unsigned int node_before(unsigned int node) const {
    return nodes[node].before == none ? none : facets[nodes[node].before].begin;
  }
  /// See node_before().
  unsigned int node_after(unsigned int node) const {
    return nodes[node].after == none ? none : facets[nodes[node].after].end;
  }
  /// Whether a facet touches a node of a mesh.
  bool has_node(const Facet &facet, unsigned int mesh_node) const {
    return nodes[facet.begin].node == mesh_node || nodes[facet.end].node == mesh_node;
  }
};

/// The faces of regions, by their names. Throws InputError where a region has none, or three faces
/// meet at a node.
template <int dim>
Facets<dim> make_facets(const System<dim> &system, const std::vector<std::string> &regions);

} // namespace percussion
