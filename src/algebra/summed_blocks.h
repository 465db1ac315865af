#pragma once

#include <percussion/algebra/matrix_rows.h>

#include <algorithm>
#include <vector>

namespace percussion {

/// Blocks of a sum of multiples of matrices by nodes, computed when they are read.
template <unsigned int d>
class SummedBlocks {
public:
  /// Stores references to the matrices of the sum.
  explicit SummedBlocks(const MatrixRows &sum) : additions(sum.diagonal_additions()) {
    sum.visit_terms([&](const SparseMatrix &matrix, double factor) {
      terms.push_back(
          {matrix.node_blocks().values.data(), factor, matrix.node_blocks().are_scalar});
    });
  }

  /// Returns the entries of a block above the diagonal, in `entries`.
  const double *operator()(std::size_t block, double *entries) const {
    std::fill(entries, entries + d * d, 0.);
    for (const Term &term : terms)
      if (term.is_scalar) {
        const double value = term.factor * term.values[block];
        for (unsigned int r = 0; r < d; ++r)
          entries[r * d + r] += value;
      } else
        for (unsigned int e = 0; e < d * d; ++e)
          entries[e] += term.factor * term.values[block * d * d + e];
    return entries;
  }
  /// Returns the entries of the block on the diagonal of a node.
  const double *diagonal(unsigned int node, std::size_t block, double *entries) const {
    (*this)(block, entries);
    for (auto addition = additions.lower_bound(d * node);
         addition != additions.end() && addition->first < d * (node + 1); ++addition)
      entries[(addition->first - d * node) * (d + 1)] += addition->second;
    return entries;
  }

private:
  struct Term {
    const double *values;
    double factor;
    bool is_scalar;
  };
  std::vector<Term> terms;
  std::map<unsigned int, double> additions;
};

/// Stored blocks.
template <unsigned int d>
struct StoredBlocks {
  const double *values;
  const double *operator()(std::size_t block, double *) const { return values + block * d * d; }
  const double *diagonal(unsigned int, std::size_t block, double *) const {
    return values + block * d * d;
  }
};

/// Computes the rows of this process of y = A x, A with these blocks. The order of the sums of each
/// row does not depend on the number of processes.
template <unsigned int d, typename Blocks>
void multiply_symmetric(const NodePattern &pattern, const Blocks &blocks, const double *x,
                        double *y) {
  const std::size_t n = pattern.n_nodes();
  const unsigned int first_node = pattern.first_node, end = pattern.end_node();
  const std::vector<std::size_t> &start = pattern.start;
  const std::vector<unsigned int> &column = pattern.column;
  double entries[d * d];
  std::fill(y + d * first_node, y + d * end, 0.);
  for (std::size_t i = 0; i < n && first_node > 0; ++i)
    for (std::size_t k = start[2 * i]; k < start[2 * i + 1]; ++k) {
      const double *const a = blocks(k, entries), *const x_row = x + d * column[k];
      double *const y_column = y + d * (first_node + i);
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c)
          y_column[c] += a[d * r + c] * x_row[r];
    }
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned int node = first_node + static_cast<unsigned int>(i);
    const double *const x_row = x + d * node;
    double sum[d] = {};
    std::size_t k = start[2 * i + 1];
    const double *const diagonal = blocks.diagonal(node, k, entries);
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        sum[r] += diagonal[d * r + c] * x_row[c];
    for (++k; k < start[2 * i + 2] && column[k] < end; ++k) {
      const double *const a = blocks(k, entries), *const x_column = x + d * column[k];
      double *const y_column = y + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c) {
          sum[r] += a[d * r + c] * x_column[c];
          y_column[c] += a[d * r + c] * x_row[r];
        }
    }
    for (; k < start[2 * i + 2]; ++k) { // rows of processes after this one
      const double *const a = blocks(k, entries), *const x_column = x + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c)
          sum[r] += a[d * r + c] * x_column[c];
    }
    for (unsigned int r = 0; r < d; ++r)
      y[d * node + r] += sum[r];
  }
}

} // namespace percussion
