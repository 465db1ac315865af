#include "block_factors.h"

#include <percussion/base/linear_system.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

constexpr std::size_t most_rows = 64;
constexpr double least_pivot = 1e-12; ///< relative, as for other factors

/// Returns, for each row, the smallest row connected to it by entries.
std::vector<std::size_t> connected_rows(const CompressedRows &matrix) {
  std::vector<std::size_t> parent(matrix.n_rows);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t row) {
    while (parent[row] != row)
      row = parent[row] = parent[parent[row]];
    return row;
  };
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      if (parent[matrix.column[k]] == parent[row])
        continue;
      const std::size_t a = root(row), b = root(matrix.column[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    parent[row] = root(row);
  return parent;
}

/// Computes Cholesky's factor by columns, with inverse pivots. Returns false if the matrix is not
/// definite.
bool factorise_definite(double *a, std::size_t n) {
  double size[most_rows];
  for (std::size_t k = 0; k < n; ++k)
    size[k] = a[k * (n + 1)];
  for (std::size_t k = 0; k < n; ++k) {
    double *const column = a + k * n;
    if (!(column[k] > least_pivot * size[k]))
      return false;
    const double inverse = column[k] = 1. / std::sqrt(column[k]);
    for (std::size_t row = k + 1; row < n; ++row)
      column[row] *= inverse;
    for (std::size_t c = k + 1; c < n; ++c)
      if (const double factor = column[c]; factor != 0.)
        for (std::size_t row = c; row < n; ++row)
          a[c * n + row] -= factor * column[row];
  }
  return true;
}

/// Computes x_r −= factor x_c for rows of n entries.
void subtract(double factor, const double *source, std::size_t n, double *x) {
  if (factor != 0.)
    for (std::size_t l = 0; l < n; ++l)
      x[l] -= factor * source[l];
}

} // namespace

std::optional<BlockFactors> BlockFactors::factorise(const CompressedRows &matrix) {
  const std::vector<std::size_t> root = connected_rows(matrix);
  BlockFactors result;
  std::vector<std::size_t> block_of(matrix.n_rows), count;
  result.index_in_block.resize(matrix.n_rows);
  for (std::size_t row = 0; row < matrix.n_rows; ++row) {
    if (root[row] == row) {
      block_of[row] = count.size();
      count.push_back(0);
    }
    const std::size_t block = block_of[row] = block_of[root[row]];
    result.index_in_block[row] = count[block]++;
    if (count[block] > most_rows)
      return std::nullopt;
  }
  result.first.assign(1, 0);
  result.first_entry.assign(1, 0);
  for (const std::size_t n : count) {
    result.first.push_back(result.first.back() + n);
    result.first_entry.push_back(result.first_entry.back() + n * n);
  }
  result.order.resize(matrix.n_rows);
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    result.order[result.first[block_of[row]] + result.index_in_block[row]] = row;
  result.entries.assign(result.first_entry.back(), 0.);
  result.symmetric.resize(count.size());
  for (std::size_t block = 0; block < count.size(); ++block)
    if (!result.factorise(matrix, block))
      return std::nullopt;
  return result;
}

/// Copies the entries of a block by columns. Returns true if they are symmetric.
bool BlockFactors::gather(const CompressedRows &matrix, std::size_t block) {
  const std::size_t n = size(block);
  double *const a = &entries[first_entry[block]];
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t row = rows(block)[r], k = matrix.row_start[row]; k < matrix.row_start[row + 1];
         ++k)
      a[index_in_block[matrix.column[k]] * n + r] = matrix.value[k];
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < r; ++c)
      if (a[r * n + c] != a[c * n + r])
        return false;
  return true;
}

bool BlockFactors::factorise(const CompressedRows &matrix, std::size_t block) {
  const std::size_t n = size(block);
  double *const a = &entries[first_entry[block]];
  symmetric[block] = gather(matrix, block) && factorise_definite(a, n);
  if (symmetric[block])
    return true;
  std::fill(a, a + n * n, 0.);
  gather(matrix, block);
  LinearSystem system;
  std::copy(a, a + n * n, system.dense(n));
  if (!system.factorise_dense())
    return false;
  std::vector<double> column(n);
  for (std::size_t c = 0; c < n; ++c) {
    std::fill(column.begin(), column.end(), 0.);
    column[c] = 1.;
    if (!system.solve(column))
      return false;
    std::copy(column.begin(), column.end(), a + c * n);
  }
  return true;
}

