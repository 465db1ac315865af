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
  /// In the plane: the facet that ends here and the one that begins here, if any.
  unsigned int before = dealii::numbers::invalid_unsigned_int;
  unsigned int after = dealii::numbers::invalid_unsigned_int; ///< see before
  std::vector<unsigned int> facets; ///< in space: those with a corner here, ascending
};

/// A face of an elastic body.
template <int dim>
struct Facet;

/// A straight one from node to node, the body to its left.
template <>
struct Facet<2> {
  unsigned int begin = 0, end = 0; ///< among Facets::nodes
  unsigned int chain = 0;          ///< which of the connected lines of facets it belongs to

  /// Both nodes.
  std::array<unsigned int, 2> nodes() const { return {begin, end}; }
};

/// Up to four numbers, of the corners of a facet in space.
struct FacetCorners {
  std::array<unsigned int, 4> number{};
  unsigned int size = 0; ///< 3 or 4

  const unsigned int *begin() const { return number.data(); }
  const unsigned int *end() const { return number.data() + size; }
  unsigned int operator[](unsigned int i) const { return number[i]; }
};

/// A triangle or a quadrilateral, which may be warped: a bilinear one.
template <>
struct Facet<3> {
  FacetCorners corners;   ///< among Facets::nodes, counter-clockwise seen from outside
  unsigned int chain = 0; ///< which of the connected surfaces it belongs to
  /// The facet beyond the edge from a corner to the next; none where the surface ends.
  std::array<unsigned int, 4> neighbours{};

  /// See corners.
  const FacetCorners &nodes() const { return corners; }
};

/// The faces of some regions of elastic bodies, put together to lines or, in space, surfaces.
template <int dim>
struct Facets {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  std::vector<FacetNode<dim>> nodes;
  std::vector<Facet<dim>> facets;

  /// Whether a facet, or one that has a node in common with it, touches a node of the mesh.
  bool is_next_to(unsigned int facet, unsigned int mesh_node) const;

private:
  bool has_node(unsigned int facet, unsigned int mesh_node) const;
};

/// The faces of regions, by their names. Throws InputError where a region has none, or three faces
/// meet at a node or, in space, at an edge.
template <int dim>
Facets<dim> make_facets(const System<dim> &system, const std::vector<std::string> &regions);

template <>
bool Facets<2>::is_next_to(unsigned int, unsigned int) const;
template <>
bool Facets<3>::is_next_to(unsigned int, unsigned int) const;

} // namespace percussion
