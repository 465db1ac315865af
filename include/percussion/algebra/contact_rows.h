#pragma once

#include <vector>

namespace percussion {

/// Sparse matrix H of local velocities u = H v, with the rows n, t[, t'] of each contact.
struct ContactRows {
  std::vector<unsigned int> start{0}; ///< index of the first value of each row, and the end
  std::vector<unsigned int> column;   ///< column of each value: its index in `entries`
  std::vector<double> value;          ///< nonzero values [1; length if the column is a rotation]
  std::vector<unsigned int> entries;  ///< entries of the trace on which H acts, ascending

  unsigned int n_rows() const { return static_cast<unsigned int>(start.size()) - 1; }

  /// Replaces the entries of the trace in the columns by their indices in a list of entries.
  void number_columns(const std::vector<unsigned int> &all);
  /// Returns one entry of H v, with v over the trace.
  double row_times(unsigned int row, const std::vector<double> &v) const {
    double sum = 0;
    for (unsigned int k = start[row]; k < start[row + 1]; ++k)
      sum += value[k] * v[entries[column[k]]];
    return sum;
  }
  /// Computes factor × Hᵀ p on `entries`.
  void transpose_times(double factor, const std::vector<double> &p,
                       std::vector<double> &force) const;

  /// True if all values differ by at most a fraction of the largest.
  bool is_near(const ContactRows &second, double tolerance) const;
  bool operator==(const ContactRows &second) const {
    return start == second.start && entries == second.entries && column == second.column &&
           value == second.value;
  }
};

} // namespace percussion
