#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>
#include <percussion/body/rigid_body.h>

#include <memory>
#include <vector>

namespace percussion {

/// M, K and C of M dv + (f + K q + C v) dt = F dt + dR, over all degrees of freedom: those of the
/// elastic bodies, then three for each rigid body, which has only a mass.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< of linear cells, symmetric positive semi-definite; with the pattern
                          ///< of all cells
  SparseMatrix viscosity; ///< η part + α M + β K of linear cells; empty unless `viscous`
  bool viscous = false;   ///< whether any cell has linear viscosity
  bool linear = false;    ///< whether any cell is linear
};

/// The operators of all bodies, assembled once.
template <int dim>
Operators assemble_operators(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
                             const std::vector<RigidBody<dim>> &rigid);

} // namespace percussion
