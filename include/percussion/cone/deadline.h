#pragma once

#include <chrono>
#include <limits>

namespace percussion {

/// A moment after which a solver stops with what it has. Without a limit the clock is not read.
class Deadline {
public:
  Deadline() = default;
  /// So many seconds from now; 1e9 and more are no limit.
  explicit Deadline(double seconds) : limited(seconds < 1e9) {
    if (limited)
      end = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Infinite without a limit; negative once it is over.
  double seconds_left() const {
    return limited ? std::chrono::duration<double>(end - Clock::now()).count()
                   : std::numeric_limits<double>::infinity();
  }
  /// Whether the moment has come.
  bool is_over() const { return limited && Clock::now() >= end; }

private:
  using Clock = std::chrono::steady_clock;
  bool limited = false;
  Clock::time_point end;
};

} // namespace percussion
