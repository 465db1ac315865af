#pragma once

#include "delassus_access.h"
#include "linear_system.h"

namespace percussion {

/// Factorises a d n_c × d n_c matrix of the structure of W. entry(i, k, j, l, block, stride)
/// returns the entry at row k of contact i and column l of contact j, whose block of W is given.
/// Returns false if the matrix is singular.
template <int d, typename Entry>
bool factorise_full(const FrictionContactProblem &problem, const Entry &entry,
                    LinearSystem &system) {
  const std::size_t n = problem.q.size();
  if (delassus::is_dense(problem)) {
    double *const matrix = system.dense(n); // by columns
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      delassus::for_blocks_of_row<d>(
          problem, i, [&](std::size_t j, const double *block, std::size_t stride) {
            for (std::size_t l = 0; l < d; ++l)
              for (std::size_t k = 0; k < d; ++k)
                matrix[(d * j + l) * n + d * i + k] = entry(i, k, j, l, block, stride);
          });
    return system.factorise_dense();
  }
  CompressedRows &matrix = system.sparse();
  matrix.n_rows = matrix.n_columns = n;
  matrix.row_start.assign(1, 0);
  matrix.column.clear();
  matrix.value.clear();
  for (std::size_t row = 0; row < n; ++row) {
    delassus::for_blocks_of_row<d>(
        problem, row / d, [&](std::size_t j, const double *block, std::size_t stride) {
          for (std::size_t l = 0; l < d; ++l) {
            matrix.column.push_back(d * j + l);
            matrix.value.push_back(entry(row / d, row % d, j, l, block, stride));
          }
        });
    matrix.row_start.push_back(matrix.column.size());
  }
  return system.factorise_sparse();
}

} // namespace percussion
