#pragma once

#include <chrono>
#include <limits>

namespace percussion {

/// A moment after which a solver stops with what it has. Without a limit the clock is not read.
class Deadline {
public:
  Deadline() = default;
  /// So many seconds from now; 1e9 and more are no limit.
  explicit Deadline(double seconds) : limited_(seconds < 1e9) {
    if (limited_)
      end_ = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Infinite without a limit; negative once it is over.
  double seconds_left() const {
    return limited_ ? std::chrono::duration<double>(end_ - Clock::now()).count()
                    : std::numeric_limits<double>::infinity();
  }
  /// Whether the moment has come.
  bool is_over() const { return limited_ && Clock::now() >= end_; }

private:
  using Clock = std::chrono::steady_clock;
  bool limited_ = false;
  Clock::time_point end_;
};

} // namespace percussion
