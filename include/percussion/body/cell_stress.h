#pragma once

#include <percussion/body/finite_strain.h>

namespace percussion {

/// Cauchy stress of each cell of a body, averaged over its quadrature points, by active cell index.
///
/// The mean strain of a linear cell is linear in q: the mean gradients of the shape functions are
/// stored, so that a stress field costs as little as a matrix product.
template <int dim>
class CellStress {
public:
  /// Reads the mesh, which is not needed afterwards.
  explicit CellStress(const ElasticBody<dim> &body);

  /// Returns the number of cells.
  unsigned int n_cells() const { return static_cast<unsigned int>(first_node.size()) - 1; }
  /// Returns the stress of a cell at the displacements q [stress], including the out-of-plane
  /// components.
  dealii::SymmetricTensor<2, 3> operator()(unsigned int cell, const Vector &q) const;

private:
  struct CellNode {
    std::array<unsigned int, dim> dofs;
    dealii::Tensor<1, dim> mean_gradient;
  };

  /// Location of the law of a cell: in `laws` for linear cells, in `finite_strain` for the others.
  struct Place {
    bool is_linear;
    unsigned int law, cell;
  };
  std::vector<LinearElastic<dim>> laws;
  std::vector<Place> law_locations;
  std::vector<CellNode> nodes;
  std::vector<unsigned int> first_node; ///< first entry of each cell, and the end
  std::vector<FiniteStrain<dim>> finite_strain;
};

} // namespace percussion
