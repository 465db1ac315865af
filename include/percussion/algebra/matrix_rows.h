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

  /// True if the first rows are blocks of nodes, see SparseMatrix.
  bool has_node_blocks() const { return terms.front().matrix->has_node_blocks(); }
  /// Calls visit(matrix, factor) for all terms.
  template <typename Visit>
  void visit_terms(const Visit &visit) const {
    for (const Term &term : terms)
      visit(*term.matrix, term.factor);
  }
  /// Returns the additions to the diagonal, by degrees of freedom.
  const std::map<unsigned int, double> &diagonal_additions() const { return additions; }

  /// Returns row i, valid until the next call. It must not be in blocks of nodes.
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
