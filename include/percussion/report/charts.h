#pragma once

#include <percussion/report/axis.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percussion::report {

/// The colour of a legend's entry that stands for all colours.
constexpr int any_colour = -1;

/// How a curve is drawn. Colour and dash are indices into short lists that repeat; curves that
/// differ in both stay apart in grey print and for colour-blind readers.
struct Style {
  int colour = 0;
  int dash = 0;
  bool points = false; ///< a small mark per value instead of a line
  double shade = -1;   ///< in [0, 1], from dark to light: replaces the colour
  bool thin = false;   ///< many curves in one panel
};

/// What fills a rectangle: three greys in print that colour-blind readers can distinguish too.
enum class Fill { light, middle, dark };

/// A filled rectangle in the units of the axes.
struct Bar {
  double left, right, bottom, top;
  Fill fill = Fill::middle;
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
  std::vector<Bar> bars;                             ///< behind the curves
  std::vector<std::pair<std::string, Style>> legend; ///< further entries
  std::vector<std::pair<std::string, Fill>> fills;   ///< what the bars' fills mean
  bool logarithmic = false;                          ///< vertical axis
  bool integers = false;                             ///< vertical axis counts things
  std::string if_empty; ///< stands in the frame when there is nothing to draw
  std::optional<std::array<double, 2>> x_range, y_range; ///< instead of those of the values
  std::vector<Tick> rows; ///< marks of the vertical axis instead of round numbers
  int height = 0;         ///< in pixels; 0: a height that suits curves
};

/// Draws the panels one above the other, their frames aligned, into a PNG file.
/// Throws RunError where the file cannot be written.
void draw_panels(const std::vector<Panel> &panels, const std::filesystem::path &file);

} // namespace percussion::report
