#pragma once

#include <ctime>
#include <limits>

namespace percussion {

/// Processor time of this process at which a solver stops with its current result: the time that
/// percussion-fc reports. Without a limit the clock is not read.
class Deadline {
public:
  Deadline() = default;
  /// Sets the deadline to the given number of seconds of processor time from now; 1e9 or more means
  /// no limit.
  explicit Deadline(double seconds)
      : limited(seconds < 1e9), end(limited ? processor_time() + seconds : 0.) {}
  /// Returns the remaining seconds: infinite without a limit, negative after the deadline.
  double seconds_left() const {
    return limited ? end - processor_time() : std::numeric_limits<double>::infinity();
  }
  /// Returns true if the deadline has passed.
  bool is_over() const { return limited && processor_time() >= end; }
  /// Returns the processor time of this process [s].
  static double processor_time() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

private:
  bool limited = false;
  double end = 0; ///< [s]
};

} // namespace percussion
