#pragma once

#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <algorithm>
#include <array>

namespace percussion {

/// Matrices and vectors over all degrees of freedom.
using SparseMatrix = dealii::TrilinosWrappers::SparseMatrix;
/// See SparseMatrix.
using Vector = dealii::TrilinosWrappers::MPI::Vector;

/// A vector of n zeros, all of it on this process.
inline Vector make_vector(unsigned int n) {
  return Vector(dealii::complete_index_set(n), MPI_COMM_SELF);
}

/// The entries of a vector that this process owns, as a plain array: element access through
/// Trilinos searches an index map, which costs more than the arithmetic of a step.
inline double *entries(Vector &v) { return v.begin(); }
/// To read only.
inline const double *entries(const Vector &v) { return v.begin(); }

/// Number of entries that this process owns.
inline unsigned int n_owned(const Vector &v) {
  return static_cast<unsigned int>(v.locally_owned_size());
}

/// Σ_i f(i) over all degrees of freedom, of k sums at once: f(i, sums) adds what the entry i of the
/// process has, and the sums of all processes are added up. `layout` says who owns what.
template <std::size_t k, typename Function>
std::array<double, k> sums(const Vector &layout, const Function &f) {
  std::array<double, k> sum{};
  for (unsigned int i = 0; i < n_owned(layout); ++i)
    f(i, sum);
  if (dealii::Utilities::MPI::n_mpi_processes(layout.get_mpi_communicator()) > 1)
    for (double &s : sum)
      s = dealii::Utilities::MPI::sum(s, layout.get_mpi_communicator());
  return sum;
}

/// max_i |f(i)| over all degrees of freedom of all processes; 0 if there are none.
template <typename Function>
double largest(const Vector &layout, const Function &f) {
  double value = 0;
  for (unsigned int i = 0; i < n_owned(layout); ++i)
    value = std::max(value, std::abs(f(i)));
  return dealii::Utilities::MPI::n_mpi_processes(layout.get_mpi_communicator()) > 1
             ? dealii::Utilities::MPI::max(value, layout.get_mpi_communicator())
             : value;
}

/// x · y, by four sums, which do not wait for each other.
double dot(const Vector &x, const Vector &y);

/// A row of a sparse matrix, to read only.
struct SparseRow {
  const int *column;   ///< degree of freedom of each entry
  const double *value; ///< its values
  int size;            ///< number of entries
};
/// See SparseRow.
SparseRow row(const SparseMatrix &A, unsigned int i);

/// y = A x.
void multiply(const SparseMatrix &A, const Vector &x, Vector &y);

} // namespace percussion
