#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/mesh.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping.h>

#include <array>
#include <memory>
#include <vector>

namespace percussion {

/// First-order finite-element space of displacements on a mesh: T3 or Q4 in two dimensions, T4 or
/// H8 in three.
template <int dim>
class Space {
public:
  /// The mesh must outlive the space. Its degrees of freedom are numbered from `first_dof` on,
  /// after the degrees of freedom of other bodies.
  explicit Space(const Mesh<dim> &mesh, unsigned int first_dof = 0);

  /// Frees deal.II's numbers of degrees of freedom; `corners` and `node_dofs` stay.
  void release_cells() { dofs.clear(); }

  const Mesh<dim> &mesh;
  unsigned int first_dof;
  std::unique_ptr<dealii::Mapping<dim>> mapping;
  dealii::FESystem<dim> element;
  dealii::DoFHandler<dim> dofs;

  /// Quadrature of the stiffness: one point for T3 and T4, 2 × 2 (× 2) for Q4 and H8.
  dealii::Quadrature<dim> stiffness_quadrature;
  /// Quadrature that is exact for products of two shape functions.
  dealii::Quadrature<dim> mass_quadrature;
  dealii::Quadrature<dim - 1> face_quadrature;

  /// Returns the number of degrees of freedom: dim for each node.
  unsigned int n_dofs() const { return dim * n_nodes(); }
  /// Returns the number of nodes: vertices of the mesh.
  unsigned int n_nodes() const { return static_cast<unsigned int>(nodes.size()); }

  /// Degree of freedom, numbered over all bodies, of each node (mesh vertex) and component; those
  /// of a node are consecutive.
  std::vector<std::array<unsigned int, dim>> node_dofs;
  /// Returns the number of a node among the nodes of all bodies, which are in the order of their
  /// degrees of freedom.
  unsigned int number_of_node(unsigned int node) const { return node_dofs[node][0] / dim; }
  /// Returns the vector at a node in a field over all degrees of freedom.
  dealii::Tensor<1, dim> value_at(unsigned int node, const Vector &field) const {
    dealii::Tensor<1, dim> value;
    for (unsigned int d = 0; d < dim; ++d)
      value[d] = field[node_dofs[node][d]];
    return value;
  }
  /// Writes component d at a node of a field over all degrees of freedom.
  void set_value(unsigned int node, unsigned int d, double value, Vector &field) const {
    field[node_dofs[node][d]] = value;
  }
  /// Returns the number of corners of a cell.
  unsigned int n_corners() const { return element.n_dofs_per_cell() / dim; }
  /// Returns the number of cells.
  unsigned int n_cells() const { return static_cast<unsigned int>(corners.size()) / n_corners(); }
  /// Returns the nodes of a cell, by its active index, in deal.II's order.
  const unsigned int *corners_of(unsigned int cell) const {
    return corners.data() + std::size_t(cell) * n_corners();
  }
  /// Nodes of each cell, one cell after the other.
  std::vector<unsigned int> corners;
  /// Nodes of each boundary face, in deal.II's order.
  std::vector<std::vector<unsigned int>> boundary_faces;
  /// Connected component of the body to which each node belongs, identified by its first node.
  std::vector<unsigned int> component;
  /// Undeformed positions of the nodes.
  std::vector<dealii::Point<dim>> nodes;
  /// Shortest edge at each node, the reference length of tolerances.
  std::vector<double> local_size;
};

} // namespace percussion
