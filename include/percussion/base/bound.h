#pragma once

namespace percussion {

/// One end of an interval of numbers.
struct Bound {
  double value;  ///< infinite: no bound
  bool included; ///< true if the interval contains the value itself
};

} // namespace percussion
