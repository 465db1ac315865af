#include <percussion/report/axis.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace percussion::report {
namespace {
/// "1.5e-07" → "1.5e-7"
std::string tidy(const std::string &text) {
  const auto e = text.find('e');
  if (e == std::string::npos)
    return text;
  return text.substr(0, e + 1) + std::to_string(std::atoi(text.c_str() + e + 1));
}

/// A multiple of `step` with the digits that distinguish it from its neighbours.
std::string tick_label(const double value, const double step, const double largest) {
  char text[64];
  if (value == 0)
    return "0";
  if (largest >= 1e6 || largest < 1e-3) {
    const int digits = std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9) -
                                                    std::floor(std::log10(step) + 1e-9)));
    std::snprintf(text, sizeof text, "%.*e", digits, value);
    return tidy(text);
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}
} // namespace

double round_1_2_5(const double value) {
  const double decade = std::pow(10., std::floor(std::log10(value)));
  double best = decade;
  for (const double factor : {2., 5., 10.})
    if (std::abs(std::log(factor * decade / value)) < std::abs(std::log(best / value)))
      best = factor * decade;
  return best;
}

Axis linear_axis(const double low, const double high, const int count, const bool integers) {
  // A range close to the spacing of floating-point numbers is a constant that has been rounded.
  if (!(high - low > 1e-9 * std::max(std::abs(low), std::abs(high)))) {
    const double room = low == 0 ? 1. : 0.1 * std::abs(low);
    return {low - room, low + room, {{low, short_number(low, 6)}}};
  }
  Axis axis{low, high, {}};
  double step = round_1_2_5((high - low) / count);
  if (integers)
    step = std::max(1., step);
  const double largest = std::max(std::abs(low), std::abs(high));
  const double first = std::ceil(low / step - 1e-9), last = high / step + 1e-9;
  for (double multiple = first; multiple <= last; ++multiple)
    axis.ticks.push_back({multiple * step, tick_label(multiple * step, step, largest)});
  return axis;
}

Axis logarithmic_axis(const double low, const double high, const int count) {
  Axis axis;
  axis.low = std::floor(low);
  axis.high = std::max(std::ceil(high), axis.low + 1);
  const int decades = static_cast<int>(axis.high - axis.low);
  const int step = std::max(1, (decades + count - 1) / count);
  for (int k = 0; k <= decades; k += step) {
    const int exponent = static_cast<int>(axis.low) + k;
    axis.ticks.push_back({axis.low + k, "1e" + std::to_string(exponent)});
  }
  return axis;
}

std::string short_number(const double value, const int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  // "1230" is easier to read than "1.23e3".
  if (std::strchr(text, 'e') != nullptr && std::abs(value) >= 1 && std::abs(value) < 99999.5)
    std::snprintf(text, sizeof text, "%.0f", std::strtod(text, nullptr));
  return tidy(text);
}

std::string number_with_unit(const double value, const std::string &unit, const int digits) {
  return short_number(value, digits) + (unit.empty() ? "" : " " + unit);
}

} // namespace percussion::report
