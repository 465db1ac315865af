#include <percussion/algebra/prescribed_columns.h>

namespace percussion {

void PrescribedColumns::set(const MatrixRows &A, const SystemPattern &pattern) {
  columns.clear();
  for (const unsigned int prescribed : pattern.prescribed) {
    Rows rows;
    const SparseRow column = A.row(prescribed);
    for (int e = 0; e < column.size; ++e)
      if (const auto dof = static_cast<unsigned int>(column.column[e]);
          pattern.is_elastic(dof) && column.value[e] != 0.)
        rows.emplace_back(dof, column.value[e]);
    columns.emplace_back(prescribed, std::move(rows));
  }
}

} // namespace percussion
