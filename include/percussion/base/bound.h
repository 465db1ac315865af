#pragma once

namespace percussion {

/// One end of an interval of numbers.
struct Bound {
  double value;  ///< infinite: no bound
  bool included; ///< whether the value itself is allowed
};

} // namespace percussion
