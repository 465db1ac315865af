#pragma once

#include <percussion/algebra/matrix_rows.h>
#include <percussion/algebra/partition.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace percussion {

/// Pairs of nodes with blocks in a NodeMatrix.
struct NodePattern {
  unsigned int first_node = 0; ///< first node of this process
  /// First blocks of each node of this process: of blocks above the diagonal in its column that are
  /// in rows of processes before this one, and of blocks in its rows on and above the diagonal, the
  /// diagonal block first. Then the end.
  std::vector<std::size_t> start{0};
  /// Second node of each block, ascending: of its columns, or of its rows if another process has
  /// them.
  std::vector<unsigned int> column;

  /// Returns the number of nodes of this process.
  unsigned int n_nodes() const { return static_cast<unsigned int>((start.size() - 1) / 2); }
};

/// Symmetric matrix of the nodes' blocks on and above its diagonal, for products that read half of
/// the entries and one column index for each block: in 3D they take a third of the time of products
/// by rows, and the matrix a third of the memory.
///
/// A process stores the rows of its nodes (Partition), the blocks of rows before them in their
/// columns, and the diagonal blocks of shared nodes. Products have the same bits for any number of
/// processes.
class NodeMatrix {
public:
  NodeMatrix() = default;
  /// Copies the first rows and columns of A, symmetric, with `block` (2 or 3) consecutive rows for
  /// each node. Rows and columns of degrees of freedom that are not free become zero, except for
  /// the diagonal.
  NodeMatrix(const MatrixRows &A, const std::vector<bool> &is_free, unsigned int block,
             const Partition &partition);
  /// Sends the diagonal blocks of the nodes of these degrees of freedom, the same on every process,
  /// to all processes. Collective.
  void share_diagonal_blocks(const std::vector<unsigned int> &dofs, const Partition &partition);

  /// Computes the rows of y = A x of this process; x must contain its entries and needed_dofs().
  void multiply(const double *x, double *y) const;
  /// Returns the degrees of freedom of other processes in the rows of this process.
  std::vector<unsigned int> needed_dofs() const;
  /// True if this process has the diagonal block of the node of a degree of freedom: of its own
  /// nodes, and of shared nodes.
  bool has_node_of(unsigned int dof) const {
    return owns_node(dof / block) ||
           std::binary_search(shared.nodes.begin(), shared.nodes.end(), dof / block);
  }
  /// Returns an entry of the diagonal block of a node that this process has: i and j are of the
  /// same node.
  double entry(unsigned int i, unsigned int j) const {
    return *(diagonal_block_of(i / block) + i % block * block + j % block);
  }
  /// Returns the index in block_values() of the entry (i, j), which is also (j, i), of a pair of
  /// degrees of freedom in the pattern; −1 if this process does not store it.
  int index(unsigned int i, unsigned int j) const;
  /// Returns the entries of the blocks. Set those that index() returns, then call
  /// complete_diagonal_blocks().
  std::vector<double> &block_values() { return values; }
  const std::vector<double> &block_values() const { return values; }
  /// Copies the entries above the diagonal in the blocks on the diagonal to those below it, and
  /// sends the blocks of shared nodes to all processes of the matrix. Collective.
  void complete_diagonal_blocks(const Partition &partition);
  /// Calls visit(i, j, index) for all entries with i ≤ j of an undivided matrix, by rows of blocks.
  template <typename Visit>
  void visit_entries(const Visit &visit) const {
    const std::vector<std::size_t> &start = pairs->start;
    for (unsigned int node = 0; node < pairs->n_nodes(); ++node)
      for (std::size_t k = start[2 * node + 1]; k < start[2 * node + 2]; ++k)
        for (unsigned int r = 0; r < block; ++r)
          for (unsigned int c = pairs->column[k] == node ? r : 0; c < block; ++c)
            visit(block * node + r, block * pairs->column[k] + c,
                  static_cast<std::size_t>(k * block + r) * block + c);
  }
  /// Returns the number of rows of this process.
  unsigned int size() const { return block * pairs->n_nodes(); }
  /// Returns the number of degrees of freedom of a node.
  unsigned int block_size() const { return block; }
  /// Returns the pairs of nodes with blocks.
  const std::shared_ptr<const NodePattern> &pattern() const { return pairs; }

private:
  /// Nodes whose diagonal blocks all processes have, in ascending order, and their blocks.
  struct SharedNodes {
    std::vector<unsigned int> nodes;
    std::vector<double> values;
  };

  template <unsigned int d>
  void multiply_blocks(const double *x, double *y) const;
  void exchange_shared_blocks(const Partition &partition);
  bool owns_node(unsigned int node) const {
    return node >= pairs->first_node && node < pairs->first_node + pairs->n_nodes();
  }
  const double *diagonal_block_of(unsigned int node) const {
    return owns_node(node)
               ? &values[diagonal_block(node)]
               : &shared
                      .values[static_cast<std::size_t>(
                                  std::lower_bound(shared.nodes.begin(), shared.nodes.end(), node) -
                                  shared.nodes.begin()) *
                              block * block];
  }
  /// Returns the index of the first entry of the diagonal block of a node of this process.
  std::size_t diagonal_block(unsigned int node) const {
    return pairs->start[2 * (node - pairs->first_node) + 1] * block * block;
  }

  unsigned int block = 3;
  std::shared_ptr<const NodePattern> pairs = std::make_shared<NodePattern>();
  std::vector<double> values; ///< entries of each block, row by row
  SharedNodes shared;
};

} // namespace percussion
