#include "chart_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace percussion::report {

std::vector<std::array<double, 2>> drawable(const Panel &panel, const Curve &curve) {
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (panel.logarithmic && !(curve.y[i] > 0))
      continue;
    const double y = panel.logarithmic ? std::log10(curve.y[i]) : curve.y[i];
    if (std::isfinite(curve.x[i]) && std::isfinite(y))
      points.push_back({curve.x[i], y});
  }
  return points;
}

PanelFrame make_frame(const Panel &panel) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double x_low = infinity, x_high = -infinity, y_low = infinity, y_high = -infinity;
  for (const Curve &curve : panel.curves) {
    for (const double x : curve.x)
      if (std::isfinite(x)) {
        x_low = std::min(x_low, x);
        x_high = std::max(x_high, x);
      }
    for (const auto &point : drawable(panel, curve)) {
      y_low = std::min(y_low, point[1]);
      y_high = std::max(y_high, point[1]);
    }
  }
  if (panel.x_range)
    std::tie(x_low, x_high) = std::make_pair((*panel.x_range)[0], (*panel.x_range)[1]);
  PanelFrame frame{};
  frame.x = x_low <= x_high ? linear_axis(x_low, x_high, 8) : linear_axis(0, 1, 8);
  if (!(y_low <= y_high))
    frame.y = {0, 1, {}};
  else if (panel.logarithmic)
    frame.y = logarithmic_axis(y_low, y_high, 7);
  else
    frame.y = padded_axis(y_low, y_high, 6, panel.integers);
  if (panel.y_range)
    frame.y = linear_axis((*panel.y_range)[0], (*panel.y_range)[1], 6);
  if (!panel.rows.empty())
    frame.y.ticks = panel.rows;
  return frame;
}

} // namespace percussion::report
