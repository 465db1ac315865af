#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/two.h>
#include <percussion/algebra/types.h>

#include <numeric>
#include <vector>

namespace percussion {

/// Constant matrix over the degrees of freedom of bodies in 2D, copied so that products read one
/// index for the two rows and columns of two nodes and take a quarter of the time. If the blocks of
/// all pairs of nodes are diagonal, as in a consistent mass matrix, only their diagonals are
/// stored. From the first row on that does not have this structure the original matrix is used.
class PairMatrix {
public:
  /// The arguments must outlive this object. In 3D, A is used as it is, and processes share the
  /// products.
  PairMatrix(const SparseMatrix &A, bool is_plane, const Partition &p) : matrix(A), partition(p) {
    if (!is_plane)
      return;
    const unsigned int n = count_pairs(false), n_diagonal = count_pairs(true);
    is_diagonal = n_diagonal >= n;
    fill(std::max(n, n_diagonal));
  }

  /// Computes y = A x; returns x · y.
  double multiply(const Vector &x, Vector &y) const {
    if (n_pairs() == 0) {
      percussion::multiply(matrix, partition, x, y);
      return dot(x, y);
    }
    const double sum = is_diagonal ? multiply_pairs<true>(entries(x), entries(y))
                                   : multiply_pairs<false>(entries(x), entries(y));
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
    Two diagonal{};  ///< entries (0, 0) and (1, 1)
    Two crosswise{}; ///< entries (0, 1) and (1, 0)
  };
  /// Splits a pair of rows into its nonzero blocks, by ascending columns. Returns false if the
  /// blocks consist mostly of zeros or, with `diagonal`, if a block is not diagonal.
  bool blocks_of(unsigned int pair, bool diagonal, std::vector<Block> &blocks) const {
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
          found = blocks.insert(found, Block{pair_column});
        (entries.column[k] % 2 == static_cast<int>(r) ? found->diagonal : found->crosswise)[r] =
            entries.value[k];
      }
    }
    if (!diagonal)
      return 3 * blocks.size() <= static_cast<std::size_t>(n_entries);
    return std::all_of(blocks.begin(), blocks.end(),
                       [](const Block &b) { return b.crosswise[0] == 0. && b.crosswise[1] == 0.; });
  }

  unsigned int count_pairs(bool diagonal) const {
    std::vector<Block> blocks;
    unsigned int pair = 0;
    while (2 * pair + 1 < matrix.m() && blocks_of(pair, diagonal, blocks))
      ++pair;
    return pair;
  }

  void fill(unsigned int n) {
    std::array<std::vector<Block>, n_at_once> of_pairs;
    const std::vector<unsigned int> order = by_length(n - n % n_at_once);
    for (auto pair = order.begin(); pair != order.end(); pair += n_at_once) {
      std::size_t longest = 0;
      for (unsigned int r = 0; r < n_at_once; ++r) {
        blocks_of(pair[r], is_diagonal, of_pairs[r]);
        longest = std::max(longest, of_pairs[r].size());
        first_row.push_back(2 * pair[r]);
      }
      for (std::size_t k = 0; k < longest; ++k)
        for (unsigned int r = 0; r < n_at_once; ++r) {
          const int first_row_of_pair = static_cast<int>(pair[r]);
          const Block block = k < of_pairs[r].size() ? of_pairs[r][k] : Block{first_row_of_pair};
          column.push_back(2 * block.column);
          value.push_back(block.diagonal);
          if (!is_diagonal)
            value.push_back(block.crosswise);
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

  /// Returns the contribution of a block to its two rows.
  template <bool diagonal>
  Two product(std::size_t block, const double *x) const {
    const Two x_values = load_two(x + column[block]);
    if constexpr (diagonal)
      return value[block] * x_values;
    else
      return value[2 * block] * x_values + value[2 * block + 1] * Two{x_values[1], x_values[0]};
  }

  template <bool diagonal>
  double multiply_pairs(const double *x, double *y) const {
    Two all{};
    const unsigned int *rows = first_row.data();
    const std::size_t *const last = &start.back();
    for (const std::size_t *group = start.data(); group != last; ++group, rows += n_at_once) {
      Two sum[n_at_once] = {};
      for (std::size_t k = group[0]; k < group[1]; k += n_at_once)
        for (unsigned int r = 0; r < n_at_once; ++r)
          sum[r] += product<diagonal>(k + r, x);
      Two power{};
      for (unsigned int r = 0; r < n_at_once; ++r) {
        const unsigned int first = rows[r];
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
  bool is_diagonal = false;            ///< true if only diagonals of blocks are stored
  std::vector<std::size_t> start{0};   ///< first block of each group of pairs
  std::vector<unsigned int> first_row; ///< first row of each pair
  std::vector<int> column;             ///< first degree of freedom of each block
  std::vector<Two> value; ///< diagonal and, unless is_diagonal, crosswise entries of each block
};

} // namespace percussion
