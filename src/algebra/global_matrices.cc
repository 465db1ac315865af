#include <percussion/algebra/global_matrices.h>

namespace percussion {

CompressedRows global_matrix(ContactSystem &system) {
  CompressedRows A;
  A.n_rows = A.n_columns = system.size();
  A.row_start.push_back(0);
  for (unsigned int i = 0; i < system.size(); ++i) {
    system.visit_row(i, [&](unsigned int j, double value) {
      A.column.push_back(j);
      A.value.push_back(value);
    });
    A.row_start.push_back(A.column.size());
  }
  return A;
}

namespace {

/// Returns H over all velocities, with the columns that satisfy `is_kept`.
template <typename IsKept>
CompressedRows rows_over_velocities(const ContactRows &H, const ContactSystem &system,
                                    const IsKept &is_kept) {
  CompressedRows rows;
  rows.n_rows = H.n_rows();
  rows.n_columns = system.size();
  rows.row_start.push_back(0);
  for (unsigned int r = 0; r < H.n_rows(); ++r) {
    for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
      if (const unsigned int dof = system.dof(H.entries[H.column[k]]); is_kept(dof)) {
        rows.column.push_back(dof);
        rows.value.push_back(H.value[k]);
      }
    rows.row_start.push_back(rows.column.size());
  }
  return rows;
}

} // namespace

CompressedRows complete_rows(const ContactRows &H, const ContactSystem &system) {
  return rows_over_velocities(H, system, [](unsigned int) { return true; });
}

CompressedRows global_rows(const ContactRows &H, const ContactSystem &system) {
  return rows_over_velocities(H, system, [&](unsigned int dof) { return system.is_free(dof); });
}

} // namespace percussion
