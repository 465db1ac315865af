#pragma once

#include <percussion/cone/problem.h>

extern "C" { // the header does not say so itself
#include <fclib.h>
}

#include <string>

namespace percussion {

/// FCLib's forms of a matrix, all of them, as compressed rows. Entries at the same place are added,
/// zeros are kept. The matrix must have passed check_fclib().
CompressedRows compressed_rows(const fclib_matrix &matrix);

/// The rows of a dense n × n matrix. Zeros are left out, −0 is not.
CompressedRows compressed_rows(const std::vector<double> &dense, std::size_t n);
CompressedRows compressed_rows(const BlockSparseMatrix &blocks, std::size_t dimension);

/// Put W where it belongs in the problem, whose dimension and number of contacts are there: dense,
/// unless blocks make less than a third of that and there are many contacts.
void set_delassus(const CompressedRows &W, FrictionContactProblem &problem);

/// A matrix by compressed columns: the one form that every reader of FCLib's files understands, its
/// own merit function included.
class FclibMatrix {
public:
  explicit FclibMatrix(const CompressedRows &matrix);
  fclib_matrix *get() { return &matrix_; }
  std::size_t n_bytes() const { return 4 * (pointers_.size() + rows_.size()) + 8 * values_.size(); }

private:
  std::vector<int> pointers_, rows_;
  std::vector<double> values_;
  fclib_matrix matrix_{};
};

} // namespace percussion
