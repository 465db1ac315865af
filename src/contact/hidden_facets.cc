#include "hidden_facets.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Segment with the distances of the opposite side at the corners of its polygon.
struct SegmentDistances {
  FlatPolygon<double> corners;
  std::vector<double> distances;
  double least_distance = std::numeric_limits<double>::max(), largest = 0;
  bool is_round_off = false; ///< true for segments that hide nothing
};

template <typename Number>
std::vector<SegmentDistances> distances_of(const Shadow<double> &carrier, double size,
                                           const std::vector<CommonPolygon<Number>> &segments) {
  constexpr double round_off = 1e-6; // of the facet
  std::vector<SegmentDistances> all_segments;
  for (const auto &s : segments) {
    const Shadow<double> shadow = s.opposite.values();
    SegmentDistances &segment = all_segments.emplace_back();
    segment.corners = values_of(s.polygon);
    segment.is_round_off = value_of(s.area) <= round_off * size * size;
    for (const auto &x : segment.corners) {
      const double distance = distance_of(gap_at(x, shadow, carrier), size);
      segment.distances.push_back(distance);
      segment.least_distance = std::min(segment.least_distance, distance);
      segment.largest = std::max(segment.largest, distance);
    }
  }
  return all_segments;
}

/// True if the second segment is farther than the first by more than this jump and what the
/// distance between two corners explains.
bool lies_behind(const SegmentDistances &first, const SegmentDistances &second, double jump) {
  if (first.is_round_off || second.largest - first.least_distance <= jump)
    return false;
  for (std::size_t i = 0; i < first.distances.size(); ++i)
    for (std::size_t j = 0; j < second.distances.size(); ++j)
      if (second.distances[j] - first.distances[i] -
              steepest * first.corners[i].distance(second.corners[j]) >
          jump)
        return true;
  return false;
}

/// True if two segments have corners at the same place, up to a tolerance, with the same distance.
bool are_flush(const SegmentDistances &first, const SegmentDistances &second, double tolerance) {
  for (std::size_t i = 0; i < first.distances.size(); ++i)
    for (std::size_t j = 0; j < second.distances.size(); ++j)
      if (first.corners[i].distance(second.corners[j]) <= tolerance &&
          std::abs(first.distances[i] - second.distances[j]) <= tolerance)
        return true;
  return false;
}

/// Returns 1 for hidden segments; those that come as near as the nearest are not.
std::vector<char> hidden_segments(const std::vector<SegmentDistances> &segments, double jump) {
  std::vector<char> is_hidden(segments.size(), 0), is_in_front(segments.size(), 0);
  double nearest = std::numeric_limits<double>::max();
  for (const SegmentDistances &segment : segments)
    nearest = segment.is_round_off ? nearest : std::min(nearest, segment.least_distance);
  const auto may_hide = [&](std::size_t j) { return segments[j].least_distance > nearest + jump; };
  std::vector<std::size_t> hidden_list;
  for (std::size_t j = 0; j < segments.size(); ++j) {
    for (std::size_t i = 0; i < segments.size() && may_hide(j); ++i)
      if (lies_behind(segments[i], segments[j], jump))
        is_hidden[j] = is_in_front[i] = 1;
    if (is_hidden[j])
      hidden_list.push_back(j);
  }
  for (std::size_t k = 0; k < hidden_list.size(); ++k)
    for (std::size_t j = 0; j < segments.size(); ++j)
      if (!is_hidden[j] && !is_in_front[j] && may_hide(j) &&
          are_flush(segments[hidden_list[k]], segments[j], jump)) {
        is_hidden[j] = 1;
        hidden_list.push_back(j);
      }
  return is_hidden;
}

/// Returns the section next to a corner: the nearest one of those whose distance from the corner is
/// the least_distance, up to a tolerance.
CornerSection section_at(const FlatPoint<double> &corner,
                         const std::vector<SegmentDistances> &segments,
                         const std::vector<char> &is_hidden, double tolerance) {
  double corner_distance = std::numeric_limits<double>::max();
  for (const SegmentDistances &segment : segments)
    for (const auto &x : segment.corners)
      corner_distance = std::min(corner_distance, x.distance(corner));
  CornerSection section{std::numeric_limits<double>::max(), corner_distance, false};
  for (std::size_t k = 0; k < segments.size(); ++k)
    for (std::size_t i = 0; i < segments[k].distances.size(); ++i)
      if (segments[k].corners[i].distance(corner) <= corner_distance + tolerance &&
          segments[k].distances[i] < section.distance)
        section = {segments[k].distances[i], corner_distance, is_hidden[k] != 0};
  return section;
}

} // namespace

template <typename Number>
std::vector<CornerSection> remove_hidden(const Shadow<double> &carrier, double size,
                                         std::vector<CommonPolygon<Number>> &segments) {
  const auto distances = distances_of(carrier, size, segments);
  const double jump = hidden_jump * size;
  const std::vector<char> is_hidden = hidden_segments(distances, jump);
  std::vector<CornerSection> sections;
  for (const FlatPoint<double> &corner : carrier.corners)
    sections.push_back(section_at(corner, distances, is_hidden, jump));
  remove_hidden(is_hidden, segments);
  return sections;
}

template std::vector<CornerSection> remove_hidden(const Shadow<double> &, double,
                                                  std::vector<CommonPolygon<double>> &);
template std::vector<CornerSection> remove_hidden(const Shadow<double> &, double,
                                                  std::vector<CommonPolygon<Traced>> &);

} // namespace percussion
