#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/types.h>

#include <vector>

namespace percussion {

/// Symmetric matrix of the nodes' blocks on and above its diagonal, for products that read half of
/// the entries and one column index for each block: in 3D they take a third of the time of products
/// by rows, and the matrix a third of the memory.
///
/// A process stores the rows of its nodes (Partition), and the blocks of rows before them in their
/// columns. Products have the same bits for any number of processes.
class NodeMatrix {
public:
  NodeMatrix() = default;
  /// Copies the first rows and columns of A, symmetric, with `block` (2 or 3) consecutive rows for
  /// each node. Rows and columns of degrees of freedom that are not free become zero, except for
  /// the diagonal. Collective.
  NodeMatrix(const SparseMatrix &A, const std::vector<bool> &is_free, unsigned int block,
             const Partition &partition);

  /// Computes the rows of y = A x of this process; x must contain its entries and needed_dofs().
  void multiply(const double *x, double *y) const;
  /// Returns the degrees of freedom of other processes in the rows of this process.
  std::vector<unsigned int> needed_dofs() const;
  /// Returns an entry of the block of a node: i and j are of the same node.
  double of_node(unsigned int i, unsigned int j) const { return diagonal[i * block + j % block]; }

private:
  /// Blocks of rows of nodes, each row by row.
  struct Rows {
    std::vector<std::size_t> start{0}; ///< first block of each node of this process
    std::vector<unsigned int> column;  ///< node of each block's columns, ascending
    std::vector<double> values;
  };
  template <unsigned int d>
  void multiply_blocks(const double *x, double *y) const;

  unsigned int block = 3, first_node = 0;
  Rows upper;                   ///< blocks on and above the diagonal, the diagonal block first
  Rows before;                  ///< for each node, blocks above the diagonal in its column that
                                ///< are in rows of processes before this one
  std::vector<double> diagonal; ///< diagonal blocks of all nodes
};

} // namespace percussion
