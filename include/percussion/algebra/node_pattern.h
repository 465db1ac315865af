#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace percussion {

/// Pairs of nodes with blocks in a symmetric matrix, of which a process stores the blocks on and
/// above the diagonal in the rows of its nodes, and the blocks in the columns of its nodes that
/// are in rows of processes before it.
struct NodePattern {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

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
  /// Returns the node after the last one of this process.
  unsigned int end_node() const { return first_node + n_nodes(); }
  /// True if this process has the rows of a node.
  bool owns(unsigned int node) const { return node >= first_node && node < end_node(); }
  /// Returns the block on the diagonal of a node of this process.
  std::size_t diagonal(unsigned int node) const {
    return start[2 * std::size_t(node - first_node) + 1];
  }

  /// Appends the next node of this process with the nodes that it shares blocks with, in ascending
  /// order; nodes of this process before it have stored their blocks with it.
  void append_node(const unsigned int *neighbours, const unsigned int *neighbours_end) {
    const unsigned int node = end_node();
    const auto middle = std::lower_bound(neighbours, neighbours_end, node);
    column.insert(column.end(), neighbours, std::lower_bound(neighbours, middle, first_node));
    start.push_back(column.size());
    column.push_back(node);
    column.insert(column.end(), middle != neighbours_end && *middle == node ? middle + 1 : middle,
                  neighbours_end);
    start.push_back(column.size());
  }

  /// Returns the block of two nodes, row_node ≤ column_node; `none` if this process has none.
  std::size_t find(unsigned int row_node, unsigned int column_node) const {
    const bool has_row = owns(row_node);
    if (!has_row && !owns(column_node))
      return none;
    const std::size_t list = has_row ? 2 * std::size_t(row_node - first_node) + 1
                                     : 2 * std::size_t(column_node - first_node);
    const unsigned int second_node = has_row ? column_node : row_node;
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(start[list]),
               list_end = column.begin() + static_cast<std::ptrdiff_t>(start[list + 1]);
    const auto found = std::lower_bound(begin, list_end, second_node);
    return found != list_end && *found == second_node
               ? static_cast<std::size_t>(found - column.begin())
               : none;
  }

  /// Calls visit(row_node, column_node, block) for all blocks, in their order. The blocks in the
  /// rows of a node, with the transposed ones of its column, come by ascending second nodes.
  template <typename Visit>
  void visit_blocks(const Visit &visit) const {
    for (unsigned int i = 0; i < n_nodes() && first_node > 0; ++i)
      for (std::size_t k = start[2 * std::size_t(i)]; k < start[2 * std::size_t(i) + 1]; ++k)
        visit(column[k], first_node + i, k);
    for (unsigned int i = 0; i < n_nodes(); ++i)
      for (std::size_t k = start[2 * std::size_t(i) + 1]; k < start[2 * std::size_t(i) + 2]; ++k)
        visit(first_node + i, column[k], k);
  }

  /// Calls visit(i, j, value) for the entries of a block and of its transpose that are in rows of
  /// this process; entry(r, c) returns the entries of the block. If the blocks come in the order of
  /// visit_blocks(), the columns of each row ascend.
  template <typename Entry, typename Visit>
  void visit_entries(unsigned int row_node, unsigned int column_node, unsigned int block_size,
                     const Entry &entry, const Visit &visit) const {
    const unsigned int i = row_node * block_size, j = column_node * block_size;
    for (unsigned int r = 0; r < block_size && owns(row_node); ++r)
      for (unsigned int c = 0; c < block_size; ++c)
        visit(i + r, j + c, entry(r, c));
    const bool has_transpose = row_node != column_node && owns(column_node);
    for (unsigned int c = 0; c < block_size && has_transpose; ++c)
      for (unsigned int r = 0; r < block_size; ++r)
        visit(j + c, i + r, entry(r, c));
  }
};

} // namespace percussion
