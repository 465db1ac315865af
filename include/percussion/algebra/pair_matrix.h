#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/sparse_matrix.h>
#include <percussion/algebra/two.h>

#include <numeric>
#include <vector>

namespace percussion {

/// Constant matrix over the degrees of freedom of bodies in 2D, copied so that products read one
/// index for the two rows and columns of two nodes and take a quarter of the time. If the block of
/// two nodes is a multiple of the identity for all pairs, as in a consistent mass matrix, one
/// number is stored for it: reading the matrix limits the product. From the first row on
/// that does not have this structure the original matrix is used.
class PairMatrix {
public:
  /// The arguments must outlive this object. In 3D, A is used as it is, and processes share the
  /// products.
  PairMatrix(const SparseMatrix &A, bool is_plane, const Partition &p) : matrix(A), partition(p) {
    if (!is_plane)
      return;
    is_scalar = count_pairs(true) > 0;
    fill(count_pairs(is_scalar));
  }

  /// Computes y = A x; returns x · y.
  double multiply(const Vector &x, Vector &y) const {
    if (n_pairs() == 0) {
      percussion::multiply(matrix, partition, x, y);
      return dot(x, y);
    }
    if (is_scalar) {
      Product<true> product(*this, x, y);
      sweep(product);
      return product.power() + multiply_rest(x, y);
    }
    Product<false> product(*this, x, y);
    sweep(product);
    return product.power() + multiply_rest(x, y);
  }

  /// True if multiply_both() may be called: blocks of A, not of B, are single numbers, and both
  /// have the same columns, as M and K of the same body.
  static bool have_common_sweep(const PairMatrix &A, const PairMatrix &B) {
    return A.is_scalar && !B.is_scalar && A.start == B.start && A.first_row == B.first_row &&
           A.column == B.column;
  }

  /// Computes y = A x and z = B w in one sweep over their columns; returns x · y and w · z.
  static std::array<double, 2> multiply_both(const PairMatrix &A, const Vector &x, Vector &y,
                                             const PairMatrix &B, const Vector &w, Vector &z) {
    Product<true> product_A(A, x, y);
    Product<false> product_B(B, w, z);
    A.sweep(product_A, product_B);
    return {product_A.power() + A.multiply_rest(x, y), product_B.power() + B.multiply_rest(w, z)};
  }

private:
  /// Number of pairs of rows whose sums are independent of each other. They are stored alternately,
  /// and padded with zeros to the same length, so that no branch depends on their lengths.
  /// Neighbouring pairs of similar length are combined, to have few zeros.
  static constexpr unsigned int n_at_once = 4;
  static constexpr std::size_t n_near = 64;

  unsigned int n_pairs() const { return n_at_once * static_cast<unsigned int>(start.size() - 1); }

  /// Block of two rows and two columns.
  struct Block {
    int column;      ///< index of the pair of columns
    Two diagonal{};  ///< entries (0, 0) and (1, 1)
    Two crosswise{}; ///< entries (0, 1) and (1, 0)
  };
  /// Splits a pair of rows into its nonzero blocks, by ascending columns. Returns false if the
  /// blocks consist mostly of zeros or, with `scalar`, if a block is not a multiple of the
  /// unit matrix.
  bool blocks_of(unsigned int pair, bool scalar, std::vector<Block> &blocks) const {
    blocks.clear();
    int n_entries = 0;
    for (unsigned int r = 0; r < 2; ++r) {
      const SparseRow entries = matrix.row(2 * pair + r);
      n_entries += entries.size;
      for (int k = 0; k < entries.size; ++k) {
        const int pair_column = entries.column[k] / 2;
        auto found = std::lower_bound(blocks.begin(), blocks.end(), pair_column,
                                      [](const Block &b, int c) { return b.column < c; });
        if (found == blocks.end() || found->column != pair_column)
          found = blocks.insert(found, Block{pair_column});
        (entries.column[k] % 2 == static_cast<int>(r) ? found->diagonal : found->crosswise)[r] =
            entries.value[k];
      }
    }
    if (!scalar)
      return 3 * blocks.size() <= static_cast<std::size_t>(n_entries);
    return std::all_of(blocks.begin(), blocks.end(), [](const Block &b) {
      return b.diagonal[0] == b.diagonal[1] && b.crosswise[0] == 0. && b.crosswise[1] == 0.;
    });
  }

  unsigned int count_pairs(bool scalar) const {
    std::vector<Block> blocks;
    unsigned int pair = 0;
    while (2 * pair + 1 < matrix.n_rows() && blocks_of(pair, scalar, blocks))
      ++pair;
    return pair;
  }

