#pragma once

#include <percussion/cone/operators.h>

#include "hdf5_group.h"

namespace percussion {

/// Matrix as stored in a file: entries in any order; entries with equal indices are added.
struct Entries {
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;

  template <typename Row, typename Column>
  void add(Row i, Column j, double x) {
    row.push_back(static_cast<int>(i));
    column.push_back(static_cast<int>(j));
    value.push_back(x);
  }
};

/// Reads compressed rows, compressed columns or triplets. Throws FclibError unless all indices are
/// in range.
Entries read_matrix(const hdf5::Group &group);

/// Writes compressed columns, the one form that every reader of FCLib files understands. Throws
/// FclibError if pointers or columns are out of range.
void write_matrix(const hdf5::Group &group, const CompressedRows &matrix);

/// Returns the sum of the entries with equal indices; zeros are kept.
CompressedRows compressed_rows(const Entries &entries);

} // namespace percussion