void BlockFactors::multiply_half(std::size_t block, std::size_t n, double *x) const {
  const std::size_t m = size(block);
  const double *const a = &entries[first_entry[block]];
  if (is_symmetric(block)) {
    for (std::size_t c = 0; c < m; ++c) {
      for (std::size_t l = 0; l < n; ++l)
        x[c * n + l] *= a[c * (m + 1)];
      for (std::size_t row = c + 1; row < m; ++row)
        subtract(a[c * m + row], x + c * n, n, x + row * n);
    }
    return;
  }
  const std::vector<double> rhs(x, x + m * n);
  std::fill(x, x + m * n, 0.);
  for (std::size_t c = 0; c < m; ++c)
    for (std::size_t row = 0; row < m; ++row)
      subtract(-a[c * m + row], rhs.data() + c * n, n, x + row * n);
}

void BlockFactors::solve(std::vector<double> &x) const {
  double block_values[most_rows];
  for (std::size_t block = 0; block < n_blocks(); ++block) {
    const std::size_t m = size(block);
    const double *const a = &entries[first_entry[block]];
    for (std::size_t r = 0; r < m; ++r)
      block_values[r] = x[rows(block)[r]];
    multiply_half(block, 1, block_values);
    for (std::size_t c = m; c-- > 0 && is_symmetric(block);) {
      for (std::size_t row = c + 1; row < m; ++row)
        block_values[c] -= a[c * m + row] * block_values[row];
      block_values[c] *= a[c * (m + 1)];
    }
    for (std::size_t r = 0; r < m; ++r)
      x[rows(block)[r]] = block_values[r];
  }
}

namespace {

/// Contacts on which each block of M acts, with their L H and R H.
struct ContactFactors {
  std::size_t n_contacts_of(std::size_t block) const { return first[block + 1] - first[block]; }
  std::vector<std::size_t> contact, first;              ///< block by block, ascending
  std::vector<double> values;                           ///< row by row of each block
  std::vector<std::size_t> left_factors, right_factors; ///< first value of each block
  std::vector<std::size_t> touch, first_touch;          ///< indices into `contact`, by contact
  std::vector<std::size_t> block_of;                    ///< block of each of these entries
};

/// Appends the contacts of a block, and its rows of H.
void append_share(const GlobalFrictionContactProblem &problem, const BlockFactors &M,
                  std::size_t block, std::vector<std::size_t> &index, ContactFactors &factors) {
  const std::size_t d = problem.dimension, m = M.size(block), begin = factors.contact.size();
  const CompressedRows &H = problem.H;
  const auto is_listed = [&](std::size_t j) {
    return index[j] >= begin && index[j] < factors.contact.size() && factors.contact[index[j]] == j;
  };
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t row = M.rows(block)[r], e = H.row_start[row]; e < H.row_start[row + 1]; ++e)
      if (const std::size_t j = H.column[e] / d; !is_listed(j)) {
        index[j] = factors.contact.size();
        factors.contact.push_back(j);
      }
  const std::size_t n = d * (factors.contact.size() - begin);
  std::sort(factors.contact.begin() + static_cast<std::ptrdiff_t>(begin), factors.contact.end());
  for (std::size_t k = begin; k < factors.contact.size(); ++k)
    index[factors.contact[k]] = k;
  factors.block_of.resize(factors.contact.size(), block);
  factors.left_factors.push_back(factors.values.size());
  factors.values.resize(factors.values.size() + m * n, 0.);
  double *const left_factors = factors.values.data() + factors.left_factors.back();
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t row = M.rows(block)[r], e = H.row_start[row]; e < H.row_start[row + 1]; ++e)
      left_factors[r * n + d * (index[H.column[e] / d] - begin) + H.column[e] % d] = H.value[e];
}

