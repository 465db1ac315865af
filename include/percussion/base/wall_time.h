#pragma once

#include <chrono>

namespace percussion {

using WallClock = std::chrono::steady_clock;

/// Returns the wall time since an instant [s].
inline double seconds_since(WallClock::time_point begin) {
  return std::chrono::duration<double>(WallClock::now() - begin).count();
}

} // namespace percussion
