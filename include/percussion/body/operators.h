#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/space.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// What a linear elastic body is made of.
template <int dim>
struct LinearMaterial {
  double density;   ///< [mass / length³]
  double thickness; ///< out-of-plane size of a two-dimensional body [length]; 1 in three dimensions
  LinearElastic<dim> elastic;
  LinearViscosity viscosity;
};

/// M, K and C of M dv + (K q + C v) dt = F dt + dR, over all degrees of freedom.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< symmetric positive semi-definite
  SparseMatrix viscosity; ///< η part + α M + β K; empty unless `viscous`
  bool viscous = false;
};

template <int dim>
Operators assemble_operators(const Space<dim> &space, const LinearMaterial<dim> &material);

/// Stress of every cell, averaged over its quadrature points, by active cell index.
///
/// The mean strain is linear in q: the mean gradients of the shape functions are kept, which makes
/// a stress field as cheap as a matrix product.
template <int dim>
class CellStress {
public:
  CellStress(const Space<dim> &space, const LinearElastic<dim> &law);

  unsigned int n_cells() const { return static_cast<unsigned int>(first_node.size()) - 1; }
  dealii::SymmetricTensor<2, 3> operator()(unsigned int cell, const Vector &q) const;

private:
  struct CellNode {
    std::array<unsigned int, dim> dofs;
    dealii::Tensor<1, dim> mean_gradient;
  };

  LinearElastic<dim> law;
  std::vector<CellNode> nodes;
  std::vector<unsigned int> first_node; ///< of each cell, and the end
};

} // namespace percussion
