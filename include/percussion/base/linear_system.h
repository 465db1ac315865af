#pragma once

#include <percussion/base/compressed_rows.h>

#include <memory>
#include <vector>

namespace percussion {

/// Returns the number of entries per row of a triangular factor of a matrix with this pattern, in
/// compressed row storage; infinity if there is none.
double fill_per_row(const std::vector<std::size_t> &row_start,
                    const std::vector<std::size_t> &column);

/// General square matrix and its LU factors: dense by LAPACK, sparse by KLU or UMFPACK.
class LinearSystem {
public:
  LinearSystem();
  ~LinearSystem();
  LinearSystem(LinearSystem &&) noexcept;
  LinearSystem &operator=(LinearSystem &&) noexcept;

  /// Returns the entries of a dense n × n matrix, column by column, to be set before
  /// factorise_dense().
  double *dense(std::size_t n);
  /// Returns a sparse matrix, to be set before factorise_sparse().
  CompressedRows &sparse() { return matrix; }

  /// Factorises the matrix. Returns false if it is singular to round-off: the solution would be
  /// arbitrary in its approximate null space.
  bool factorise_dense();
  bool factorise_sparse();

  /// Returns the sign, 1 or −1, of the determinant of the matrix factorised last.
  double sign_of_determinant() const;

  /// Solves in place; x is the right-hand side on entry. Returns false if the solution is not
  /// finite.
  bool solve(std::vector<double> &x) const;

private:
  struct Sparse;
  std::size_t size = 0;
  bool is_dense = true;
  std::vector<double> lu, column_sizes;
  std::vector<int> pivots;
  CompressedRows matrix;
  std::unique_ptr<Sparse> factors;
};

} // namespace percussion
