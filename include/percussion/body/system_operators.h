#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>
#include <percussion/body/rigid_body.h>

#include <memory>
#include <vector>

namespace percussion {

/// Operators M, K and C of M dv + (f + K q + C v) dt = F dt + dR, over all degrees of freedom:
/// first the elastic bodies, then three for each rigid body (six in 3D), which has only a mass.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< for linear cells, symmetric positive semi-definite; has the pattern
                          ///< of all cells
  SparseMatrix viscosity; ///< viscosity η + α M + β K of linear cells; empty unless `viscous`
  bool viscous = false;   ///< true if any cell has linear viscosity
  bool linear = false;    ///< true if any cell is linear
};

/// Assembles the operators of all bodies.
template <int dim>
Operators assemble_operators(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
                             const std::vector<RigidBody<dim>> &rigid);

} // namespace percussion
