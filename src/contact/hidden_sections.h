#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace percussion {

/// Slope of a facet whose normal is opposed up to 53 degrees.
constexpr double steepest = 4. / 3.;

/// Jump of the distance between neighbouring sections of a facet beyond which the farther one is
/// hidden, relative to the size of the facet. Beyond the edge of the opposite side a facet faces a
/// step below, or the next layer of a wall. The mean of both gaps is a gap at no point, and the
/// dual functions extrapolate it.
constexpr double hidden_jump = 0.05;

/// Depth up to which a section counts as near, relative to the size of the facet.
constexpr double near_depth = 0.25;

/// Returns the distance of a section from a facet of this size: zero if it penetrates.
inline double distance_of(double gap, double size) {
  return gap >= 0. ? gap : std::max(0., -gap - near_depth * size);
}

/// Section of an edge, from ξ = begin to end, with its distances there.
struct SectionDistance {
  std::array<double, 2> xi, distance;
  double least_distance() const { return std::min(distance[0], distance[1]); }
};

/// Returns 1 for the sections of an edge behind a nearer neighbour, and for all that follow these
/// without a jump, unless they come as near as the nearest section elsewhere. Sections of round-off
/// hide nothing, and are hidden if they lie behind what is beside them, such as the gap of a joint
/// that is closing: otherwise gradients would jump where it closes.
inline std::vector<char> hidden_sections(const std::vector<SectionDistance> &sections,
                                         double length) {
  constexpr double round_off = 1e-9;
  const double largest = hidden_jump * length;
  std::vector<char> is_hidden(sections.size(), 0);
  std::vector<std::size_t> wide, narrow;
  double nearest = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const bool is_wide = sections[i].xi[1] - sections[i].xi[0] > round_off;
    (is_wide ? wide : narrow).push_back(i);
    if (is_wide)
      nearest = std::min(nearest, sections[i].least_distance());
  }
  // Returns the jump from a section to a later one, less what a slope explains across a hole.
  const auto jump = [&](std::size_t first, std::size_t second) {
    const double change = sections[second].distance[0] - sections[first].distance[1];
    const double hole = std::max(0., sections[second].xi[0] - sections[first].xi[1]);
    return std::copysign(std::max(0., std::abs(change) - steepest * length * hole), change);
  };
  const auto may_hide = [&](std::size_t i) {
    return sections[i].least_distance() > nearest + largest;
  };
  for (std::size_t k = 1; k < wide.size(); ++k) {
    const double step = jump(wide[k - 1], wide[k]);
    is_hidden[wide[k]] =
        may_hide(wide[k]) && (step > largest || (is_hidden[wide[k - 1]] && step >= -largest));
  }
  for (std::size_t k = wide.size(); k-- > 1;) {
    const double step = jump(wide[k - 1], wide[k]);
    if (may_hide(wide[k - 1]) && (-step > largest || (is_hidden[wide[k]] && step <= largest)))
      is_hidden[wide[k - 1]] = 1;
  }
  for (const std::size_t i : narrow) {
    const auto next = std::upper_bound(wide.begin(), wide.end(), i);
    const bool is_behind_next = next == wide.end() || is_hidden[*next] || -jump(i, *next) > largest;
    const bool is_behind_last =
        next == wide.begin() || is_hidden[next[-1]] || jump(next[-1], i) > largest;
    is_hidden[i] = !wide.empty() && may_hide(i) && is_behind_next && is_behind_last;
  }
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

/// Section next to a corner of a facet, or to an end of an edge.
struct CornerSection {
  double distance;        ///< distance of the opposite side [length]
  double corner_distance; ///< distance of the section from the corner [length]
  bool is_hidden;         ///< true if this section is hidden
};

/// Sections next to a corner that facets have in common.
struct CommonCorner {
  /// Bound of the distance at the corner of a surface that is flush with the nearest section.
  double flush_distance = std::numeric_limits<double>::max();
  double hidden_distance = flush_distance; ///< least distance of a hidden section [length]

  void add(const CornerSection &section) {
    const double slope = steepest * section.corner_distance;
    if (section.is_hidden)
      hidden_distance = std::min(hidden_distance, section.distance - slope);
    else
      flush_distance = std::min(flush_distance, section.distance + slope);
  }
  /// True if the section of a facet lies behind the section of another facet here, or is flush with
  /// a hidden one.
  bool hides(const CornerSection &section, double size) const {
    const double jump = hidden_jump * size, slope = steepest * section.corner_distance;
    return !section.is_hidden && (section.distance - slope > flush_distance + jump ||
                                  section.distance + slope >= hidden_distance - jump);
  }
};

} // namespace percussion
