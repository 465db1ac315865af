#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/mesh.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/full_matrix.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace percussion {

/// Middles of the cells of a mesh of second order (MeshNodes); with order 1 there are none.
struct Middles {
  /// Vertices of a cell, by their numbers in it, of which its nodes behind the vertices are the
  /// middles.
  std::vector<std::vector<unsigned int>> vertices_in_cell;
  /// Vertices of each middle that is no node: a linear middle.
  std::vector<std::vector<unsigned int>> linear;
  /// Bit k of a cell is 1 if its k-th node is a linear middle; empty without linear middles.
  std::vector<std::uint32_t> linear_in_cell;
  /// Numbers of the nodes and linear middles of the cells that have linear middles.
  std::map<unsigned int, std::vector<unsigned int>> numbers_in_cell;
};

/// Finite-element space of displacements on a mesh: T3 or Q4 in two dimensions, T4 or H8 in three;
/// of second order T6, Q9, T10 or H27 on straight cells.
///
/// A node is a vertex or, with order 2, a middle (MeshNodes). On faces with a linear trace some
/// middles are no nodes: their shape functions are added, in equal fractions, to the functions of
/// their vertices, so that the sum of all remains 1. In the list of nodes of a cell a vertex of the
/// cell stands for such a middle, with a shape function that is zero.
template <int dim>
class Space {
public:
  /// The mesh must outlive the space. Its degrees of freedom are numbered from `first_dof` on,
  /// after the degrees of freedom of other bodies.
  explicit Space(const Mesh<dim> &mesh, unsigned int first_dof = 0);

  /// Frees deal.II's numbers of degrees of freedom; `cell_nodes` and `node_dofs` stay.
  void release_cells() { dofs.clear(); }

  const Mesh<dim> &mesh;
  unsigned int first_dof;
  std::unique_ptr<dealii::Mapping<dim>> mapping;
  dealii::FESystem<dim> element;
  dealii::DoFHandler<dim> dofs;

  /// Quadrature of the stiffness: one point for T3 and T4, three for T6, four for T10, 2 × 2 (× 2)
  /// for Q4 and H8, 3 × 3 (× 3) for Q9 and H27.
  dealii::Quadrature<dim> stiffness_quadrature;
  /// Quadrature that is exact for products of two shape functions.
  dealii::Quadrature<dim> mass_quadrature;
  dealii::Quadrature<dim - 1> face_quadrature;

  /// Returns the number of degrees of freedom: dim for each node.
  unsigned int n_dofs() const { return dim * n_nodes(); }
  /// Returns the number of nodes, of which the first are the vertices of the mesh.
  unsigned int n_nodes() const { return static_cast<unsigned int>(nodes.size()); }

  /// Degree of freedom, numbered over all bodies, of each node and component; a node has
  /// consecutive ones.
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
  /// Returns the number of shape functions of a cell for each component.
  unsigned int nodes_per_cell() const { return element.n_dofs_per_cell() / dim; }
  /// Returns the number of vertices of a cell, which are the first of its nodes.
  unsigned int vertices_per_cell() const {
    return nodes_per_cell() - static_cast<unsigned int>(middles.vertices_in_cell.size());
  }
  /// Returns the number of cells.
  unsigned int n_cells() const {
    return static_cast<unsigned int>(cell_nodes.size()) / nodes_per_cell();
  }
  /// Returns the nodes of a cell, by its active index, in the order of deal.II's shape functions.
  const unsigned int *nodes_of(unsigned int cell) const {
    return cell_nodes.data() + std::size_t(cell) * nodes_per_cell();
  }
  /// Returns the degree of freedom of a shape function of a cell.
  unsigned int dof_of_cell(unsigned int cell, unsigned int shape) const {
    const auto [direction, k] = element.system_to_component_index(shape);
    return node_dofs[nodes_of(cell)[k]][direction];
  }
  /// Returns true if the middle with this number among the nodes of a cell is no node.
  bool is_linear_middle(unsigned int cell, unsigned int k) const {
    return !middles.linear_in_cell.empty() && (middles.linear_in_cell[cell] >> k & 1u) != 0u;
  }
  /// Adds the values or gradients of the shape functions of middles that are no nodes to the
  /// functions of their vertices, and sets them to zero. `values[k]` belongs to nodes_of(cell)[k].
  template <typename Values>
  void join_linear_middles(unsigned int cell, Values &values) const {
    if (middles.linear_in_cell.empty() || middles.linear_in_cell[cell] == 0u)
      return;
    for (unsigned int k = vertices_per_cell(); k < nodes_per_cell(); ++k)
      if (is_linear_middle(cell, k)) {
        const auto &ends = middles.vertices_in_cell[k - vertices_per_cell()];
        for (const unsigned int v : ends)
          values[v] += (1. / static_cast<double>(ends.size())) * values[k];
        values[k] *= 0.;
      }
  }
  /// Does the same for the rows and columns of a matrix of a cell.
  void join_linear_middles(unsigned int cell, dealii::FullMatrix<double> &cell_matrix) const;
  /// Returns the number of the k-th node of a cell, or of the linear middle there: n_nodes() plus
  /// its position among `middles.linear`.
  unsigned int number_in_cell(unsigned int cell, unsigned int k) const {
    return is_linear_middle(cell, k) ? middles.numbers_in_cell.at(cell)[k] : nodes_of(cell)[k];
  }
  /// Nodes of each cell, one cell after the other.
  std::vector<unsigned int> cell_nodes;
  Middles middles;
  /// Vertices of each boundary face, in deal.II's order.
  std::vector<std::vector<unsigned int>> boundary_faces;
  /// Connected component of the body to which each node belongs, identified by its first node.
  std::vector<unsigned int> component;
  /// Undeformed positions of the nodes.
  std::vector<dealii::Point<dim>> nodes;
  /// Shortest edge at each node, the reference length of tolerances.
  std::vector<double> local_size;

private:
  void number_dofs();
  void add_cell(unsigned int cell, const std::vector<unsigned int> &cell_slots);
};

} // namespace percussion
