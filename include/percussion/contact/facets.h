#pragma once

#include <percussion/body/system.h>

#include <deal.II/base/types.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Node of the faces of elastic bodies on either side of a contact.
template <int dim>
struct FacetNode {
  unsigned int elastic = 0;    ///< index of the elastic body
  unsigned int node = 0;       ///< node of its mesh
  unsigned int entry = 0;      ///< first of dim entries of Boundary::trace
  dealii::Point<dim> position; ///< undeformed position
  double area = 0;             ///< tributary area [length^(dim−1) × thickness]
  double size = 0;             ///< shortest edge at the node [length]
  /// 2D: facet that ends at the node, if any.
  unsigned int previous_facet = dealii::numbers::invalid_unsigned_int;
  /// 2D: facet that begins at the node, if any.
  unsigned int next_facet = dealii::numbers::invalid_unsigned_int;
  std::vector<unsigned int> facets; ///< 3D: facets with a corner at the node, ascending
};

/// Face of an elastic body.
template <int dim>
struct Facet;

/// Straight facet from node to node, with the body to its left.
template <>
struct Facet<2> {
  unsigned int begin = 0, end = 0; ///< indices in Facets::nodes
  unsigned int chain = 0;          ///< index of its connected line of facets

  /// Returns both nodes.
  std::array<unsigned int, 2> nodes() const { return {begin, end}; }
};

/// Indices of the corners of a facet in 3D, at most four.
struct FacetCorners {
  std::array<unsigned int, 4> number{};
  unsigned int size = 0; ///< number of corners: 3 or 4

  const unsigned int *begin() const { return number.data(); }
  const unsigned int *end() const { return number.data() + size; }
  unsigned int operator[](unsigned int i) const { return number[i]; }
};

/// Triangle or bilinear quadrilateral, which may be warped.
template <>
struct Facet<3> {
  FacetCorners corners;   ///< indices in Facets::nodes, counter-clockwise seen from outside
  unsigned int chain = 0; ///< index of its connected surface of facets
  /// Facets beyond the edges from each corner to the next; none at the end of the surface.
  std::array<unsigned int, 4> neighbours{};

  /// Returns the corners.
  const FacetCorners &nodes() const { return corners; }
};

/// Faces of regions of elastic bodies, assembled to lines (2D) or surfaces (3D).
template <int dim>
struct Facets {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  std::vector<FacetNode<dim>> nodes;
  std::vector<Facet<dim>> facets;
  bool is_axisymmetric = false; ///< true for lines of bodies of revolution

  /// True if a facet, or a facet that shares a node with it, contains a node of the mesh.
  bool is_next_to(unsigned int facet, unsigned int mesh_node) const;

private:
  bool has_node(unsigned int facet, unsigned int mesh_node) const;
};

/// Assembles the faces of the named regions. Throws InputError if a region has no faces, or if
/// three faces meet at a node (2D) or at an edge (3D).
template <int dim>
Facets<dim> make_facets(const System<dim> &system, const std::vector<std::string> &regions);

template <>
bool Facets<2>::is_next_to(unsigned int, unsigned int) const;
template <>
bool Facets<3>::is_next_to(unsigned int, unsigned int) const;

} // namespace percussion
