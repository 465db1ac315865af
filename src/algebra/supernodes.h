#pragma once

#include <percussion/algebra/two.h>

#include <cholmod.h>

#include "blas.h"
#include <array>
#include <vector>

namespace percussion {

/// Sweeps with a supernodal factor of CHOLMOD. CHOLMOD's own sweeps call BLAS several times for
/// each block, which takes longer than the arithmetic of many small blocks.
class Supernodes {
public:
  /// The factor and the workspace must outlive this object.
  Supernodes(const cholmod_factor &factor, std::vector<double> &work)
      : L(factor), lower_values(work) {}

  /// Computes x ← L⁻¹ x, in the order of elimination.
  void forward(double *all) const {
    for (std::size_t s = 0; s < L.nsuper; ++s) {
      const Block b = block(s);
      double *const triangle_values = all + b.first;
      if (b.n_columns >= n_for_blas)
        solve_triangle(b, "N", triangle_values);
      else
        for (std::size_t j = 0; j < b.n_columns; ++j) {
          const double *const column = b.column(j);
          const double x_j = triangle_values[j] /= column[j];
          for (std::size_t i = j + 1; i < b.n_columns; ++i)
            triangle_values[i] -= column[i] * x_j;
        }
      lower_values.assign(b.n_below(), 0.);
      double *const sum = lower_values.data();
      std::size_t j = 0;
      for (; j + 4 <= b.n_columns; j += 4) {
        const double *const l = b.column(j) + b.n_columns;
        const double x0 = triangle_values[j], x1 = triangle_values[j + 1],
                     x2 = triangle_values[j + 2], x3 = triangle_values[j + 3];
        for (std::size_t i = 0; i < b.n_below(); ++i)
          sum[i] += (l[i] * x0 + l[b.n_rows + i] * x1) +
                    (l[2 * b.n_rows + i] * x2 + l[3 * b.n_rows + i] * x3);
      }
      for (; j < b.n_columns; ++j) {
        const double *const l = b.column(j) + b.n_columns;
        const double x_j = triangle_values[j];
        for (std::size_t i = 0; i < b.n_below(); ++i)
          sum[i] += l[i] * x_j;
      }
      for (std::size_t i = 0; i < b.n_below(); ++i)
        all[b.rows[b.n_columns + i]] -= sum[i];
    }
  }

  /// Computes x ← L⁻ᵀ x.
  void backward(double *all) const {
    for (std::size_t s = L.nsuper; s-- > 0;) {
      const Block b = block(s);
      double *const triangle_values = all + b.first;
      lower_values.resize(b.n_below());
      for (std::size_t i = 0; i < b.n_below(); ++i)
        lower_values[i] = all[b.rows[b.n_columns + i]];
      std::size_t j = 0;
      for (; j + 4 <= b.n_columns; j += 4) {
        const auto products = products_below<4>(b, j);
        for (std::size_t k = 0; k < 4; ++k)
          triangle_values[j + k] -= products[k];
      }
      for (; j < b.n_columns; ++j)
        triangle_values[j] -= products_below<1>(b, j)[0];
      if (b.n_columns >= n_for_blas)
        solve_triangle(b, "T", triangle_values);
      else
        for (j = b.n_columns; j-- > 0;) {
          const double *const column = b.column(j);
          double sum = triangle_values[j];
          for (std::size_t i = j + 1; i < b.n_columns; ++i)
            sum -= column[i] * triangle_values[i];
          triangle_values[j] = sum / column[j];
        }
    }
  }

private:
  /// Dense block of columns of L: the lower triangle of its first n_columns rows, which are the
  /// consecutive rows from `first` on, and the rows below.
  struct Block {
    std::size_t first, n_columns, n_rows;
    const int *rows;
    const double *values;
    const double *column(std::size_t j) const { return values + j * n_rows; }
    std::size_t n_below() const { return n_rows - n_columns; }
  };
  Block block(std::size_t s) const {
    const auto *const super = static_cast<const int *>(L.super);
    const auto *const row_start = static_cast<const int *>(L.pi);
    const auto *const value_start = static_cast<const int *>(L.px);
    const auto size = [](int begin, int end) { return static_cast<std::size_t>(end - begin); };
    return {static_cast<std::size_t>(super[s]), size(super[s], super[s + 1]),
            size(row_start[s], row_start[s + 1]), static_cast<const int *>(L.s) + row_start[s],
            static_cast<const double *>(L.x) + value_start[s]};
  }

  /// Solves with the triangle of a block by BLAS, whose argument TRANS is `transposition`.
  static void solve_triangle(const Block &b, const char *transposition, double *triangle_values) {
    const int n = static_cast<int>(b.n_columns), stride = static_cast<int>(b.n_rows),
              unit_stride = 1;
    dtrsv_("L", transposition, "N", &n, b.values, &stride, triangle_values, &unit_stride);
  }
  static constexpr std::size_t n_for_blas = 24;

  /// Returns, for each of n columns of a block from j on, the product of its entries below the
  /// triangle with `lower_values`.
  template <std::size_t n>
  std::array<double, n> products_below(const Block &b, std::size_t j) const {
    const double *const l = b.column(j) + b.n_columns, *const x_below = lower_values.data();
    std::array<Two, n> sum{};
    std::size_t i = 0;
    for (; i + 2 <= b.n_below(); i += 2)
      for (std::size_t k = 0; k < n; ++k)
        sum[k] += load_two(l + k * b.n_rows + i) * load_two(x_below + i);
    std::array<double, n> result;
    for (std::size_t k = 0; k < n; ++k)
      result[k] = sum[k][0] + sum[k][1] + (i < b.n_below() ? l[k * b.n_rows + i] * x_below[i] : 0.);
    return result;
  }

  const cholmod_factor &L;
  std::vector<double> &lower_values; ///< x at the rows below the triangle of a block, or the values
                                     ///< to be subtracted there
};

} // namespace percussion
