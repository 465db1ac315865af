#include <percussion/algebra/node_matrix.h>

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

NodeMatrix::NodeMatrix(const MatrixRows &A, const std::vector<bool> &is_free,
                       unsigned int block_size, const Partition &partition)
    : block(block_size) {
  const auto n = static_cast<unsigned int>(is_free.size());
  AssertThrow((block == 2 || block == 3) && n == partition.size(), dealii::ExcInternalError());
  const FreeBlocks blocks{A, is_free, block};
  NodePattern found;
  const unsigned int first_node = found.first_node = partition.begin() / block;
  std::vector<std::size_t> &start = found.start;
  std::vector<unsigned int> &column = found.column;
  for (unsigned int node = first_node; node < partition.end() / block; ++node) {
    const std::vector<unsigned int> neighbours = blocks.neighbours(node);
    const auto middle = std::lower_bound(neighbours.begin(), neighbours.end(), node);
    column.insert(column.end(), neighbours.begin(),
                  std::lower_bound(neighbours.begin(), middle, first_node));
    start.push_back(column.size());
    column.push_back(node);
    column.insert(column.end(), middle, neighbours.end());
    start.push_back(column.size());
  }
  column.shrink_to_fit();
  pairs = std::make_shared<const NodePattern>(std::move(found));
  // A vector that grows would take twice the memory.
  const std::size_t block_entries = std::size_t(block) * block;
  values.assign(pairs->column.size() * block_entries, 0.);
  const std::size_t *list = pairs->start.data();
  const unsigned int *const second_node = pairs->column.data();
  for (unsigned int node = first_node; node < partition.end() / block; ++node, list += 2) {
    for (std::size_t k = list[0]; k < list[1]; ++k)
      blocks.copy(second_node[k], &node, &node + 1, &values[k * block_entries]);
    blocks.copy(node, second_node + list[1], second_node + list[2], &values[diagonal_block(node)]);
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
    if (owns_node(shared.nodes[k]))
      std::copy_n(&values[diagonal_block(shared.nodes[k])], block_entries,
                  &shared.values[k * block_entries]);
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

int NodeMatrix::index(unsigned int i, unsigned int j) const {
  const auto [first, last] = std::minmax(i, j);
  const unsigned int row_node = first / block, column_node = last / block;
  const bool has_row = owns_node(row_node), has_column = owns_node(column_node);
  if (!has_row && !has_column)
    return -1;
  const std::size_t list =
      has_row ? 2 * (row_node - pairs->first_node) + 1 : 2 * (column_node - pairs->first_node);
  const unsigned int second_node = has_row ? column_node : row_node;
  const std::vector<unsigned int> &column = pairs->column;
  const auto begin = column.begin() + static_cast<std::ptrdiff_t>(pairs->start[list]),
             end_of_list = column.begin() + static_cast<std::ptrdiff_t>(pairs->start[list + 1]);
  const auto found = std::lower_bound(begin, end_of_list, second_node);
  AssertThrow(found != end_of_list && *found == second_node, dealii::ExcInternalError());
  const auto k = static_cast<std::size_t>(found - column.begin());
  return static_cast<int>((k * block + first % block) * block + last % block);
}

void NodeMatrix::complete_diagonal_blocks(const Partition &partition) {
  for (unsigned int i = 0; i < pairs->n_nodes(); ++i) {
    double *const a = &values[diagonal_block(pairs->first_node + i)];
    for (unsigned int r = 0; r < block; ++r)
      for (unsigned int c = 0; c < r; ++c)
        a[block * r + c] = a[block * c + r];
  }
  if (partition.is_shared())
    exchange_shared_blocks(partition);
}

void NodeMatrix::multiply(const double *x, double *y) const {
  if (block == 3)
    multiply_blocks<3>(x, y);
  else
    multiply_blocks<2>(x, y);
}

template <unsigned int d>
void NodeMatrix::multiply_blocks(const double *x, double *y) const {
  const std::size_t n = pairs->n_nodes();
  const unsigned int first_node = pairs->first_node;
  const std::vector<std::size_t> &start = pairs->start;
  const std::vector<unsigned int> &column = pairs->column;
  const auto end = first_node + static_cast<unsigned int>(n);
  const auto add_transposed = [](const double *a, const double *x_row, double *y_column) {
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        y_column[c] += a[d * r + c] * x_row[r];
  };
  std::fill(y + d * first_node, y + d * end, 0.);
  for (std::size_t i = 0; i < n && first_node > 0; ++i)
    for (std::size_t k = start[2 * i]; k < start[2 * i + 1]; ++k)
      add_transposed(&values[k * d * d], x + d * column[k], y + d * (first_node + i));
  for (std::size_t i = 0; i < n; ++i) {
    const double *const x_row = x + d * (first_node + i);
    double sum[d] = {};
    std::size_t k = start[2 * i + 1];
    const double *a = &values[k * d * d];
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        sum[r] += a[d * r + c] * x_row[c];
    for (++k; k < start[2 * i + 2] && column[k] < end; ++k) {
      a += d * d;
      const double *const x_column = x + d * column[k];
      double *const y_column = y + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c) {
          sum[r] += a[d * r + c] * x_column[c];
          y_column[c] += a[d * r + c] * x_row[r];
        }
    }
    for (; k < start[2 * i + 2]; ++k) { // rows of processes after this one
      a += d * d;
      const double *const x_column = x + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c)
          sum[r] += a[d * r + c] * x_column[c];
    }
    for (unsigned int r = 0; r < d; ++r)
      y[d * (first_node + i) + r] += sum[r];
  }
}

} // namespace percussion
