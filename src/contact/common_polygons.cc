#include "common_polygons.h"

#include "clipped.h"
#include "cross_product.h"
#include "hidden_sections.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

double polygon_area(const FlatPolygon &polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice += cross_product(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * twice;
}

FacetPlane::FacetPlane(const dealii::Point<3> &o, const dealii::Tensor<1, 3> &n)
    : origin(o), normal(n) {
  dealii::Tensor<1, 3> axis;
  axis[std::abs(n[0]) < 0.6 ? 0 : 1] = 1.;
  first = axis - (axis * n) * n;
  first /= first.norm();
  second = cross_product_3d(n, first);
}

FlatPoint FacetPlane::project(const dealii::Point<3> &x) const {
  const dealii::Tensor<1, 3> d = x - origin;
  return {d * first, d * second};
}

Shadow::Shadow(const FacetSurface &surface, unsigned int facet, const FacetPlane &plane)
    : height() {
  for (const unsigned int point : surface.facets[facet]) {
    height[corners.size()] = plane.normal * (surface.points[point] - plane.origin);
    corners.push_back(plane.project(surface.points[point]));
  }
  if (corners.size() == 4) {
    const auto first = corners[1] - corners[0], last = corners[3] - corners[0];
    const double warp = (corners[2] - corners[1] - last).norm();
    is_affine = warp <= 1e-12 * (first.norm() + last.norm());
  }
}

CornerWeights Shadow::weights(const FlatPoint &x) const {
  const dealii::Tensor<1, 2> a = corners[1] - corners[0], b = corners.back() - corners[0],
                             d = x - corners[0];
  const double det = cross_product(a, b);
  double s = cross_product(d, b) / det, t = cross_product(a, d) / det;
  if (corners.size() == 3)
    return {1. - s - t, s, t, 0.};
  const dealii::Tensor<1, 2> warp = (corners[2] - corners[1]) - b;
  for (unsigned int k = 0; k < 20 && !is_affine; ++k) {
    const dealii::Tensor<1, 2> remainder = d - s * a - t * b - s * t * warp;
    const dealii::Tensor<1, 2> tangent_s = a + t * warp, tangent_t = b + s * warp;
    const double jacobian = cross_product(tangent_s, tangent_t);
    const double ds = cross_product(remainder, tangent_t) / jacobian,
                 dt = cross_product(tangent_s, remainder) / jacobian;
    s += ds;
    t += dt;
    if (!(std::max(std::abs(ds), std::abs(dt)) > 1e-15))
      break;
  }
  return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
}

namespace {

constexpr double min_common_fraction =
    1e-12; ///< fraction of a facet below which cover is round-off

/// Returns the piece of a polygon to the left of a line.
FlatPolygon left_piece(const FlatPolygon &polygon, const FlatPoint &edge_begin,
                       const FlatPoint &edge_end) {
  return clipped(
      polygon, 0.,
      [&](const FlatPoint &x) { return cross_product(x - edge_begin, edge_end - edge_begin); },
      [](const FlatPoint &x, bool) { return x; },
      [](const FlatPoint &x, const FlatPoint &next, double fraction, bool) {
        return FlatPoint(x + fraction * (next - x));
      });
}

/// Removes facets that lie behind others: the farthest segments, until the area of all segments is
/// at most the area of the carrier facet.
void keep_nearest(std::vector<CommonPolygon> &segments, double total_area) {
  double covered = 0;
  for (const CommonPolygon &s : segments)
    covered += s.area;
  if (covered <= total_area * (1. + 1e-6))
    return;
  std::stable_sort(segments.begin(), segments.end(),
                   [](const CommonPolygon &a, const CommonPolygon &b) {
                     return std::abs(a.gap) > std::abs(b.gap);
                   });
  while (covered > total_area * (1. + 1e-6)) {
    covered -= segments.front().area;
    segments.erase(segments.begin());
  }
}

/// Returns the gap at a point of the carrier's plane.
double gap_at(const FlatPoint &x, const Shadow &carrier, const Shadow &opposite) {
  const CornerWeights opposite_weights = opposite.weights(x), carrier_weights = carrier.weights(x);
  double gap = 0;
  for (unsigned int i = 0; i < 4; ++i)
    gap += opposite_weights[i] * opposite.height[i] - carrier_weights[i] * carrier.height[i];
  return gap;
}

/// Segment with the gaps at the corners of its polygon.
struct GapsOfSegment {
  const FlatPolygon &corners;
  std::vector<double> gaps;
};

/// Returns the largest difference between the gaps of two segments, the second less the first, that
/// the distance between two corners does not explain.
double jump(const GapsOfSegment &first, const GapsOfSegment &second) {
  constexpr double steepest = 4. / 3.; // of facets whose normals are opposed up to 53 degrees
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

/// Removes the segments behind others, and those that are flush with them and in front of none.
void remove_hidden(const FacetPlane &plane, const Shadow &carrier, const FacetSurface &opposite,
                   double largest_jump, std::vector<CommonPolygon> &segments) {
  std::vector<GapsOfSegment> all;
  double nearest = std::numeric_limits<double>::max(), farthest = 0;
  for (const CommonPolygon &s : segments) {
    const Shadow shadow(opposite, s.facet, plane);
    all.push_back({s.polygon, {}});
    for (const FlatPoint &x : s.polygon) {
      all.back().gaps.push_back(gap_at(x, carrier, shadow));
      nearest = std::min(nearest, std::abs(all.back().gaps.back()));
      farthest = std::max(farthest, std::abs(all.back().gaps.back()));
    }
  }
  if (farthest - nearest <= largest_jump)
    return;
  std::vector<char> is_hidden(all.size(), 0), is_in_front(all.size(), 0);
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
  std::vector<CommonPolygon> visible;
  for (std::size_t j = 0; j < segments.size(); ++j)
    if (!is_hidden[j])
      visible.push_back(segments[j]);
  segments = std::move(visible);
}

} // namespace

std::vector<CommonPolygon> cut_facets(const FacetPlane &plane, const Shadow &carrier,
                                      const FacetSurface &opposite,
                                      const std::vector<unsigned int> &facets,
                                      const MortarRange &range) {
  std::vector<CommonPolygon> segments;
  const double total_area = polygon_area(carrier.corners);
  for (const unsigned int facet : facets) {
    const Shadow shadow(opposite, facet, plane);
    FlatPolygon polygon(shadow.corners.rbegin(), shadow.corners.rend());
    for (std::size_t i = 0; i < carrier.corners.size() && polygon.size() > 2; ++i)
      polygon = left_piece(polygon, carrier.corners[i],
                           carrier.corners[(i + 1) % carrier.corners.size()]);
    const double area = polygon.size() > 2 ? polygon_area(polygon) : 0.;
    if (!(area > min_common_fraction * total_area))
      continue;
    FlatPoint middle;
    for (const FlatPoint &x : polygon)
      middle += x / static_cast<double>(polygon.size());
    const double gap = gap_at(middle, carrier, shadow);
    if (gap >= -range.depth && gap <= range.reach)
      segments.push_back({facet, std::move(polygon), area, gap});
  }
  if (segments.size() > 1)
    remove_hidden(plane, carrier, opposite, hidden_jump * std::sqrt(total_area), segments);
  keep_nearest(segments, total_area);
  return segments;
}

} // namespace percussion
