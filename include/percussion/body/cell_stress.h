#pragma once

#include <percussion/body/finite_strain.h>

namespace percussion {

/// Cauchy stress of every cell of a body, averaged over its quadrature points, by active cell
/// index.
///
/// The mean strain of a linear cell is linear in q: the mean gradients of the shape functions are
/// kept, which makes a stress field as cheap as a matrix product.
template <int dim>
class CellStress {
public:
  /// Looks at the mesh once.
  explicit CellStress(const ElasticBody<dim> &body);

  /// Number of cells.
  unsigned int n_cells() const { return static_cast<unsigned int>(first_node.size()) - 1; }
  /// Stress of a cell at the displacements q [stress]; the components out of the plane are in it.
  dealii::SymmetricTensor<2, 3> operator()(unsigned int cell, const Vector &q) const;

private:
  struct CellNode {
    std::array<unsigned int, dim> dofs;
    dealii::Tensor<1, dim> mean_gradient;
  };

  /// Where the law of a cell stands: of linear cells in `laws`, of others in `finite_strain`.
  struct Place {
    bool is_linear;
    unsigned int law, cell;
  };
  std::vector<LinearElastic<dim>> laws;
  std::vector<Place> place;
  std::vector<CellNode> nodes;
  std::vector<unsigned int> first_node; ///< of each cell, and the end
  std::vector<FiniteStrain<dim>> finite_strain;
};

} // namespace percussion
