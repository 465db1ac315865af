#pragma once

#include <percussion/algebra/node_pattern.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace percussion {

/// Symmetric matrix of blocks of two nodes, on and above its diagonal. Each block is a matrix of
/// block_size² entries, row by row, or a multiple of the unit matrix, for which one number is
/// stored.
struct NodeBlocks {
  std::shared_ptr<const NodePattern> pattern; ///< null: no rows
  unsigned int block_size = 3;                ///< degrees of freedom of a node
  bool are_scalar = false;                    ///< true if blocks are multiples of the unit matrix
  std::vector<double> values;

  /// Allocates blocks of zeros.
  void allocate(std::shared_ptr<const NodePattern> node_pattern, unsigned int n_node_dofs,
                bool scalar) {
    pattern = std::move(node_pattern);
    block_size = n_node_dofs;
    are_scalar = scalar;
    values.assign(pattern->column.size() * n_block_entries(), 0.);
  }
  /// Returns the number of values of a block.
  unsigned int n_block_entries() const { return are_scalar ? 1 : block_size * block_size; }
  /// Returns the entry (r, c) of a block.
  double entry(std::size_t block, unsigned int r, unsigned int c) const {
    if (are_scalar)
      return r == c ? values[block] : 0.;
    return values[(block * block_size + r) * block_size + c];
  }
  /// Returns the entry (i, j) of two degrees of freedom; 0 if this process does not store it.
  double entry(unsigned int i, unsigned int j) const {
    if (i / block_size > j / block_size)
      std::swap(i, j);
    const std::size_t block = pattern->find(i / block_size, j / block_size);
    return block == NodePattern::none ? 0. : entry(block, i % block_size, j % block_size);
  }
};

} // namespace percussion
