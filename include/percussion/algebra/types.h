#pragma once

#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

namespace percussion {

/// Matrices and vectors over all degrees of freedom of a body.
using SparseMatrix = dealii::TrilinosWrappers::SparseMatrix;
/// See SparseMatrix.
using Vector = dealii::TrilinosWrappers::MPI::Vector;

/// A vector of n zeros, all of it on this process.
inline Vector make_vector(unsigned int n) {
  return Vector(dealii::complete_index_set(n), MPI_COMM_SELF);
}

/// The entries of a vector as a plain array: element access through Trilinos searches an index map,
/// which costs more than the arithmetic of a step.
inline double *entries(Vector &v) { return v.begin(); }
/// To read only.
inline const double *entries(const Vector &v) { return v.begin(); }

} // namespace percussion
