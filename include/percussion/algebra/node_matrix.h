#pragma once

#include <percussion/algebra/matrix_rows.h>
#include <percussion/algebra/partition.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace percussion {

/// Symmetric matrix of the nodes' blocks on and above its diagonal, for products that read half of
/// the entries and one column index for each block: in 3D they take a third of the time of products
/// by rows, and the matrix a third of the memory.
///
/// A process stores the rows of its nodes (Partition), the blocks of rows before them in their
/// columns, and the diagonal blocks of shared nodes. Products have the same bits for any number of
/// processes.
///
/// If the matrix is a sum of matrices that are stored by nodes, its blocks are computed from them
/// when they are read, and take no memory. Only stored blocks have indices and values.
class NodeMatrix {
public:
  NodeMatrix() = default;
  /// Copies the first rows and columns of A, symmetric, with `block` (2 or 3) consecutive rows for
  /// each node, or refers to the matrices of A if they are stored by nodes; they must then outlive
  /// this object. Rows and columns of degrees of freedom that are not free become zero, except for
  /// the diagonal.
  NodeMatrix(const MatrixRows &A, const std::vector<bool> &is_free, unsigned int block,
             const Partition &partition);
  /// Sends the diagonal blocks of the nodes of these degrees of freedom, the same on every process,
  /// to all processes. Collective.
  void share_diagonal_blocks(const std::vector<unsigned int> &dofs, const Partition &partition);

  /// Computes the rows of y = A x of this process; x must contain its entries and needed_dofs(),
  /// and be zero on degrees of freedom that are not free.
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
  double entry(unsigned int i, unsigned int j) const;
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
    pairs->visit_blocks([&](unsigned int row_node, unsigned int column_node, std::size_t k) {
      for (unsigned int r = 0; r < block; ++r)
        for (unsigned int c = column_node == row_node ? r : 0; c < block; ++c)
          visit(block * row_node + r, block * column_node + c, (k * block + r) * block + c);
    });
  }
  /// Calls visit(i, j, value) for the entries in the rows of this process that are in the pattern;
  /// the columns of each row ascend.
  template <typename Visit>
  void visit_rows(const Visit &visit) const {
    visit_blocks(
        [&](unsigned int row_node, unsigned int column_node, std::size_t, const double *a) {
          pairs->visit_entries(
              row_node, column_node, block,
              [this, a](unsigned int r, unsigned int c) { return a[block * r + c]; }, visit);
        });
  }
  using BlockVisit = std::function<void(unsigned int row_node, unsigned int column_node,
                                        std::size_t block, const double *entries)>;
  /// Calls visit(row_node, column_node, block, entries) for all blocks, see NodePattern.
  void visit_blocks(const BlockVisit &visit) const;
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

  void copy_free_blocks(const MatrixRows &A, const std::vector<bool> &is_free,
                        const Partition &partition);
  void exchange_shared_blocks(const Partition &partition);
  double own_entry(unsigned int i, unsigned int j) const;
  bool is_free(unsigned int dof) const { return sum->is_free[dof]; }
  bool owns_node(unsigned int node) const { return pairs->owns(node); }

  /// Sum of matrices that are stored by nodes.
  struct Sum {
    MatrixRows terms;
    std::vector<bool> is_free;
    std::vector<unsigned int> fixed; ///< degrees of freedom of this process that are not free
  };
  unsigned int block = 3;
  std::shared_ptr<const NodePattern> pairs = std::make_shared<NodePattern>();
  std::vector<double> values; ///< entries of each block, row by row; empty if it is a sum
  std::optional<Sum> sum;
  SharedNodes shared;
};

} // namespace percussion
