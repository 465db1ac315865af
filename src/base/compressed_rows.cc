#include <percussion/base/compressed_rows.h>

namespace percussion {

CompressedRows transposed(const CompressedRows &matrix) {
  CompressedRows result;
  result.n_rows = matrix.n_columns;
  result.n_columns = matrix.n_rows;
  result.row_start.assign(matrix.n_columns + 1, 0);
  for (const std::size_t column : matrix.column)
    ++result.row_start[column + 1];
  for (std::size_t row = 0; row < result.n_rows; ++row)
    result.row_start[row + 1] += result.row_start[row];
  result.column.resize(matrix.column.size());
  result.value.resize(matrix.value.size());
  std::vector<std::size_t> next(result.row_start.begin(), result.row_start.end() - 1);
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      const std::size_t index = next[matrix.column[k]]++;
      result.column[index] = row;
      result.value[index] = matrix.value[k];
    }
  return result;
}

} // namespace percussion
