#include "common_polygons.h"

#include "clipped.h"
#include "cross_product.h"
#include "hidden_facets.h"
#include <algorithm>
#include <cmath>

namespace percussion {

template <typename Number>
Number polygon_area(const FlatPolygon<Number> &polygon) {
  Number twice = 0.;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice += cross_product(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * twice;
}

template <typename Number>
FacetPlane<Number>::FacetPlane(const dealii::Point<3, Number> &o, const SpaceVectorOf<Number> &n)
    : origin(o), normal(n) {
  SpaceVectorOf<Number> axis;
  axis[std::abs(value_of(n[0])) < 0.6 ? 0 : 1] = 1.;
  first = axis - (axis * n) * n;
  first /= norm_of(first);
  second = cross_product_3d(n, first);
}

template <typename Number>
FlatPoint<Number> FacetPlane<Number>::project(const dealii::Point<3, Number> &x) const {
  const SpaceVectorOf<Number> d = x - origin;
  return {d * first, d * second};
}

template <typename Number>
Shadow<Number>::Shadow(const PlacedSurface<Number> &surface, unsigned int facet,
                       const FacetPlane<Number> &plane)
    : height() {
  for (const unsigned int point : surface.surface.facets[facet]) {
    height[corners.size()] = plane.normal * (surface.points[point] - plane.origin);
    corners.push_back(plane.project(surface.points[point]));
  }
  if (corners.size() == 4) {
    const auto first = corners[1] - corners[0], last = corners[3] - corners[0];
    const Number warp = norm_of(corners[2] - corners[1] - last);
    is_affine = warp <= 1e-12 * (norm_of(first) + norm_of(last));
  }
}

template <typename Number>
FlatPoint<Number> Shadow<Number>::local(const FlatPoint<Number> &x) const {
  const dealii::Tensor<1, 2, Number> a = corners[1] - corners[0], b = corners.back() - corners[0],
                                     d = x - corners[0];
  const Number det = cross_product(a, b);
  FlatPoint<Number> st(cross_product(d, b) / det, cross_product(a, d) / det);
  if (corners.size() == 3)
    return st;
  // The warp of an affine quadrilateral is zero, its derivative is not: one iteration has both.
  const unsigned int n_iterations = !is_affine ? 20 : std::is_same_v<Number, double> ? 0 : 1;
  for (unsigned int k = 0; k < n_iterations; ++k) {
    const auto [tangent_s, tangent_t] = tangents(st);
    const dealii::Tensor<1, 2, Number> warp = (corners[2] - corners[1]) - b,
                                       remainder = d - st[0] * a - st[1] * b - st[0] * st[1] * warp;
    const Number jacobian = cross_product(tangent_s, tangent_t);
    const Number ds = cross_product(remainder, tangent_t) / jacobian,
                 dt = cross_product(tangent_s, remainder) / jacobian;
    st[0] += ds;
    st[1] += dt;
    if (!(std::max(std::abs(value_of(ds)), std::abs(value_of(dt))) > 1e-15))
      break;
  }
  return st;
}

template <typename Number>
std::array<dealii::Tensor<1, 2, Number>, 2>
Shadow<Number>::tangents(const FlatPoint<Number> &local) const {
  const dealii::Tensor<1, 2, Number> a = corners[1] - corners[0], b = corners.back() - corners[0];
  if (corners.size() == 3)
    return {a, b};
  const dealii::Tensor<1, 2, Number> warp = (corners[2] - corners[1]) - b;
  return {a + local[1] * warp, b + local[0] * warp};
}

template <typename Number>
CornerWeights<Number> Shadow<Number>::shapes(const FlatPoint<Number> &local) const {
  const auto &[s, t] = std::array<Number, 2>{local[0], local[1]};
  if (corners.size() == 3)
    return {1. - s - t, s, t, 0.};
  return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
}

template <typename Number>
Shadow<double> Shadow<Number>::values() const {
  Shadow<double> result;
  for (const auto &x : corners)
    result.corners.push_back(values_of(x));
  for (unsigned int i = 0; i < 4; ++i)
    result.height[i] = value_of(height[i]);
  result.is_affine = is_affine;
  return result;
}

double gap_at(const FlatPoint<double> &x, const Shadow<double> &opposite,
              const Shadow<double> &carrier) {
  const CornerWeights<double> opposite_weights = opposite.weights(x),
                              carrier_weights = carrier.weights(x);
  double gap = 0;
  for (unsigned int i = 0; i < 4; ++i)
    gap += opposite_weights[i] * opposite.height[i] - carrier_weights[i] * carrier.height[i];
  return gap;
}

namespace {

constexpr double min_common_fraction =
    1e-12; ///< fraction of a facet below which cover is round-off

/// Returns the piece of a polygon to the left of a line.
template <typename Number>
FlatPolygon<Number> left_piece(const FlatPolygon<Number> &polygon,
                               const FlatPoint<Number> &edge_begin,
                               const FlatPoint<Number> &edge_end) {
  using CornerPoint = FlatPoint<Number>;
  return clipped(
      polygon, 0.,
      [&](const CornerPoint &x) { return cross_product(x - edge_begin, edge_end - edge_begin); },
      [](const CornerPoint &x, bool) { return x; },
      [](const CornerPoint &x, const CornerPoint &next, const Number &fraction, bool) {
        return CornerPoint(x + fraction * (next - x));
      });
}

FlatPoint<double> middle_of(const FlatPolygon<double> &polygon) {
  FlatPoint<double> middle;
  for (const auto &x : polygon)
    middle += x / static_cast<double>(polygon.size());
  return middle;
}

/// Removes facets that lie behind others: the farthest segments, until the area of all segments is
/// at most the area of the carrier facet.
template <typename Number>
void keep_nearest(std::vector<CommonPolygon<Number>> &segments, double total_area) {
  double covered = 0;
  for (const auto &s : segments)
    covered += value_of(s.area);
  if (covered <= total_area * (1. + 1e-6))
    return;
  std::stable_sort(segments.begin(), segments.end(),
                   [](const auto &a, const auto &b) { return std::abs(a.gap) > std::abs(b.gap); });
  while (covered > total_area * (1. + 1e-6)) {
    covered -= value_of(segments.front().area);
    segments.erase(segments.begin());
  }
}

} // namespace

template <typename Number>
CutFacet<Number> cut_facets(const FacetPlane<Number> &plane, const Shadow<Number> &carrier,
                            const PlacedSurface<Number> &opposite,
                            const std::vector<unsigned int> &facets, const MortarRange &range) {
  std::vector<CommonPolygon<Number>> segments;
  const Shadow<double> carrier_values = carrier.values();
  const double total_area = polygon_area(carrier_values.corners);
  for (const unsigned int facet : facets) {
    const Shadow<Number> shadow(opposite, facet, plane);
    FlatPolygon<Number> polygon(shadow.corners.rbegin(), shadow.corners.rend());
    for (std::size_t i = 0; i < carrier.corners.size() && polygon.size() > 2; ++i)
      polygon = left_piece(polygon, carrier.corners[i],
                           carrier.corners[(i + 1) % carrier.corners.size()]);
    const Number area = polygon.size() > 2 ? polygon_area(polygon) : Number(0.);
    if (!(area > min_common_fraction * total_area))
      continue;
    const double gap = gap_at(middle_of(values_of(polygon)), shadow.values(), carrier_values);
    if (gap >= -range.depth && gap <= range.reach)
      segments.push_back({facet, std::move(polygon), area, gap, shadow});
  }
  auto corner_sections = remove_hidden(carrier_values, std::sqrt(total_area), segments);
  keep_nearest(segments, total_area);
  return {std::move(segments), std::move(corner_sections)};
}

template double polygon_area(const FlatPolygon<double> &);
template struct FacetPlane<double>;
template struct Shadow<double>;
template CutFacet<double> cut_facets(const FacetPlane<double> &, const Shadow<double> &,
                                     const PlacedSurface<double> &,
                                     const std::vector<unsigned int> &, const MortarRange &);
template Traced polygon_area(const FlatPolygon<Traced> &);
template struct FacetPlane<Traced>;
template struct Shadow<Traced>;
template CutFacet<Traced> cut_facets(const FacetPlane<Traced> &, const Shadow<Traced> &,
                                     const PlacedSurface<Traced> &,
                                     const std::vector<unsigned int> &, const MortarRange &);

} // namespace percussion
