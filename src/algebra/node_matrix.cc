#include <percussion/algebra/node_matrix.h>

#include <algorithm>

namespace percussion {

NodeMatrix::NodeMatrix(const SparseMatrix &A, const std::vector<bool> &is_free,
                       unsigned int block_size)
    : block(block_size) {
  const auto n = static_cast<unsigned int>(is_free.size());
  AssertThrow((block == 2 || block == 3) && n % block == 0, dealii::ExcInternalError());
  start.push_back(0);
  std::vector<unsigned int> nodes;
  for (unsigned int node = 0; node < n / block; ++node) {
    nodes.assign(1, node);
    for (unsigned int r = block * node; r < block * (node + 1); ++r) {
      const SparseRow entries = row(A, r);
      for (int k = 0; k < entries.size; ++k)
        if (const auto j = static_cast<unsigned int>(entries.column[k]);
            j < n && j / block > node && is_free[j])
          nodes.push_back(j / block);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const std::size_t first = column.size();
    column.insert(column.end(), nodes.begin(), nodes.end());
    start.push_back(column.size());
    values.resize(column.size() * block * block, 0.);
    for (unsigned int r = 0; r < block; ++r) {
      const unsigned int i = block * node + r;
      const SparseRow entries = row(A, i);
      for (int k = 0; k < entries.size; ++k) {
        const auto j = static_cast<unsigned int>(entries.column[k]);
        if (j >= n || j / block < node || (i != j && !(is_free[i] && is_free[j])))
          continue;
        const auto position = static_cast<std::size_t>(
            std::lower_bound(nodes.begin(), nodes.end(), j / block) - nodes.begin());
        values[((first + position) * block + r) * block + j % block] = entries.value[k];
      }
    }
  }
  column.shrink_to_fit();
  values.shrink_to_fit();
}

void NodeMatrix::multiply(const double *x, double *y) const {
  if (block == 3)
    multiply_blocks<3>(x, y);
  else
    multiply_blocks<2>(x, y);
}

template <unsigned int d>
void NodeMatrix::multiply_blocks(const double *x, double *y) const {
  std::fill(y, y + size(), 0.);
  for (std::size_t node = 0; node + 1 < start.size(); ++node) {
    const double *const x_row = x + d * node;
    double sum[d] = {};
    const double *a = &values[start[node] * d * d];
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        sum[r] += a[d * r + c] * x_row[c];
    for (std::size_t k = start[node] + 1; k < start[node + 1]; ++k) {
      a += d * d;
      const double *const x_column = x + d * column[k];
      double *const y_column = y + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c) {
          sum[r] += a[d * r + c] * x_column[c];
          y_column[c] += a[d * r + c] * x_row[r];
        }
    }
    for (unsigned int r = 0; r < d; ++r)
      y[d * node + r] += sum[r];
  }
}

} // namespace percussion
