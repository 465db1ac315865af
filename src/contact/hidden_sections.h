#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace percussion {

/// Slope of a facet whose normal is opposed up to 53 degrees.
constexpr double steepest = 4. / 3.;

/// Jump of the gap between neighbouring sections of a facet beyond which the farther one is hidden,
/// relative to the size of the facet: beyond the edge of the opposite side a facet sees what lies
/// behind it, a step below, or the next layer of a wall. The mean of both gaps is a gap at no
/// point, and the dual functions extrapolate it. A flush surface has smaller jumps.
constexpr double hidden_jump = 0.05;

/// Returns 1 for the sections of an edge behind a nearer neighbour, and for all that follow these
/// without a jump.
///
/// @param gaps gaps at the beginning and at the end of each section [length]
/// @param length length of the edge
inline std::vector<char> hidden_sections(const std::vector<std::array<double, 2>> &gaps,
                                         double length) {
  const auto jump = [&](std::size_t i) { return std::abs(gaps[i][0]) - std::abs(gaps[i - 1][1]); };
  const double largest = hidden_jump * length;
  std::vector<char> is_hidden(gaps.size(), 0);
  for (std::size_t i = 1; i < gaps.size(); ++i)
    is_hidden[i] = jump(i) > largest || (is_hidden[i - 1] && jump(i) >= -largest);
  for (std::size_t i = gaps.size(); i-- > 1;)
    if (-jump(i) > largest || (is_hidden[i] && -jump(i) >= -largest))
      is_hidden[i - 1] = 1;
  return is_hidden;
}

template <typename Section>
void remove_hidden(const std::vector<char> &is_hidden, std::vector<Section> &sections) {
  std::vector<Section> visible;
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!is_hidden[i])
      visible.push_back(sections[i]);
  sections = std::move(visible);
}

/// Gap next to a corner of a facet, or an end of an edge.
struct CornerGap {
  double gap;      ///< gap of the nearest section [length]
  double distance; ///< its distance from the corner [length]
  bool is_hidden;  ///< true if this section is hidden
};

/// Gaps next to the corners that facets have in common.
struct CommonCorner {
  double farthest = std::numeric_limits<double>::max(); ///< bound of what is flush with the nearest
  double hidden = farthest;                             ///< nearest hidden gap [length]

  void add(const CornerGap &gap) {
    if (gap.is_hidden)
      hidden = std::min(hidden, std::abs(gap.gap) - steepest * gap.distance);
    else
      farthest = std::min(farthest, std::abs(gap.gap) + steepest * gap.distance);
  }
  /// True if what a facet faces lies behind what another one faces here, or is flush with what is
  /// hidden.
  bool hides(const CornerGap &gap, double size) const {
    const double jump = hidden_jump * size, slope = steepest * gap.distance;
    return !gap.is_hidden && (std::abs(gap.gap) - slope > farthest + jump ||
                              std::abs(gap.gap) + slope >= hidden - jump);
  }
};

} // namespace percussion
