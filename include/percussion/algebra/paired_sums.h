#pragma once

#include <percussion/algebra/two.h>

#include <algorithm>
#include <array>

namespace percussion {

/// Result of paired_sums().
template <std::size_t n_sums, std::size_t n_maxima>
struct PairedSums {
  std::array<double, n_sums> sum{};
  std::array<double, n_maxima> largest{}; ///< 0 if there are none
};

/// Returns sums and maxima over the entries [begin, end), two entries at a time: f(at, sum,
/// largest) obtains the two entries of a plain array x by at(x), adds to `sum` and increases
/// `largest`. Contributions must vanish if all entries do.
template <std::size_t n_sums, std::size_t n_maxima, typename Function>
PairedSums<n_sums, n_maxima> paired_sums(unsigned int begin, unsigned int end, const Function &f) {
  std::array<Two, n_sums> sum{};
  std::array<Two, n_maxima> largest{};
  unsigned int i = begin;
  for (; i + 2 <= end; i += 2)
    f([i](const double *x) { return load_two(x + i); }, sum, largest);
  if (i < end)
    f([i](const double *x) { return Two{x[i], 0.}; }, sum, largest);
  PairedSums<n_sums, n_maxima> result;
  for (std::size_t k = 0; k < n_sums; ++k)
    result.sum[k] = sum[k][0] + sum[k][1];
  for (std::size_t k = 0; k < n_maxima; ++k)
    result.largest[k] = std::max(largest[k][0], largest[k][1]);
  return result;
}

} // namespace percussion
