#pragma once

#include <percussion/algebra/matrix_rows.h>

#include <algorithm>
#include <array>
#include <vector>

namespace percussion {

/// Blocks of a sum of multiples of matrices by nodes, computed when they are read.
template <unsigned int d>
class SummedBlocks {
public:
  /// Stores references to the matrices of the sum.
  explicit SummedBlocks(const MatrixRows &sum) : additions(sum.diagonal_additions()) {
    sum.visit_terms([&](const SparseMatrix &matrix, double factor) {
      const NodeBlocks &blocks = matrix.node_blocks();
      const Term term{blocks.values.data(), factor, blocks.are_scalar};
      const bool is_among_first = further.empty() && scalar.values == nullptr;
      if (is_among_first && full.values == nullptr && !term.is_scalar)
        full = term;
      else if (is_among_first && term.is_scalar)
        scalar = term;
      else
        further.push_back(term);
    });
  }

  using Block = std::array<double, d * d>;

  /// Returns the entries of a block above the diagonal.
  [[gnu::always_inline]] Block operator()(std::size_t block) const {
    Block entries{};
    if (full.values != nullptr)
      for (unsigned int e = 0; e < d * d; ++e)
        entries[e] = full.factor * full.values[block * d * d + e];
    if (scalar.values != nullptr)
      for (unsigned int r = 0; r < d; ++r)
        entries[r * (d + 1)] += scalar.factor * scalar.values[block];
    for (const Term &term : further)
      if (term.is_scalar) {
        const double value = term.factor * term.values[block];
        for (unsigned int r = 0; r < d; ++r)
          entries[r * (d + 1)] += value;
      } else
        for (unsigned int e = 0; e < d * d; ++e)
          entries[e] += term.factor * term.values[block * d * d + e];
    return entries;
  }
  /// Returns the entries of the block on the diagonal of a node.
  Block diagonal(unsigned int node, std::size_t block) const {
    Block entries = (*this)(block);
    for (auto addition = additions.lower_bound(d * node);
         addition != additions.end() && addition->first < d * (node + 1); ++addition)
      entries[(addition->first - d * node) * (d + 1)] += addition->second;
    return entries;
  }

private:
  struct Term {
    const double *values = nullptr;
    double factor = 0;
    bool is_scalar = false;
  };
  Term full, scalar;         ///< the first terms, as of K and M: loops over terms take longer
  std::vector<Term> further; ///< terms behind them
  std::map<unsigned int, double> additions;
};

/// Stored blocks.
template <unsigned int d>
struct StoredBlocks {
  const double *values;
  const double *operator()(std::size_t block) const { return values + block * d * d; }
  const double *diagonal(unsigned int, std::size_t block) const { return (*this)(block); }
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
  std::fill(y + d * first_node, y + d * end, 0.);
  for (std::size_t i = 0; i < n && first_node > 0; ++i)
    for (std::size_t k = start[2 * i]; k < start[2 * i + 1]; ++k) {
      const auto a = blocks(k);
      const double *const x_row = x + d * column[k];
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
    const auto diagonal = blocks.diagonal(node, k);
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        sum[r] += diagonal[d * r + c] * x_row[c];
    for (++k; k < start[2 * i + 2] && column[k] < end; ++k) {
      const auto a = blocks(k);
      const double *const x_column = x + d * column[k];
      double *const y_column = y + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c) {
          sum[r] += a[d * r + c] * x_column[c];
          y_column[c] += a[d * r + c] * x_row[r];
        }
    }
    for (; k < start[2 * i + 2]; ++k) { // rows of processes after this one
      const auto a = blocks(k);
      const double *const x_column = x + d * column[k];
      for (unsigned int r = 0; r < d; ++r)
        for (unsigned int c = 0; c < d; ++c)
          sum[r] += a[d * r + c] * x_column[c];
    }
    for (unsigned int r = 0; r < d; ++r)
      y[d * node + r] += sum[r];
  }
}

} // namespace percussion
