#pragma once

#include <vector>

namespace percussion::fc {

/// The share of problems that each solver solves within a factor of the fastest solver's time:
/// Dolan & Moré, Benchmarking optimization software with performance profiles, 2002.
struct PerformanceProfile {
  std::vector<double> ratio;              ///< where any share changes, ascending; the first is 1
  std::vector<std::vector<double>> share; ///< of each solver, one a ratio, kept up to the next
};

/// From times[problem][solver], infinity where a solver has failed. Problems that no solver solves
/// count too: nobody's share reaches one then.
///
/// Throws std::invalid_argument unless all times are positive and all rows of one length.
PerformanceProfile performance_profile(const std::vector<std::vector<double>> &times);

} // namespace percussion::fc
