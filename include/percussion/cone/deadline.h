#pragma once

#include <chrono>
#include <limits>

namespace percussion {

/// Time at which a solver stops with its current result. Without a limit the clock is not read.
class Deadline {
public:
  Deadline() = default;
  /// Sets the deadline to the given number of seconds from now; 1e9 or more means no limit.
  explicit Deadline(double seconds) : limited(seconds < 1e9) {
    if (limited)
      end = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Returns the remaining seconds: infinite without a limit, negative after the deadline.
  double seconds_left() const {
    return limited ? std::chrono::duration<double>(end - Clock::now()).count()
                   : std::numeric_limits<double>::infinity();
  }
  /// Returns true if the deadline has passed.
  bool is_over() const { return limited && Clock::now() >= end; }

private:
  using Clock = std::chrono::steady_clock;
  bool limited = false;
  Clock::time_point end;
};

} // namespace percussion
