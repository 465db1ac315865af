#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/sparse_matrix.h>
#include <percussion/body/rigid_body.h>

#include <memory>
#include <vector>

namespace percussion {

template <int dim>
class ElasticBody;

/// Rows of matrices that a process stores: all, or the rows of its range of the Partition, and the
/// entries in the columns of this range of the nodes that share cells with it.
enum class StoredRows { all, owned };

/// Operators M, K and C of M dv + (f + K q + C v) dt = F dt + dR, over all degrees of freedom:
/// first the elastic bodies, then three for each rigid body (six in 3D), which has only a mass.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< for linear cells, symmetric positive semi-definite; has the pattern
                          ///< of all cells
  SparseMatrix viscosity; ///< viscosity η + α M + β K of linear cells; empty unless `viscous`
  Partition partition;    ///< ranges of rows that the processes multiply; undivided in 2D
  StoredRows rows = StoredRows::all;
  double n_stiffness_entries = 0; ///< number of entries of K on all processes together
  bool viscous = false;           ///< true if any cell has linear viscosity
  bool linear = false;            ///< true if any cell is linear
};

/// Assembles the operators of all bodies. Collective.
template <int dim>
Operators assemble_operators(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
                             const std::vector<RigidBody<dim>> &rigid, StoredRows rows);

} // namespace percussion