  void fill(unsigned int n) {
    std::array<std::vector<Block>, n_at_once> pair_blocks;
    const std::vector<unsigned int> order = order_by_length(n - n % n_at_once);
    for (auto pair = order.begin(); pair != order.end(); pair += n_at_once) {
      std::size_t longest = 0;
      for (unsigned int r = 0; r < n_at_once; ++r) {
        blocks_of(pair[r], is_scalar, pair_blocks[r]);
        longest = std::max(longest, pair_blocks[r].size());
        first_row.push_back(2 * pair[r]);
      }
      for (std::size_t k = 0; k < longest; ++k)
        for (unsigned int r = 0; r < n_at_once; ++r) {
          const int first_row_of_pair = static_cast<int>(pair[r]);
          const Block block =
              k < pair_blocks[r].size() ? pair_blocks[r][k] : Block{first_row_of_pair};
          column.push_back(2 * block.column);
          if (is_scalar)
            factor.push_back(block.diagonal[0]);
          else
            value.insert(value.end(), {block.diagonal, block.crosswise});
        }
      start.push_back(column.size());
    }
    column.shrink_to_fit();
    factor.shrink_to_fit();
    value.shrink_to_fit();
  }

  std::vector<unsigned int> order_by_length(unsigned int n) const {
    std::vector<unsigned int> order(n);
    std::iota(order.begin(), order.end(), 0u);
    const auto length = [&](unsigned int pair) { return matrix.row(2 * pair).size; };
    for (std::size_t first = 0; first < n; first += n_near) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first),
                 end = order.begin() +
                       static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, first + n_near));
      std::stable_sort(begin, end,
                       [&](unsigned int a, unsigned int b) { return length(a) < length(b); });
    }
    return order;
  }

  /// Product of the blocks with a vector, group by group of a sweep.
  template <bool scalar>
  class Product {
  public:
    Product(const PairMatrix &A, const Vector &column_values, Vector &row_values)
        : factor(A.factor.data()), value(A.value.data()), x(column_values.data()),
          y(row_values.data()) {}

    void start_group() { std::fill(sum, sum + n_at_once, Two{}); }
    /// Adds the product of a block to the rows of pair r of the group.
    void add(std::size_t block, int block_column, unsigned int r) {
      const Two x_values = load_two(x + block_column);
      if constexpr (scalar)
        sum[r] += factor[block] * x_values;
      else
        sum[r] +=
            value[2 * block] * x_values + value[2 * block + 1] * Two{x_values[1], x_values[0]};
    }
    void finish_group(const unsigned int *rows) {
      Two group_power{};
      for (unsigned int r = 0; r < n_at_once; ++r) {
        const unsigned int first = rows[r];
        std::memcpy(y + first, &sum[r], sizeof sum[r]);
        group_power += load_two(x + first) * sum[r];
      }
      powers += group_power;
    }
    double power() const { return powers[0] + powers[1]; }

  private:
    const double *factor;
    const Two *value;
    const double *x;
    double *y;
    Two sum[n_at_once];
    Two powers{};
  };

  /// Computes products of matrices with the columns of this one.
  template <typename... Products>
  void sweep(Products &...products) const {
    const unsigned int *rows = first_row.data();
    const int *const columns = column.data();
    const std::size_t *const last = &start.back();
    for (const std::size_t *group = start.data(); group != last; ++group, rows += n_at_once) {
      (products.start_group(), ...);
      for (std::size_t k = group[0]; k < group[1]; k += n_at_once)
        for (unsigned int r = 0; r < n_at_once; ++r)
          (products.add(k + r, columns[k + r], r), ...);
      (products.finish_group(rows), ...);
    }
  }

  double multiply_rest(const Vector &x, Vector &y) const {
    double power = 0;
    for (unsigned int i = 2 * n_pairs(), n = x.size(); i < n; ++i) {
      const SparseRow matrix_row = matrix.row(i);
      double sum = 0;
      for (int k = 0; k < matrix_row.size; ++k)
        sum += matrix_row.value[k] * x[matrix_row.column[k]];
      y[i] = sum;
      power += x[i] * sum;
    }
    return power;
  }

  const SparseMatrix &matrix;
  const Partition &partition;
  bool is_scalar = false;
  std::vector<std::size_t> start{0};   ///< first block of each group of pairs
  std::vector<unsigned int> first_row; ///< first row of each pair
  std::vector<int> column;             ///< first degree of freedom of each block
  std::vector<double> factor;          ///< multiple of the unit matrix of each block, if is_scalar
  std::vector<Two> value;              ///< diagonal and crosswise entries of each block, otherwise
};

} // namespace percussion
