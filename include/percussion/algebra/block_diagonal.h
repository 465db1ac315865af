#pragma once

#include <percussion/algebra/types.h>

#include <vector>

namespace percussion {

/// A matrix of square blocks along its diagonal, which need not be symmetric, and its inverse.
/// Fixed rows and columns are those of a unit matrix in the inverse's place.
class BlockDiagonal {
public:
  /// With n rows, a multiple of the size of a block.
  BlockDiagonal(unsigned int n, unsigned int block_size);

  /// Number of rows.
  unsigned int size() const { return static_cast<unsigned int>(fixed.size()); }
  /// Rows of a block.
  unsigned int block_size() const { return d; }
  /// The block that a row is in.
  unsigned int block(unsigned int i) const { return i / d; }

  /// An entry of row i; j is in the same block.
  double &operator()(unsigned int i, unsigned int j) { return values[i * d + j % d]; }
  /// To read.
  double operator()(unsigned int i, unsigned int j) const { return values[i * d + j % d]; }
  /// Fix a row and its column.
  void fix(unsigned int i) { fixed[i] = true; }
  /// Whether a row is fixed.
  bool is_fixed(unsigned int i) const { return fixed[i]; }
  /// Take the blocks of a matrix whose rows from `first` on are those of this one.
  void set(const SparseMatrix &A, unsigned int first);

  /// False where a block has no inverse or, of size one, is not positive.
  bool factorise();
  /// An entry of the inverse; 0 between blocks and of what is fixed.
  double inverse(unsigned int i, unsigned int j) const {
    return block(i) == block(j) ? inverses[i * d + j % d] : 0.;
  }
  /// x on the rows that are not fixed, from b there and x on those that are.
  void solve(const double *b, double *x) const;
  /// x_j += (inverse)_ji f for the rows j of a block.
  void add_force(unsigned int i, double f, double *x) const;

private:
  bool invert(unsigned int first);

  unsigned int d;
  std::vector<bool> fixed;
  std::vector<double> values, inverses; ///< block by block, row by row
};

} // namespace percussion
