#include "hidden_facets.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Segment with the distances of the opposite side at the corners of its polygon.
struct SegmentDistances {
  const FlatPolygon &corners;
  std::vector<double> distances;
  double least_distance = std::numeric_limits<double>::max(), largest = 0;
  double radius = 0;         ///< largest distance of a corner from the first one [length]
  bool is_round_off = false; ///< true for segments that hide nothing
};

std::vector<SegmentDistances> distances_of(const Shadow &carrier, double size,
                                           const std::vector<CommonPolygon> &segments) {
  constexpr double round_off = 1e-6; // of the facet
  std::vector<SegmentDistances> all_segments;
  all_segments.reserve(segments.size());
  for (const auto &s : segments) {
    SegmentDistances segment{s.polygon, {}};
    segment.is_round_off = s.area <= round_off * size * size;
    for (const auto &x : s.polygon) {
      const double distance = distance_of(gap_at(x, s.opposite, carrier), size);
      segment.distances.push_back(distance);
      segment.least_distance = std::min(segment.least_distance, distance);
      segment.largest = std::max(segment.largest, distance);
      segment.radius = std::max(segment.radius, x.distance(s.polygon[0]));
    }
    all_segments.push_back(std::move(segment));
  }
  return all_segments;
}

/// Returns a lower bound of the distance between corners of two segments.
double separation(const SegmentDistances &first, const SegmentDistances &second) {
  constexpr double margin = 1. + 1e-12; // above round-off
  return first.corners[0].distance(second.corners[0]) - margin * (first.radius + second.radius);
}

/// True if the second segment is farther than the first by more than this jump and what the
/// distance between two corners explains.
bool lies_behind(const SegmentDistances &first, const SegmentDistances &second, double jump) {
  const double largest = second.largest - first.least_distance;
  if (first.is_round_off || largest <= jump ||
      largest - steepest * separation(first, second) <= jump)
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
  if (separation(first, second) > tolerance)
    return false;
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

/// True if no segment is farther than another by more than a jump: the heights of the facets bound
/// their distances.
bool are_level(const Shadow &carrier, const std::vector<CommonPolygon> &segments, double jump) {
  constexpr double round_off = 1e-3; // of the jump
  const auto range_of = [](const Shadow &shadow, double &lowest, double &highest) {
    for (std::size_t i = 0; i < shadow.corners.size(); ++i) {
      lowest = std::min(lowest, shadow.height[i]);
      highest = std::max(highest, shadow.height[i]);
    }
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double lowest = infinity, highest = -infinity, opposite_lowest = infinity,
         opposite_highest = -infinity;
  range_of(carrier, lowest, highest);
  for (const CommonPolygon &segment : segments)
    range_of(segment.opposite, opposite_lowest, opposite_highest);
  return highest - lowest + opposite_highest - opposite_lowest <= (1. - round_off) * jump;
}

/// Returns the section next to a corner: the nearest one of those whose distance from the corner is
/// the least, up to a tolerance. distance(k, i): distance of the opposite side at a corner of a
/// polygon.
template <typename Distance>
CornerSection section_at(const FlatPoint &corner, const std::vector<CommonPolygon> &segments,
                         const std::vector<char> &is_hidden, double tolerance,
                         const Distance &distance) {
  double corner_distance = std::numeric_limits<double>::max();
  for (const CommonPolygon &segment : segments)
    for (const auto &x : segment.polygon)
      corner_distance = std::min(corner_distance, x.distance(corner));
  CornerSection section{std::numeric_limits<double>::max(), corner_distance, false};
  for (std::size_t k = 0; k < segments.size(); ++k)
    for (std::size_t i = 0; i < segments[k].polygon.size(); ++i)
      if (segments[k].polygon[i].distance(corner) <= corner_distance + tolerance)
        if (const double candidate = distance(k, i); candidate < section.distance)
          section = {candidate, corner_distance, is_hidden[k] != 0};
  return section;
}

template <typename Distance>
std::vector<CornerSection> sections_at_corners(const Shadow &carrier,
                                               const std::vector<CommonPolygon> &segments,
                                               const std::vector<char> &is_hidden, double tolerance,
                                               const Distance &distance) {
  std::vector<CornerSection> sections;
  sections.reserve(carrier.corners.size());
  for (const FlatPoint &corner : carrier.corners)
    sections.push_back(section_at(corner, segments, is_hidden, tolerance, distance));
  return sections;
}

} // namespace

std::vector<CornerSection> remove_hidden(const Shadow &carrier, double size,
                                         std::vector<CommonPolygon> &segments) {
  const double jump = hidden_jump * size;
  if (are_level(carrier, segments, jump))
    return sections_at_corners(carrier, segments, std::vector<char>(segments.size(), 0), jump,
                               [&](std::size_t k, std::size_t i) {
                                 const CommonPolygon &s = segments[k];
                                 return distance_of(gap_at(s.polygon[i], s.opposite, carrier),
                                                    size);
                               });
  const auto distances = distances_of(carrier, size, segments);
  const std::vector<char> is_hidden = hidden_segments(distances, jump);
  auto sections =
      sections_at_corners(carrier, segments, is_hidden, jump,
                          [&](std::size_t k, std::size_t i) { return distances[k].distances[i]; });
  remove_hidden(is_hidden, segments);
  return sections;
}

} // namespace percussion
