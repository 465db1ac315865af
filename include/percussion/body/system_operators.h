#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/sparse_matrix.h>
#include <percussion/body/rigid_body.h>

#include <memory>
#include <vector>

namespace percussion {

template <int dim>
class ElasticBody;

/// Storage of the rows of elastic bodies: by rows, all of them on every process; or in 3D as
/// symmetric blocks of nodes (SparseMatrix), of which a process stores its range of the Partition.
/// Factors need rows.
enum class MatrixStorage { rows, nodes };

/// Operators M, K and C of M dv + (f + K q + C v) dt = F dt + dR, over all degrees of freedom:
/// first the elastic bodies, then three for each rigid body (six in 3D), which has only a mass.
struct Operators {
  SparseMatrix mass;      ///< consistent
  SparseMatrix stiffness; ///< for linear cells, symmetric positive semi-definite; has the pattern
                          ///< of all cells
  SparseMatrix viscosity; ///< viscosity η + α M + β K of linear cells; empty unless `viscous`
  Partition partition;    ///< ranges of rows that the processes multiply; undivided in 2D
  MatrixStorage storage = MatrixStorage::rows;
  double n_stiffness_entries = 0; ///< number of entries of K on all processes together
  bool viscous = false;           ///< true if any cell has linear viscosity
  bool linear = false;            ///< true if any cell is linear

  /// True if this process stores the row of a degree of freedom.
  bool has_row(unsigned int dof) const {
    return storage == MatrixStorage::rows || partition.owns(dof) || dof >= partition.size();
  }
};

/// Assembles the operators of all bodies. Collective.
template <int dim>
Operators assemble_operators(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
                             const std::vector<RigidBody<dim>> &rigid, MatrixStorage storage);

} // namespace percussion
