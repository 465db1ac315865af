#include "common_polygons.h"

#include "clipped.h"
#include "cross_product.h"
#include "hidden_facets.h"
#include <algorithm>
#include <cmath>

namespace percussion {

double polygon_area(const FlatPolygon &polygon) {
  double twice = 0.;
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
  corners.reserve(surface.facets[facet].size());
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

FlatPoint Shadow::local(const FlatPoint &x) const {
  const dealii::Tensor<1, 2> a = corners[1] - corners[0], b = corners.back() - corners[0],
                             d = x - corners[0];
  const double det = cross_product(a, b);
  FlatPoint st(cross_product(d, b) / det, cross_product(a, d) / det);
  if (corners.size() == 3)
    return st;
  const unsigned int n_iterations = is_affine ? 0 : 20;
  const dealii::Tensor<1, 2> warp = (corners[2] - corners[1]) - b;
  for (unsigned int k = 0; k < n_iterations; ++k) {
    const dealii::Tensor<1, 2> tangent_s = a + st[1] * warp, tangent_t = b + st[0] * warp,
                               remainder = d - st[0] * a - st[1] * b - st[0] * st[1] * warp;
    const double jacobian = cross_product(tangent_s, tangent_t);
    const double ds = cross_product(remainder, tangent_t) / jacobian,
                 dt = cross_product(tangent_s, remainder) / jacobian;
    st[0] += ds;
    st[1] += dt;
    if (!(std::max(std::abs(ds), std::abs(dt)) > 1e-15))
      break;
  }
  return st;
}

std::array<dealii::Tensor<1, 2>, 2> Shadow::tangents(const FlatPoint &local) const {
  const dealii::Tensor<1, 2> a = corners[1] - corners[0], b = corners.back() - corners[0];
  if (corners.size() == 3)
    return {a, b};
  const dealii::Tensor<1, 2> warp = (corners[2] - corners[1]) - b;
  return {a + local[1] * warp, b + local[0] * warp};
}

CornerWeights Shadow::shapes(const FlatPoint &local) const {
  const auto &[s, t] = std::array<double, 2>{local[0], local[1]};
  if (corners.size() == 3)
    return {1. - s - t, s, t, 0.};
  return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
}

double gap_at(const FlatPoint &x, const Shadow &opposite, const Shadow &carrier) {
  const CornerWeights opposite_weights = opposite.weights(x), carrier_weights = carrier.weights(x);
  double gap = 0;
  for (unsigned int i = 0; i < 4; ++i)
    gap += opposite_weights[i] * opposite.height[i] - carrier_weights[i] * carrier.height[i];
  return gap;
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

FlatPoint middle_of(const FlatPolygon &polygon) {
  FlatPoint middle;
  for (const auto &x : polygon)
    middle += x / static_cast<double>(polygon.size());
  return middle;
}

/// Removes facets that lie behind others: the farthest segments, until the area of all segments is
/// at most the area of the carrier facet.
void keep_nearest(std::vector<CommonPolygon> &segments, double total_area) {
  double covered = 0;
  for (const auto &s : segments)
    covered += s.area;
  if (covered <= total_area * (1. + 1e-6))
    return;
  std::stable_sort(segments.begin(), segments.end(),
                   [](const auto &a, const auto &b) { return std::abs(a.gap) > std::abs(b.gap); });
  while (covered > total_area * (1. + 1e-6)) {
    covered -= segments.front().area;
    segments.erase(segments.begin());
  }
}

} // namespace

CutFacet cut_facets(const FacetPlane &plane, const Shadow &carrier, const FacetSurface &opposite,
                    const std::vector<unsigned int> &facets, const MortarRange &range) {
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
    const double gap = gap_at(middle_of(polygon), shadow, carrier);
    if (gap >= -range.depth && gap <= range.reach)
      segments.push_back({facet, std::move(polygon), area, gap, shadow});
  }
  auto corner_sections = remove_hidden(carrier, std::sqrt(total_area), segments);
  keep_nearest(segments, total_area);
  return {std::move(segments), std::move(corner_sections)};
}

} // namespace percussion
