#pragma once

#include <limits>

namespace percussion {

/// A share of the local size, and what round-off of the coordinates makes of a closed gap; the bare
/// test where the share is zero.
inline double closing_tolerance(double share, double local_size, double farthest) {
  const double round_off = 8. * std::numeric_limits<double>::epsilon() * farthest;
  return share > 0. ? share * local_size + round_off : 0.;
}

} // namespace percussion
