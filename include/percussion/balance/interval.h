#pragma once

namespace percussion {

/// Interval of a step or substep.
struct Interval {
  double t0, t1; ///< beginning and end [time]
  double h;      ///< length, bitwise equal for all full steps [time]
};

} // namespace percussion
