#pragma once

#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <algorithm>
#include <vector>

namespace percussion {

/// Matrix over all degrees of freedom.
using SparseMatrix = dealii::TrilinosWrappers::SparseMatrix;
/// Vector over all degrees of freedom.
using Vector = dealii::TrilinosWrappers::MPI::Vector;

/// Returns a vector of n zeros, owned entirely by this process.
inline Vector make_vector(unsigned int n) {
  return Vector(dealii::complete_index_set(n), MPI_COMM_SELF);
}

/// Returns the entries of a vector that this process owns, as a plain array: element access through
/// Trilinos searches an index map, which costs more than the arithmetic of a step.
inline double *entries(Vector &v) { return v.begin(); }
/// Returns the entries, to be read.
inline const double *entries(const Vector &v) { return v.begin(); }

/// Returns a copy of the entries.
inline std::vector<double> copy_of(const Vector &v) { return {v.begin(), v.end()}; }
/// Returns a vector of these entries.
inline Vector make_vector(const std::vector<double> &values) {
  Vector v = make_vector(static_cast<unsigned int>(values.size()));
  std::copy(values.begin(), values.end(), entries(v));
  return v;
}

/// Returns the number of entries that this process owns.
inline unsigned int n_owned(const Vector &v) {
  return static_cast<unsigned int>(v.locally_owned_size());
}

/// Returns a sum over n entries: f(i, sum) adds the terms of entry i.
template <typename Function>
double sum_over(unsigned int n, const Function &f) {
  double sum = 0;
  for (unsigned int i = 0; i < n; ++i)
    f(i, sum);
  return sum;
}

/// Computes z = a x + b y.
void combine(double a, const Vector &x, double b, const Vector &y, Vector &z);

/// Returns x · y of n entries, by four independent sums.
double dot(const double *x, const double *y, unsigned int n);
/// Returns x · y.
inline double dot(const Vector &x, const Vector &y) {
  return dot(entries(x), entries(y), n_owned(x));
}

/// Row of a sparse matrix, to be read.
struct SparseRow {
  const int *column;   ///< degree of freedom of each entry
  const double *value; ///< its values
  int size;            ///< number of entries
};
/// Returns row i of A.
SparseRow row(const SparseMatrix &A, unsigned int i);

/// Computes y = A x.
void multiply(const SparseMatrix &A, const Vector &x, Vector &y);
/// Computes the rows [begin, end) of y = A x.
void multiply_rows(const SparseMatrix &A, unsigned int begin, unsigned int end, const Vector &x,
                   Vector &y);

class Partition;
/// Does so with the rows of this process, and receives the other rows. Collective.
void multiply(const SparseMatrix &A, const Partition &partition, const Vector &x, Vector &y);

} // namespace percussion
