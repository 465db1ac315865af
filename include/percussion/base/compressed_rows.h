#pragma once

#include <cstddef>
#include <vector>

namespace percussion {

/// Sparse matrix in compressed row storage, columns ascending.
struct CompressedRows {
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<std::size_t> row_start, column;
  std::vector<double> value;
};

/// Returns the transpose, with ascending columns also for a `matrix` with unsorted columns.
CompressedRows transposed(const CompressedRows &matrix);

} // namespace percussion
