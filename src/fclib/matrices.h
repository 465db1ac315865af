#pragma once

#include <percussion/cone/problem.h>

#include "hdf5_group.h"

namespace percussion {

/// A matrix as a file has it: the entries in any order, those of equal place to be added.
struct Entries {
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;
};

/// Reads compressed rows, compressed columns or triplets. Throws FclibError unless all indices are
/// in range.
Entries read_matrix(const hdf5::Group &group);

/// Writes compressed columns, the one form that every reader of FCLib files understands. Throws
/// FclibError if pointers or columns are out of range.
void write_matrix(const hdf5::Group &group, const CompressedRows &matrix);

/// The sum of the entries at each place; zeros are kept.
CompressedRows compressed_rows(const Entries &entries);

/// W of the problem; if it is dense, without its zeros, -0 excepted. Throws std::invalid_argument
/// if its size does not fit.
CompressedRows delassus(const FrictionContactProblem &problem);

/// Sets W of the problem, whose dimension and number of contacts are known: by blocks if there are
/// more than 50 contacts and these blocks make less than a third of W, else dense.
void set_delassus(const CompressedRows &W, FrictionContactProblem &problem);

} // namespace percussion
