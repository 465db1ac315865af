#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/two.h>
#include <percussion/algebra/types.h>

#include <numeric>
#include <vector>

namespace percussion {

/// Constant matrix over the degrees of freedom of bodies in 2D, copied so that products read one
/// index for the two rows and columns of two nodes and take a third of the time. If the block of
/// two nodes is a multiple of the identity for all pairs, as in a consistent mass matrix, one
/// number is stored for it. From the first row on that does not have this structure the original
/// matrix is used.
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
    const double sum = is_scalar ? multiply_pairs<1>(entries(x), entries(y))
                                 : multiply_pairs<4>(entries(x), entries(y));
    return sum + multiply_rest(entries(x), entries(y), n_owned(x));
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
    double value[4]; ///< entries, column by column
  };
  /// Splits a pair of rows into its nonzero blocks, by ascending columns. Returns false if the
  /// blocks consist mostly of zeros or, with `scalar`, if a block is not a multiple of the unit
  /// matrix.
  bool blocks_of(unsigned int pair, bool scalar, std::vector<Block> &blocks) const {
    blocks.clear();
    int n_entries = 0;
    for (unsigned int r = 0; r < 2; ++r) {
      const SparseRow entries = row(matrix, 2 * pair + r);
      n_entries += entries.size;
      for (int k = 0; k < entries.size; ++k) {
        const int pair_column = entries.column[k] / 2;
        auto found = std::lower_bound(blocks.begin(), blocks.end(), pair_column,
                                      [](const Block &b, int c) { return b.column < c; });
        if (found == blocks.end() || found->column != pair_column)
          found = blocks.insert(found, {pair_column, {}});
        found->value[2 * (entries.column[k] % 2) + static_cast<int>(r)] = entries.value[k];
      }
    }
    if (!scalar)
      return 3 * blocks.size() <= static_cast<std::size_t>(n_entries);
    return std::all_of(blocks.begin(), blocks.end(), [](const Block &b) {
      return b.value[0] == b.value[3] && b.value[1] == 0. && b.value[2] == 0.;
    });
  }

  unsigned int count_pairs(bool scalar) const {
    std::vector<Block> blocks;
    unsigned int pair = 0;
    while (2 * pair + 1 < matrix.m() && blocks_of(pair, scalar, blocks))
      ++pair;
    return pair;
  }

  void fill(unsigned int n) {
    std::array<std::vector<Block>, n_at_once> of_pairs;
    const std::vector<unsigned int> order = by_length(n - n % n_at_once);
    for (auto pair = order.begin(); pair != order.end(); pair += n_at_once) {
      std::size_t longest = 0;
      for (unsigned int r = 0; r < n_at_once; ++r) {
        blocks_of(pair[r], is_scalar, of_pairs[r]);
        longest = std::max(longest, of_pairs[r].size());
        first_row.push_back(2 * pair[r]);
      }
      for (std::size_t k = 0; k < longest; ++k)
        for (unsigned int r = 0; r < n_at_once; ++r) {
          const int first_row_of_pair = static_cast<int>(pair[r]);
          const Block block =
              k < of_pairs[r].size() ? of_pairs[r][k] : Block{first_row_of_pair, {}};
          column.push_back(2 * block.column);
          value.insert(value.end(), block.value, block.value + (is_scalar ? 1 : 4));
        }
      start.push_back(column.size());
    }
    column.shrink_to_fit();
    value.shrink_to_fit();
  }

  std::vector<unsigned int> by_length(unsigned int n) const {
    std::vector<unsigned int> order(n);
    std::iota(order.begin(), order.end(), 0u);
    const auto length = [&](unsigned int pair) { return row(matrix, 2 * pair).size; };
    for (std::size_t first = 0; first < n; first += n_near) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first),
                 end = order.begin() +
                       static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, first + n_near));
      std::stable_sort(begin, end,
                       [&](unsigned int a, unsigned int b) { return length(a) < length(b); });
    }
    return order;
  }

  /// Returns the contribution of a block with n_values numbers to its two rows.
  template <unsigned int n_values>
  Two product(std::size_t block, const double *x) const {
    const double *const a = &value[n_values * block], *const x_values = x + column[block];
    if constexpr (n_values == 1)
      return a[0] * load_two(x_values);
    else
      return load_two(a) * x_values[0] + load_two(a + 2) * x_values[1];
  }

  template <unsigned int n_values>
  double multiply_pairs(const double *x, double *y) const {
    Two all{};
    for (std::size_t group = 0; group + 1 < start.size(); ++group) {
      Two sum[n_at_once] = {};
      for (std::size_t k = start[group]; k < start[group + 1]; k += n_at_once)
        for (unsigned int r = 0; r < n_at_once; ++r)
          sum[r] += product<n_values>(k + r, x);
      Two power{};
      for (unsigned int r = 0; r < n_at_once; ++r) {
        const unsigned int first = first_row[n_at_once * group + r];
        std::memcpy(y + first, &sum[r], sizeof sum[r]);
        power += load_two(x + first) * sum[r];
      }
      all += power;
    }
    return all[0] + all[1];
  }

  double multiply_rest(const double *x, double *y, unsigned int n) const {
    double power = 0;
    for (unsigned int i = 2 * n_pairs(); i < n; ++i) {
      const SparseRow entries = row(matrix, i);
      y[i] = 0.;
      for (int k = 0; k < entries.size; ++k)
        y[i] += entries.value[k] * x[entries.column[k]];
      power += x[i] * y[i];
    }
    return power;
  }

  const SparseMatrix &matrix;
  const Partition &partition;
  bool is_scalar = false;
  std::vector<std::size_t> start{0};   ///< first block of each group of pairs
  std::vector<unsigned int> first_row; ///< first row of each pair
  std::vector<int> column;             ///< first degree of freedom of each block
  std::vector<double> value;
};

} // namespace percussion
