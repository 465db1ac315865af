#pragma once

#include <percussion/algebra/matrix_rows.h>

#include <vector>

namespace percussion {

/// Matrix of square blocks along its diagonal, which need not be symmetric, and its inverse. In the
/// inverse, fixed rows and columns equal the rows and columns of a unit matrix.
class BlockDiagonal {
public:
  /// Allocates n rows, a multiple of the size of a block.
  BlockDiagonal(unsigned int n, unsigned int block_size);

  /// Returns the number of rows.
  unsigned int size() const { return static_cast<unsigned int>(fixed.size()); }
  /// Returns the number of rows of a block.
  unsigned int block_size() const { return d; }
  /// Returns the block that contains row i.
  unsigned int block(unsigned int i) const { return i / d; }

  /// Returns an entry of row i, to be written; j is in the same block.
  double &operator()(unsigned int i, unsigned int j) { return values[i * d + j % d]; }
  /// Returns an entry of row i.
  double operator()(unsigned int i, unsigned int j) const { return values[i * d + j % d]; }
  /// Fixes a row and its column.
  void fix(unsigned int i) { fixed[i] = true; }
  /// Returns true if a row is fixed.
  bool is_fixed(unsigned int i) const { return fixed[i]; }
  /// Copies the blocks of a matrix whose rows from `first` on correspond to the rows of this one.
  void set(const MatrixRows &A, unsigned int first);

  /// Inverts the blocks. Returns false if a block has no inverse or, with one row, is not positive.
  [[nodiscard]] bool factorise();
  /// Returns an entry of the inverse; 0 between different blocks and for fixed rows.
  double inverse(unsigned int i, unsigned int j) const {
    return block(i) == block(j) ? inverses[i * d + j % d] : 0.;
  }
  /// Computes x on the rows that are not fixed from b on these rows and from x on the fixed ones.
  void solve(const double *b, double *x) const;
  /// Adds (inverse)_ji f to x_j for the rows j of the block of row i.
  void add_force(unsigned int i, double f, double *x) const;

private:
  bool invert(unsigned int first);

  unsigned int d;
  std::vector<bool> fixed;
  std::vector<double> values, inverses; ///< block by block, each row by row
};

} // namespace percussion
