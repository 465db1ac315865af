#pragma once

#include <percussion/cone/problem.h>

/// Operations on the Delassus operator W of a problem, dense or by blocks.
namespace percussion {

/// Returns W of the problem, without the zeros of a dense W, except -0. Throws
/// std::invalid_argument if its size does not fit.
CompressedRows delassus(const FrictionContactProblem &problem);

/// Sets a dense W, row by row.
void set_delassus(std::vector<double> W, FrictionContactProblem &problem);
/// Sets W of the problem, whose dimension and number of contacts are known: by blocks if there are
/// more than 50 contacts and these blocks make less than a third of W, otherwise dense.
void set_delassus(const CompressedRows &W, FrictionContactProblem &problem);
/// Does the same with the blocks of W. If W is `symmetric` up to round-off, the mean of W and its
/// transpose replaces a dense W.
void set_delassus(BlockSparseMatrix W, bool symmetric, FrictionContactProblem &problem);

/// Replaces the blocks of W by a dense W.
void make_dense(FrictionContactProblem &problem);

/// Block of W, which refers to the entries of the problem.
struct DelassusBlock {
  double &operator()(std::size_t row, std::size_t column) const {
    return first_entry[row * stride + column];
  }
  double *first_entry;
  std::size_t stride; ///< entries from one row to the next
};

/// Returns W_ii, which must be stored.
DelassusBlock diagonal_block(FrictionContactProblem &problem, std::size_t i);

/// Returns the sum of the diagonal entries of W.
double trace(const FrictionContactProblem &problem);

/// Multiplies W by a factor, with the mass and the compliance of its bodies.
void scale(double factor, FrictionContactProblem &problem);

/// Adds diag(c) to W, and to the compliance of its bodies.
void add_to_diagonal(const std::vector<double> &c, FrictionContactProblem &problem);

/// Sets a row and the column of the same index to zero.
void clear_row_and_column(std::size_t row, FrictionContactProblem &problem);

/// Returns the number of velocities of the bodies that W couples; 0 if they are unknown.
std::size_t n_body_velocities(const FrictionContactProblem &problem);

} // namespace percussion
