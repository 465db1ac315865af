#pragma once

#include <cstddef>
#include <vector>

namespace percussion {

/// Compliance C of contact rows: percussions p add C p to their velocities [velocity / impulse].
struct Compliance {
  std::vector<double> diagonal; ///< entry of each row; empty if C is full or zero
  std::vector<double> full;     ///< all entries, row by row; empty if C is diagonal

  bool vanishes() const { return diagonal.empty() && full.empty(); }
  /// Adds a row of C p to a velocity.
  void add_product(std::size_t row, const std::vector<double> &p, double &velocity) const {
    if (!diagonal.empty())
      velocity += diagonal[row] * p[row];
    for (std::size_t k = 0; k < p.size() && !full.empty(); ++k)
      velocity += full[row * p.size() + k] * p[k];
  }
  bool operator==(const Compliance &c) const { return diagonal == c.diagonal && full == c.full; }
};

} // namespace percussion
