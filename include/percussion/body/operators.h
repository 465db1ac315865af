#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/material.h>
#include <percussion/body/space.h>

namespace percussion {

/// M, K and C of M dv + (K q + C v) dt = F dt + dR, over all degrees of freedom. For finite strains
/// K is that of the undeformed body.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< symmetric positive semi-definite
  SparseMatrix viscosity; ///< η part + α M + β K; empty unless `viscous`
  bool viscous = false;   ///< whether there is any viscosity
};

/// The operators of an elastic body, assembled once.
template <int dim>
Operators assemble_operators(const Space<dim> &space, const Material<dim> &material);

} // namespace percussion
