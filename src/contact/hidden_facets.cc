#include "hidden_facets.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Segment with the gaps at the corners of its polygon.
struct GapsOfSegment {
  FlatPolygon<double> corners;
  std::vector<double> gaps;
};

/// Returns the largest difference between the gaps of two segments, the second less the first, that
/// the distance between two corners does not explain.
double jump(const GapsOfSegment &first, const GapsOfSegment &second) {
  double largest = 0;
  for (std::size_t i = 0; i < first.gaps.size(); ++i)
    for (std::size_t j = 0; j < second.gaps.size(); ++j)
      largest = std::max(largest, std::abs(second.gaps[j]) - std::abs(first.gaps[i]) -
                                      steepest * first.corners[i].distance(second.corners[j]));
  return largest;
}

/// True if two segments have corners at the same place, up to a tolerance, with the same gap.
bool are_flush(const GapsOfSegment &first, const GapsOfSegment &second, double tolerance) {
  for (std::size_t i = 0; i < first.gaps.size(); ++i)
    for (std::size_t j = 0; j < second.gaps.size(); ++j)
      if (first.corners[i].distance(second.corners[j]) <= tolerance &&
          std::abs(first.gaps[i] - second.gaps[j]) <= tolerance)
        return true;
  return false;
}

/// Returns the gaps of the segments at the corners of their polygons.
template <typename Number>
std::vector<GapsOfSegment> gaps_of(const Shadow<double> &carrier,
                                   const std::vector<CommonPolygon<Number>> &segments) {
  std::vector<GapsOfSegment> all;
  for (const auto &s : segments) {
    const Shadow<double> shadow = s.opposite.values();
    all.push_back({values_of(s.polygon), {}});
    for (const auto &x : all.back().corners)
      all.back().gaps.push_back(gap_at(x, shadow, carrier));
  }
  return all;
}

/// True if no two gaps differ by more than this jump.
bool are_level(const std::vector<GapsOfSegment> &all, double largest_jump) {
  double nearest = std::numeric_limits<double>::max(), farthest = 0;
  for (const GapsOfSegment &segment : all)
    for (const double gap : segment.gaps) {
      nearest = std::min(nearest, std::abs(gap));
      farthest = std::max(farthest, std::abs(gap));
    }
  return farthest - nearest <= largest_jump;
}

std::vector<char> hidden_segments(const std::vector<GapsOfSegment> &all, double largest_jump) {
  std::vector<char> is_hidden(all.size(), 0), is_in_front(all.size(), 0);
  if (are_level(all, largest_jump))
    return is_hidden;
  std::vector<std::size_t> hidden;
  for (std::size_t j = 0; j < all.size(); ++j) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (jump(all[i], all[j]) > largest_jump)
        is_hidden[j] = is_in_front[i] = 1;
    if (is_hidden[j])
      hidden.push_back(j);
  }
  for (std::size_t k = 0; k < hidden.size(); ++k)
    for (std::size_t j = 0; j < all.size(); ++j)
      if (!is_hidden[j] && !is_in_front[j] && are_flush(all[hidden[k]], all[j], largest_jump)) {
        is_hidden[j] = 1;
        hidden.push_back(j);
      }
  return is_hidden;
}

} // namespace

template <typename Number>
std::vector<CornerGap> remove_hidden(const Shadow<double> &carrier, double largest_jump,
                                     std::vector<CommonPolygon<Number>> &segments) {
  const auto all = gaps_of(carrier, segments);
  const std::vector<char> is_hidden = hidden_segments(all, largest_jump);
  std::vector<CornerGap> corner_gaps;
  for (const FlatPoint<double> &corner : carrier.corners) {
    CornerGap nearest{0., std::numeric_limits<double>::max(), false};
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t i = 0; i < all[k].gaps.size(); ++i) {
        const double distance = all[k].corners[i].distance(corner);
        if (distance < nearest.distance - largest_jump ||
            (distance <= nearest.distance + largest_jump &&
             std::abs(all[k].gaps[i]) < std::abs(nearest.gap)))
          nearest = {all[k].gaps[i], distance, is_hidden[k] != 0};
      }
    corner_gaps.push_back(nearest);
  }
  remove_hidden(is_hidden, segments);
  return corner_gaps;
}

template std::vector<CornerGap> remove_hidden(const Shadow<double> &, double,
                                              std::vector<CommonPolygon<double>> &);
template std::vector<CornerGap> remove_hidden(const Shadow<double> &, double,
                                              std::vector<CommonPolygon<Traced>> &);

} // namespace percussion
