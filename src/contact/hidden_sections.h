#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace percussion {

/// Jump of the gap between neighbouring sections of a facet beyond which the farther one is hidden,
/// relative to the size of the facet: beyond the edge of the opposite side a facet sees what lies
/// behind it, a step below, or the next layer of a wall. The mean of both gaps is a gap at no
/// point, and the dual functions extrapolate it. A flush surface has smaller jumps.
constexpr double hidden_jump = 0.05;

/// Removes the sections of an edge behind a nearer neighbour, with all that follow without a jump.
///
/// @param gaps gaps at the beginning and at the end of each section [length]
/// @param length length of the edge
template <typename Section>
void remove_hidden_sections(const std::vector<std::array<double, 2>> &gaps, double length,
                            std::vector<Section> &sections) {
  const auto jump = [&](std::size_t i) { return std::abs(gaps[i][0]) - std::abs(gaps[i - 1][1]); };
  const double largest = hidden_jump * length;
  std::vector<char> is_hidden(sections.size(), 0);
  for (std::size_t i = 1; i < sections.size(); ++i)
    is_hidden[i] = jump(i) > largest || (is_hidden[i - 1] && jump(i) >= -largest);
  for (std::size_t i = sections.size(); i-- > 1;)
    if (-jump(i) > largest || (is_hidden[i] && -jump(i) >= -largest))
      is_hidden[i - 1] = 1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!is_hidden[i])
      sections[kept++] = sections[i];
  sections.resize(kept);
}

} // namespace percussion
