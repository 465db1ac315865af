#pragma once

#include <limits>

namespace percussion {

/// Returns the largest gap that counts as closed: a fraction of the local size plus the round-off
/// of the coordinates; zero if the fraction is zero.
inline double closing_tolerance(double relative_tolerance, double local_size, double farthest) {
  const double round_off = 8. * std::numeric_limits<double>::epsilon() * farthest;
  return relative_tolerance > 0. ? relative_tolerance * local_size + round_off : 0.;
}

} // namespace percussion
