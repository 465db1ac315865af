#pragma once

#include <percussion/base/linear_system.h>

#include "body_system.h"
#include "delassus_operator.h"

namespace percussion {

/// LU factors of a matrix with the block structure of W: dense, sparse, or in the space of the
/// bodies.
template <int d>
class DelassusFactors {
public:
  /// Factorises the matrix with rows and columns first[i] to first[i + 1] − 1 for contact i.
  /// compute(i, j, block, stride, result) computes the entries result(r, c) of the contacts i and j
  /// from the block of W. Up to the size `dense_limit` the factors of a W with blocks are dense,
  /// too. Returns false if the matrix is singular.
  template <typename Compute>
  bool factorise(const DelassusOperator<d> &W, const std::vector<std::size_t> &first,
                 std::size_t dense_limit, const Compute &compute) {
    uses_bodies = false;
    if (W.is_dense || first.back() <= dense_limit) {
      assemble_dense(W, first, compute);
      return system.factorise_dense();
    }
    assemble_sparse(W, first, compute);
    return system.factorise_sparse();
  }

  /// Factorises a matrix with the d rows and columns of W for each contact.
  template <typename Compute>
  bool factorise(const DelassusOperator<d> &W, const Compute &compute) {
    std::vector<std::size_t> first(W.n_contacts + 1);
    for (std::size_t i = 0; i <= W.n_contacts; ++i)
      first[i] = d * i;
    return factorise(W, first, 0, compute);
  }

  /// Factorises S + T W B in the space of the bodies, which must be known. Returns false if the
  /// matrix or a block S is singular.
  bool factorise_by_bodies(const DelassusOperator<d> &W,
                           const std::vector<ContactEquations<d>> &contacts) {
    uses_bodies = true;
    if constexpr (d == 3)
      return bodies.factorise(*W.bodies(), contacts);
    return false;
  }

  /// Solves in place, with the W of the factors. Returns false if the result is not finite, or its
  /// residual is too large.
  bool solve(const DelassusOperator<d> &W, std::vector<double> &x) const {
    return uses_bodies ? bodies.solve(*W.bodies(), x) : system.solve(x);
  }

  /// Returns the sign, 1 or −1, of the determinant of the matrix factorised last.
  double sign_of_determinant() const {
    return uses_bodies ? bodies.sign_of_determinant() : system.sign_of_determinant();
  }

private:
  template <typename Compute>
  void assemble_dense(const DelassusOperator<d> &W, const std::vector<std::size_t> &first,
                      const Compute &compute) {
    const std::size_t n = first.back();
    double *const matrix = system.dense(n); // by columns
    if (!W.is_dense)
      std::fill(matrix, matrix + n * n, 0.);
    for (std::size_t i = 0; i < W.n_contacts; ++i) {
      if (first[i + 1] > first[i])
        W.visit_row_blocks(i, [&](std::size_t j, const double *block, std::size_t stride) {
          double *const target = matrix + first[j] * n + first[i];
          compute(i, j, block, stride, [target, n](std::size_t r, std::size_t c) -> double & {
            return target[c * n + r];
          });
        });
    }
  }

  template <typename Compute>
  void assemble_sparse(const DelassusOperator<d> &W, const std::vector<std::size_t> &first,
                       const Compute &compute) {
    CompressedRows &matrix = system.sparse();
    matrix.n_rows = matrix.n_columns = first.back();
    matrix.row_start.assign(1, 0);
    matrix.column.clear();
    matrix.value.clear();
    std::vector<double> rows[d];
    for (std::size_t i = 0; i < W.n_contacts; ++i) {
      const std::size_t n_rows = first[i + 1] - first[i];
      if (n_rows == 0)
        continue;
      const auto start = static_cast<std::ptrdiff_t>(matrix.column.size());
      W.visit_row_blocks(i, [&](std::size_t j, const double *block, std::size_t stride) {
        local::Block<d> result;
        compute(i, j, block, stride,
                [&result](std::size_t r, std::size_t c) -> double & { return result[r][c]; });
        for (std::size_t c = 0; c < first[j + 1] - first[j]; ++c) {
          matrix.column.push_back(first[j] + c);
          for (std::size_t r = 0; r < n_rows; ++r)
            rows[r].push_back(result[r][c]);
        }
      });
      const std::vector<std::size_t> columns(matrix.column.begin() + start, matrix.column.end());
      for (std::size_t r = 0; r < n_rows; ++r) {
        if (r > 0)
          matrix.column.insert(matrix.column.end(), columns.begin(), columns.end());
        matrix.value.insert(matrix.value.end(), rows[r].begin(), rows[r].end());
        matrix.row_start.push_back(matrix.column.size());
        rows[r].clear();
      }
    }
  }

  LinearSystem system;
  BodySystem bodies;
  bool uses_bodies = false;
};

} // namespace percussion
