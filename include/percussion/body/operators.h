#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/space.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// What a linear elastic body is made of.
template <int dim>
struct LinearMaterial {
  double density;   ///< [mass / length^dim of space], in two dimensions per volume
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

/// Stress of every cell (averaged over its quadrature points) for the displacement q, by active
/// cell index.
template <int dim>
std::vector<dealii::SymmetricTensor<2, 3>>
cell_stress(const Space<dim> &space, const LinearMaterial<dim> &material, const Vector &q);

} // namespace percussion
