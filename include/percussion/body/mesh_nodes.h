#pragma once

#include <percussion/body/mesh.h>

#include <deal.II/base/point.h>
#include <deal.II/grid/tria_accessor.h>

#include <vector>

namespace percussion {

/// Nodes of a mesh, in the order in which a Space numbers them: the vertices, by their numbers in
/// the mesh, and with order 2 the middles of the edges, of the faces of hexahedra, and of
/// quadrilaterals and hexahedra themselves.
///
/// The middles of the edges and faces of Mesh::linear_faces are no nodes. They have the mean
/// displacement of their vertices, so that the trace is linear there and a uniform pressure is
/// equivalent to forces on the vertices alone: contacts act on vertices with the same rows as in
/// meshes of first order, and transmit a uniform stress exactly (patch test). These linear middles
/// have the numbers behind the nodes.
template <int dim>
class MeshNodes {
public:
  /// Stores a reference to the mesh, which must outlive this object.
  explicit MeshNodes(const Mesh<dim> &mesh);

  /// Returns the number of nodes; larger numbers belong to linear middles.
  unsigned int n_nodes() const { return number_of_nodes; }
  /// Returns the nodes and linear middles of a cell in the order of deal.II's shape functions:
  /// vertices, middles of edges, of faces, of the cell.
  std::vector<unsigned int> cell_nodes(const dealii::CellAccessor<dim> &cell) const;
  /// Returns the nodes and linear middles of a face of a cell.
  std::vector<unsigned int> face_nodes(const dealii::CellAccessor<dim> &cell,
                                       unsigned int face) const;

  /// Adds the middles of the edges and faces of all regions to their nodes, and of the cells of
  /// regions of cells. In a region that is no part of the boundary, an edge of the mesh is an edge
  /// of the region if both its ends are in the region.
  void add_to_regions(Mesh<dim> &mesh) const;

  /// Positions of the nodes, then of the linear middles.
  std::vector<dealii::Point<dim>> positions;

private:
  void number_middles(const dealii::CellAccessor<dim> &cell, unsigned int mark);
  void mark_linear_faces();
  void add_middles_within(Region &region) const;

  const Mesh<dim> &mesh;
  unsigned int number_of_nodes;
  /// Node in the middle of each edge, face of a hexahedron and cell, by their indices in the mesh.
  std::vector<unsigned int> edges, quads, cells;
};

/// Numbers of the vertices of a cell of which a node is the middle, for the shape functions of
/// order 2 behind the vertices.
template <int dim>
std::vector<std::vector<unsigned int>> vertices_of_middles(CellShape shape);

} // namespace percussion
