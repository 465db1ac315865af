#pragma once

#include <percussion/algebra/matrix_rows.h>
#include <percussion/algebra/system_pattern.h>

#include <utility>
#include <vector>

namespace percussion {

/// Entries of a matrix that couple prescribed columns to the unknowns of elastic bodies.
class PrescribedColumns {
public:
  /// Copies the entries of a symmetric matrix; of a matrix by nodes, those in the rows of this
  /// process.
  void set(const MatrixRows &A, const SystemPattern &pattern);
  /// Calls subtract(dof, value x_j) for the entries of the columns j whose prescribed value in x is
  /// not zero.
  template <typename Subtract>
  void subtract_from(const Vector &x, const Subtract &subtract) const {
    for (const auto &[prescribed, rows] : columns)
      if (const double value = x[prescribed]; value != 0.)
        for (const auto &[dof, entry] : rows)
          subtract(dof, entry * value);
  }

private:
  void set_by_nodes(const MatrixRows &A, const SystemPattern &pattern);

  using Rows = std::vector<std::pair<unsigned int, double>>;
  std::vector<std::pair<unsigned int, Rows>> columns;
};

} // namespace percussion