ContactFactors shares_of(const GlobalFrictionContactProblem &problem, const BlockFactors &M) {
  ContactFactors factors;
  std::vector<std::size_t> index(problem.n_contacts, 0);
  factors.first.assign(1, 0);
  for (std::size_t block = 0; block < M.n_blocks(); ++block) {
    append_share(problem, M, block, index, factors);
    factors.first.push_back(factors.contact.size());
    factors.right_factors.push_back(factors.left_factors.back());
    const std::size_t n = problem.dimension * factors.n_contacts_of(block);
    if (n > 0 && !M.is_symmetric(block)) {
      factors.right_factors.back() = factors.values.size();
      factors.values.resize(factors.values.size() + M.size(block) * n);
      const double *const left_factors = factors.values.data() + factors.left_factors.back();
      std::copy_n(left_factors, M.size(block) * n,
                  factors.values.data() + factors.right_factors.back());
    }
    if (n > 0)
      M.multiply_half(block, n, factors.values.data() + factors.right_factors.back());
  }
  factors.first_touch.assign(problem.n_contacts + 1, 0);
  for (const std::size_t j : factors.contact)
    ++factors.first_touch[j + 1];
  std::partial_sum(factors.first_touch.begin(), factors.first_touch.end(),
                   factors.first_touch.begin());
  factors.touch.resize(factors.contact.size());
  std::vector<std::size_t> next = factors.first_touch;
  for (std::size_t k = 0; k < factors.contact.size(); ++k)
    factors.touch[next[factors.contact[k]]++] = k;
  return factors;
}

/// Adds the d rows of (L H)ᵀ R H of a contact in a block, as blocks of d × d.
void add_rows(const ContactFactors &factors, std::size_t d, std::size_t rows, std::size_t touch,
              std::vector<std::vector<double>> &sum) {
  const std::size_t block = factors.block_of[touch], n = d * factors.n_contacts_of(block);
  const double *const left_factors =
      factors.values.data() + factors.left_factors[block] + d * (touch - factors.first[block]);
  const double *const right_factors = factors.values.data() + factors.right_factors[block];
  for (std::size_t k = 0; k < d; ++k)
    sum[k].assign(n, 0.);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < d; ++k)
      subtract(-left_factors[r * n + k], right_factors + r * n, n, sum[k].data());
}

} // namespace

BlockSparseMatrix delassus_of(const GlobalFrictionContactProblem &problem, const BlockFactors &M) {
  const std::size_t d = problem.dimension, square = d * d;
  const ContactFactors factors = shares_of(problem, M);
  BlockSparseMatrix W;
  W.row_start.assign(1, 0);
  constexpr auto nowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t> index(problem.n_contacts, nowhere), moved;
  std::vector<double> row;
  std::vector<std::vector<double>> sum(d);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    moved.assign(1, i);
    index[i] = 0;
    row.assign(square, 0.);
    for (std::size_t t = factors.first_touch[i]; t < factors.first_touch[i + 1]; ++t) {
      const std::size_t touch = factors.touch[t], block = factors.block_of[touch];
      add_rows(factors, d, M.size(block), touch, sum);
      for (std::size_t b = 0; b < factors.n_contacts_of(block); ++b) {
        const std::size_t j = factors.contact[factors.first[block] + b];
        if (index[j] == nowhere) {
          index[j] = moved.size();
          moved.push_back(j);
          row.resize(row.size() + square, 0.);
        }
        for (std::size_t k = 0; k < d; ++k)
          for (std::size_t l = 0; l < d; ++l)
            row[index[j] * square + k * d + l] += sum[k][d * b + l];
      }
    }
    std::sort(moved.begin(), moved.end());
    for (const std::size_t j : moved) {
      const double *const entry = &row[index[j] * square];
      index[j] = nowhere;
      if (i != j && std::all_of(entry, entry + square, [](double w) { return w == 0.; }))
        continue;
      W.column.push_back(j);
      W.value.insert(W.value.end(), entry, entry + square);
    }
    W.row_start.push_back(W.column.size());
  }
  return W;
}

} // namespace percussion
