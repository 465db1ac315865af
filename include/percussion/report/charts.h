#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::report {

/// How a curve is drawn. Colour and dash are indices into short lists that repeat; curves that
/// differ in both stay apart in grey print and for colour-blind readers.
struct Style {
  int colour = 0;
  int dash = 0;
  bool points = false; ///< a small mark per value instead of a line
};

/// One curve; values that are not finite (and, on a logarithmic axis, not positive) are left out.
struct Curve {
  std::string label; ///< an empty label stays out of the legend
  std::vector<double> x, y;
  Style style;
};

/// One pair of axes with its curves.
struct Panel {
  std::string title, x_title, y_title;
  std::vector<Curve> curves;
  bool logarithmic = false; ///< vertical axis
  bool integers = false;    ///< vertical axis counts things
  std::string if_empty;     ///< stands in the frame when there is nothing to draw
};

/// Draws the panels one above the other, their frames aligned, into a PNG file.
/// Throws RunError where the file cannot be written.
void draw_panels(const std::vector<Panel> &panels, const std::filesystem::path &file);

} // namespace percussion::report
