#pragma once

#include <string>
#include <vector>

namespace percussion::report {

/// A mark on an axis: where, and what stands beside it.
struct Tick {
  double value;
  std::string label;
};

/// The range of one axis and its marks. On a logarithmic axis values are decimal logarithms.
struct Axis {
  double low = 0, high = 1;
  std::vector<Tick> ticks;

  /// Position in [0, 1].
  double at(const double value) const { return (value - low) / (high - low); }
};

/// The closest of 1, 2, 5 times a power of ten to `value` > 0, measured by ratio.
double round_1_2_5(double value);

/// Exactly [low, high], with about `count` marks at multiples of 1, 2 or 5 times a power of ten.
/// Where low and high agree, a range around them with that one mark.
Axis linear_axis(double low, double high, int count, bool integers = false);

/// Whole decades around [low, high] (decimal logarithms), at most `count` marks.
Axis logarithmic_axis(double low, double high, int count);

/// Short text of a number, "1e-5" rather than "1e-05".
std::string short_number(double value, int digits = 3);

/// "0.5 ms", or "0.5" where the unit is not known.
std::string number_with_unit(double value, const std::string &unit, int digits = 3);

} // namespace percussion::report
