#pragma once

#include <percussion/algebra/types.h>
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
  unsigned int n_dofs() const { return static_cast<unsigned int>(dofs.n_dofs()); }
  /// Returns the number of nodes: vertices of the mesh.
  unsigned int n_nodes() const { return static_cast<unsigned int>(nodes.size()); }

  /// Degree of freedom, numbered over all bodies, of each node (mesh vertex) and component.
  std::vector<std::array<unsigned int, dim>> node_dofs;
  /// Returns the vector at a node in a field over all degrees of freedom.
  dealii::Tensor<1, dim> value_at(unsigned int node, const Vector &field) const {
    dealii::Tensor<1, dim> value;
    for (unsigned int d = 0; d < dim; ++d)
      value[d] = entries(field)[node_dofs[node][d]];
    return value;
  }
  /// Connected component of the body to which each node belongs, identified by its first node.
  std::vector<unsigned int> component;
  /// Undeformed positions of the nodes.
  std::vector<dealii::Point<dim>> nodes;
  /// Shortest edge at each node, the reference length of tolerances.
  std::vector<double> local_size;
};

} // namespace percussion
