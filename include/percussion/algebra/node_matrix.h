#pragma once

#include <percussion/algebra/types.h>

#include <vector>

namespace percussion {

/// Symmetric matrix of the nodes' blocks on and above its diagonal, for products that read half of
/// the entries and one column index for each block: in 3D they take a third of the time of products
/// by rows, and the matrix a third of the memory.
class NodeMatrix {
public:
  NodeMatrix() = default;
  /// Copies the first rows and columns of A, symmetric, with `block` (2 or 3) consecutive rows for
  /// each node. Rows and columns of degrees of freedom that are not free become zero, except for
  /// the diagonal.
  NodeMatrix(const SparseMatrix &A, const std::vector<bool> &is_free, unsigned int block);

  /// Computes y = A x.
  void multiply(const double *x, double *y) const;
  /// Returns an entry of the block of a node: i and j are of the same node.
  double of_node(unsigned int i, unsigned int j) const {
    const std::size_t first = start[i / block] * block * block;
    return values[first + i % block * block + j % block];
  }
  /// Returns the number of rows.
  unsigned int size() const {
    return start.empty() ? 0 : block * static_cast<unsigned int>(start.size() - 1);
  }

private:
  template <unsigned int d>
  void multiply_blocks(const double *x, double *y) const;

  unsigned int block = 3;
  std::vector<std::size_t> start;   ///< first block of each row of blocks: the diagonal block
  std::vector<unsigned int> column; ///< node of each block's columns
  std::vector<double> values;       ///< blocks, each row by row
};

} // namespace percussion
