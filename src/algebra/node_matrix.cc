#include <percussion/algebra/node_matrix.h>

#include "summed_blocks.h"
#include <algorithm>

namespace percussion {
namespace {

/// Free rows and columns of a matrix, by nodes.
struct FreeBlocks {
  const MatrixRows &A;
  const std::vector<bool> &is_free;
  unsigned int block;

  /// Returns the nodes that have free entries in the rows of a node, without itself, in ascending
  /// order.
  std::vector<unsigned int> neighbours(unsigned int node) const {
    std::vector<unsigned int> nodes;
    for (unsigned int r = block * node; r < block * (node + 1); ++r) {
      const SparseRow entries = A.row(r);
      for (int k = 0; k < entries.size; ++k)
        if (const auto j = static_cast<unsigned int>(entries.column[k]);
            j < is_free.size() && j / block != node && is_free[j])
          nodes.push_back(j / block);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  /// Writes the blocks of a node's rows in the columns of these nodes, in ascending order.
  void copy(unsigned int node, const unsigned int *begin, const unsigned int *end,
            double *values) const {
    for (unsigned int r = 0; r < block; ++r) {
      const unsigned int i = block * node + r;
      const SparseRow entries = A.row(i);
      for (int k = 0; k < entries.size; ++k) {
        const auto j = static_cast<unsigned int>(entries.column[k]);
        if (j >= is_free.size() || (i != j && !(is_free[i] && is_free[j])))
          continue;
        const unsigned int *const found = std::lower_bound(begin, end, j / block);
        if (found != end && *found == j / block)
          values[(static_cast<std::size_t>(found - begin) * block + r) * block + j % block] =
              entries.value[k];
      }
    }
  }
};

} // namespace

NodeMatrix::NodeMatrix(const MatrixRows &A, const std::vector<bool> &is_free_dof,
                       unsigned int block_size, const Partition &partition)
    : block(block_size) {
  AssertThrow((block == 2 || block == 3) && is_free_dof.size() == partition.size(),
              dealii::ExcInternalError());
  if (A.has_node_blocks()) {
    A.visit_terms([&](const SparseMatrix &matrix, double) {
      AssertThrow(matrix.node_blocks().block_size == 3 && block == 3, dealii::ExcInternalError());
      pairs = matrix.node_blocks().pattern;
    });
    sum = Sum{A, is_free_dof, {}};
    for (unsigned int dof = partition.begin(); dof < partition.end(); ++dof)
      if (!is_free_dof[dof])
        sum->fixed.push_back(dof);
  } else
    copy_free_blocks(A, is_free_dof, partition);
}

void NodeMatrix::copy_free_blocks(const MatrixRows &A, const std::vector<bool> &is_free_dof,
                                  const Partition &partition) {
  const FreeBlocks blocks{A, is_free_dof, block};
  NodePattern found;
  found.first_node = partition.begin() / block;
  for (unsigned int node = found.first_node; node < partition.end() / block; ++node) {
    const std::vector<unsigned int> neighbours = blocks.neighbours(node);
    found.append_node(neighbours.data(), neighbours.data() + neighbours.size());
  }
  found.column.shrink_to_fit();
  pairs = std::make_shared<const NodePattern>(std::move(found));
  // A vector that grows would take twice the memory.
  const std::size_t block_entries = std::size_t(block) * block;
  values.assign(pairs->column.size() * block_entries, 0.);
  const std::size_t *list = pairs->start.data();
  const unsigned int *const second_node = pairs->column.data();
  for (unsigned int node = pairs->first_node; node < pairs->end_node(); ++node, list += 2) {
    for (std::size_t k = list[0]; k < list[1]; ++k)
      blocks.copy(second_node[k], &node, &node + 1, &values[k * block_entries]);
    blocks.copy(node, second_node + list[1], second_node + list[2],
                &values[list[1] * block_entries]);
  }
}

void NodeMatrix::share_diagonal_blocks(const std::vector<unsigned int> &dofs,
                                       const Partition &partition) {
  if (!partition.is_shared())
    return;
  shared.nodes.clear();
  for (const unsigned int dof : dofs)
    shared.nodes.push_back(dof / block);
  std::sort(shared.nodes.begin(), shared.nodes.end());
  shared.nodes.erase(std::unique(shared.nodes.begin(), shared.nodes.end()), shared.nodes.end());
  exchange_shared_blocks(partition);
}

/// Adds up the blocks of all processes, which are zero except on the process that owns the node.
void NodeMatrix::exchange_shared_blocks(const Partition &partition) {
  const std::size_t block_entries = std::size_t(block) * block;
  shared.values.assign(shared.nodes.size() * block_entries, 0.);
  for (std::size_t k = 0; k < shared.nodes.size(); ++k)
    for (unsigned int e = 0; e < block_entries && owns_node(shared.nodes[k]); ++e)
      shared.values[k * block_entries + e] =
          own_entry(block * shared.nodes[k] + e / block, block * shared.nodes[k] + e % block);
  partition.add_up(shared.values.data(), shared.values.size());
}

std::vector<unsigned int> NodeMatrix::needed_dofs() const {
  std::vector<unsigned int> dofs;
  for (const unsigned int node : pairs->column)
    if (!owns_node(node))
      for (unsigned int c = 0; c < block; ++c)
        dofs.push_back(block * node + c);
  return dofs;
}

/// Returns an entry of the diagonal block of a node of this process.
double NodeMatrix::own_entry(unsigned int i, unsigned int j) const {
  const std::size_t k = pairs->diagonal(i / block);
  if (!sum)
    return values[(k * block + i % block) * block + j % block];
  double value = 0;
  if (i == j || (is_free(i) && is_free(j)))
    sum->terms.visit_terms([&](const SparseMatrix &matrix, double factor) {
      value += factor * matrix.node_blocks().entry(k, i % block, j % block);
    });
  const auto &additions = sum->terms.diagonal_additions();
  const auto addition = additions.find(i);
  return i == j && addition != additions.end() ? value + addition->second : value;
}

double NodeMatrix::entry(unsigned int i, unsigned int j) const {
  const unsigned int node = i / block;
  if (owns_node(node))
    return own_entry(i, j);
  const auto found = std::lower_bound(shared.nodes.begin(), shared.nodes.end(), node);
  return shared
      .values[(static_cast<std::size_t>(found - shared.nodes.begin()) * block + i % block) * block +
              j % block];
}

void NodeMatrix::visit_blocks(const BlockVisit &visit) const {
  if (!sum)
    return pairs->visit_blocks([&](unsigned int i, unsigned int j, std::size_t k) {
      visit(i, j, k, &values[k * block * block]);
    });
  const SummedBlocks<3> blocks(sum->terms);
  pairs->visit_blocks([&](unsigned int i, unsigned int j, std::size_t k) {
    auto entries = i == j ? blocks.diagonal(i, k) : blocks(k);
    for (unsigned int r = 0; r < 3; ++r)
      for (unsigned int c = 0; c < 3; ++c)
        if (const unsigned int row = 3 * i + r, column = 3 * j + c;
            row != column && !(is_free(row) && is_free(column)))
          entries[3 * r + c] = 0.;
    visit(i, j, k, entries.data());
  });
}

int NodeMatrix::index(unsigned int i, unsigned int j) const {
  const auto [first, last] = std::minmax(i, j);
  const unsigned int row_node = first / block, column_node = last / block;
  if (!owns_node(row_node) && !owns_node(column_node))
    return -1;
  const std::size_t k = pairs->find(row_node, column_node);
  AssertThrow(!sum && k != NodePattern::none, dealii::ExcInternalError());
  return static_cast<int>((k * block + first % block) * block + last % block);
}

void NodeMatrix::complete_diagonal_blocks(const Partition &partition) {
  for (unsigned int i = 0; i < pairs->n_nodes(); ++i) {
    double *const a = &values[pairs->diagonal(pairs->first_node + i) * block * block];
    for (unsigned int r = 0; r < block; ++r)
      for (unsigned int c = 0; c < r; ++c)
        a[block * r + c] = a[block * c + r];
  }
  if (partition.is_shared())
    exchange_shared_blocks(partition);
}

void NodeMatrix::multiply(const double *x, double *y) const {
  if (!sum)
    return block == 3 ? multiply_symmetric<3>(*pairs, StoredBlocks<3>{values.data()}, x, y)
                      : multiply_symmetric<2>(*pairs, StoredBlocks<2>{values.data()}, x, y);
  multiply_symmetric<3>(*pairs, SummedBlocks<3>(sum->terms), x, y);
  for (const unsigned int dof : sum->fixed)
    y[dof] = 0.;
}

} // namespace percussion
