#pragma once

#include <percussion/algebra/sparse_matrix.h>

#include <map>
#include <vector>

namespace percussion {

/// Rows of a stored matrix, or of a sum of multiples of stored matrices with additions to the
/// diagonal, which are computed when they are read: the sum itself would take as much memory as the
/// largest of its terms.
class MatrixRows {
public:
  /// Stores a reference, which must outlive this object, as must the terms added later.
  MatrixRows(const SparseMatrix &A, double factor = 1.) : terms{{&A, factor}} {}
  /// Adds a multiple of a matrix whose entries are in the pattern of the first term.
  void add(const SparseMatrix &B, double factor) { terms.push_back({&B, factor}); }
  /// Adds to an entry of the diagonal.
  void add_to_diagonal(unsigned int i, double value) { additions[i] += value; }

  /// Returns row i, valid until the next call.
  SparseRow row(unsigned int i) const;
  /// Returns an entry; 0 if it is not stored.
  double entry(unsigned int i, unsigned int j) const;
  /// Returns the number of rows.
  unsigned int size() const { return terms.front().matrix->n_rows(); }

private:
  struct Term {
    const SparseMatrix *matrix;
    double factor;
  };
  std::vector<Term> terms;
  std::map<unsigned int, double> additions;
  mutable std::vector<double> values; ///< entries of the row last read
};

} // namespace percussion
