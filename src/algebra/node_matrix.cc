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

  /// Writes the blocks of a node's rows in the columns of these nodes.
  void copy(unsigned int node, const std::vector<unsigned int> &nodes, double *values) const {
    for (unsigned int r = 0; r < block; ++r) {
      const unsigned int i = block * node + r;
      const SparseRow entries = A.row(i);
      for (int k = 0; k < entries.size; ++k) {
        const auto j = static_cast<unsigned int>(entries.column[k]);
        if (j >= is_free.size() || (i != j && !(is_free[i] && is_free[j])))
          continue;
        const auto found = std::lower_bound(nodes.begin(), nodes.end(), j / block);
        if (found != nodes.end() && *found == j / block)
          values[(static_cast<std::size_t>(found - nodes.begin()) * block + r) * block +
                 j % block] = entries.value[k];
      }
    }
  }
};

} // namespace

NodeMatrix::NodeMatrix(const MatrixRows &A, const std::vector<bool> &is_free,
                       unsigned int block_size, const Partition &partition)
    : block(block_size), first_node(partition.begin() / block_size) {
  const auto n = static_cast<unsigned int>(is_free.size());
  AssertThrow((block == 2 || block == 3) && n == partition.size(), dealii::ExcInternalError());
  const FreeBlocks blocks{A, is_free, block};
  const std::size_t block_entries = std::size_t(block) * block;
  if (partition.is_shared())
    diagonal.resize(std::size_t(n) * block);
  for (unsigned int node = first_node; node < partition.end() / block; ++node) {
    std::vector<unsigned int> nodes = blocks.neighbours(node);
    const auto middle = std::lower_bound(nodes.begin(), nodes.end(), node);
    std::for_each(nodes.begin(), middle, [&](unsigned int row_node) {
      if (row_node >= first_node)
        return;
      before.column.push_back(row_node);
      before.values.resize(before.column.size() * block_entries, 0.);
      blocks.copy(row_node, {node}, &before.values[before.values.size() - block_entries]);
    });
    before.start.push_back(before.column.size());
    nodes.erase(nodes.begin(), middle);
    nodes.insert(nodes.begin(), node);
    upper.column.insert(upper.column.end(), nodes.begin(), nodes.end());
    upper.values.resize(upper.column.size() * block_entries, 0.);
    blocks.copy(node, nodes, &upper.values[upper.start.back() * block_entries]);
    if (partition.is_shared())
      std::copy_n(&upper.values[upper.start.back() * block_entries], block_entries,
                  &diagonal[node * block_entries]);
    upper.start.push_back(upper.column.size());
  }
  for (Rows *rows : {&upper, &before}) {
    rows->column.shrink_to_fit();
    rows->values.shrink_to_fit();
  }
  partition.gather(diagonal.data(), block);
}

std::vector<unsigned int> NodeMatrix::needed_dofs() const {
  const auto end = first_node + static_cast<unsigned int>(upper.start.size() - 1);
  std::vector<unsigned int> dofs;
  for (const Rows *rows : {&upper, &before})
    for (const unsigned int node : rows->column)
      if (node < first_node || node >= end)
        for (unsigned int c = 0; c < block; ++c)
          dofs.push_back(block * node + c);
  return dofs;
}

int NodeMatrix::index(unsigned int i, unsigned int j) const {
  const auto [first, last] = std::minmax(i, j);
  const unsigned int node = first / block;
  const auto begin = upper.column.begin() + static_cast<std::ptrdiff_t>(upper.start[node]);
  const auto end = upper.column.begin() + static_cast<std::ptrdiff_t>(upper.start[node + 1]);
  const auto of_block = std::lower_bound(begin, end, last / block);
  AssertThrow(of_block != end && *of_block == last / block, dealii::ExcInternalError());
  const auto k = static_cast<std::size_t>(of_block - upper.column.begin());
  return static_cast<int>((k * block + first % block) * block + last % block);
}

void NodeMatrix::complete_diagonal_blocks() {
  for (std::size_t node = 0; node + 1 < upper.start.size(); ++node) {
    double *const a = &upper.values[upper.start[node] * block * block];
    for (unsigned int r = 0; r < block; ++r)
      for (unsigned int c = 0; c < r; ++c)
        a[block * r + c] = a[block * c + r];
  }
}

void NodeMatrix::multiply(const double *x, double *y) const {
  if (block == 3)
    multiply_blocks<3>(x, y);
  else
    multiply_blocks<2>(x, y);
}

template <unsigned int d>
void NodeMatrix::multiply_blocks(const double *x, double *y) const {
  const std::size_t n_nodes = upper.start.size() - 1;
  const auto end = first_node + static_cast<unsigned int>(n_nodes);
  const auto add_transposed = [](const double *a, const double *x_row, double *y_column) {
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        y_column[c] += a[d * r + c] * x_row[r];
  };
  std::fill(y + d * first_node, y + d * end, 0.);
  const double *a = before.values.data();
  for (std::size_t i = 0; i < n_nodes && !before.column.empty(); ++i)
    for (std::size_t k = before.start[i]; k < before.start[i + 1]; ++k, a += d * d)
      add_transposed(a, x + d * before.column[k], y + d * (first_node + i));
  for (std::size_t i = 0; i < n_nodes; ++i) {
    const double *const x_row = x + d * (first_node + i);
    double sum[d] = {};
    a = &upper.values[upper.start[i] * d * d];
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        sum[r] += a[d * r + c] * x_row[c];
    std::size_t k = upper.start[i] + 1;
    for (; k < upper.start[i + 1] && upper.column[k] < end; ++k) {
      a += d * d;
      const double *const x_column = x + d * upper.column[k];
      double *const y_column = y + d * upper.column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c) {
          sum[r] += a[d * r + c] * x_column[c];
          y_column[c] += a[d * r + c] * x_row[r];
        }
    }
    for (; k < upper.start[i + 1]; ++k) { // rows of processes after this one
      a += d * d;
      const double *const x_column = x + d * upper.column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c)
          sum[r] += a[d * r + c] * x_column[c];
    }
    for (unsigned int r = 0; r < d; ++r)
      y[d * (first_node + i) + r] += sum[r];
  }
}

} // namespace percussion
