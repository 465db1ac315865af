#pragma once

#include <array>
#include <chrono>

namespace percussion {

/// Phases of a run whose wall times are in the summary: `search` includes the forecast.
enum class Phase { search, pose, solve, advance, account, output };
constexpr std::size_t n_phases = 6;
constexpr std::array<const char *, n_phases> phase_names = {
    {"search", "pose", "solve", "advance", "account", "output"}};

/// Wall time of each phase [s].
struct PhaseTimes {
  std::array<double, n_phases> seconds{};
};

/// Stopwatch that adds up the wall time of each phase.
class Stopwatch {
public:
  PhaseTimes times; ///< wall times so far

  /// Starts the time of the phase that the next lap() names.
  void start() { last = Clock::now(); }
  /// Adds the time since the last call to a phase.
  void lap(Phase phase) {
    const auto current = Clock::now();
    times.seconds[static_cast<std::size_t>(phase)] +=
        std::chrono::duration<double>(current - last).count();
    last = current;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

} // namespace percussion
