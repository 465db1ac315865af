#pragma once

#include <percussion/report/axis.h>
#include <percussion/report/charts.h>
#include <percussion/report/polyline.h>

namespace percussion::report {

/// A part of the picture in pixels.
struct Rectangle {
  float left, bottom, right, top;
};

/// Where the values of a panel are in the picture.
struct PanelFrame {
  Axis x, y;
  Rectangle box;

  Pixel at(const double u, const double v) const {
    return {box.left + static_cast<float>(x.at(u)) * (box.right - box.left),
            box.bottom + static_cast<float>(y.at(v)) * (box.top - box.bottom)};
  }
};

/// The values that can be drawn, with decimal logarithms where the axis wants them.
std::vector<std::array<double, 2>> drawable(const Panel &panel, const Curve &curve);

/// The axes that hold all of the panel's values; the box is left to the layout.
PanelFrame make_frame(const Panel &panel);

} // namespace percussion::report
