#include <percussion/contact/mortar_3d.h>

#include <deal.II/base/quadrature_lib.h>

#include "clipped.h"
#include "cross_product.h"
#include "multiplier_shapes.h"
#include "patch.h"
#include "self_contact.h"
#include <cmath>
#include <map>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;
using Flat = dealii::Point<2>;
using Polygon = std::vector<Flat>;
using CornerWeights = Patch::Weights;
using OppositeWeights = std::vector<std::pair<unsigned int, double>>;

constexpr double least_opposing = 0.6; ///< lower bound of minus the cosine between opposed normals
constexpr double min_common_fraction =
    1e-12; ///< fraction of a facet below which cover is round-off
/// Covered fraction of a facet below which its dual shapes are indistinguishable from round-off.
constexpr double min_cover_3d = 1e-6;

double polygon_area(const Polygon &polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice += cross_product(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * twice;
}

/// Plane of a carrier facet.
struct FacetPlane {
  SpacePoint origin;
  SpaceVector normal, first, second;

  FacetPlane(const SpacePoint &o, const SpaceVector &n) : origin(o), normal(n) {
    SpaceVector axis;
    axis[std::abs(n[0]) < 0.6 ? 0 : 1] = 1.;
    first = axis - (axis * n) * n;
    first /= first.norm();
    second = cross_product_3d(n, first);
  }
  Flat project(const SpacePoint &x) const {
    const SpaceVector d = x - origin;
    return {d * first, d * second};
  }
};

/// Facet projected along the normal of a plane.
struct Shadow {
  Polygon corners;
  std::array<double, 4> height; ///< heights of the corners above the plane
  bool is_affine = true;

  Shadow(const FacetSurface &surface, unsigned int facet, const FacetPlane &plane) : height() {
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

  /// Returns the shape functions at a point.
  CornerWeights weights(const Flat &x) const {
    const dealii::Tensor<1, 2> a = corners[1] - corners[0], b = corners.back() - corners[0],
                               d = x - corners[0];
    const double det = cross_product(a, b);
    double s = cross_product(d, b) / det, t = cross_product(a, d) / det;
    if (corners.size() == 3)
      return {1. - s - t, s, t, 0.};
    const dealii::Tensor<1, 2> warp = (corners[2] - corners[1]) - b;
    for (unsigned int k = 0; k < 20 && !is_affine; ++k) {
      const dealii::Tensor<1, 2> remainder = d - s * a - t * b - s * t * warp;
      const dealii::Tensor<1, 2> of_s = a + t * warp, of_t = b + s * warp;
      const double of_both = cross_product(of_s, of_t);
      const double ds = cross_product(remainder, of_t) / of_both,
                   dt = cross_product(of_s, remainder) / of_both;
      s += ds;
      t += dt;
      if (!(std::max(std::abs(ds), std::abs(dt)) > 1e-15))
        break;
    }
    return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
  }
};

/// Returns the piece of a polygon to the left of a line.
Polygon left_piece(const Polygon &polygon, const Flat &edge_begin, const Flat &edge_end) {
  return clipped(
      polygon, 0.,
      [&](const Flat &x) { return cross_product(x - edge_begin, edge_end - edge_begin); },
      [](const Flat &x, bool) { return x; },
      [](const Flat &x, const Flat &next, double fraction, bool) {
        return Flat(x + fraction * (next - x));
      });
}

/// Intersection of a carrier facet and an opposite facet.
struct CommonPolygon {
  unsigned int facet; ///< facet of the opposite side
  Polygon polygon;
  double area, gap; ///< area [length²], and gap at the middle [length]
};

/// Contributions of the facets of a carrier point to its contact.
struct RegionSum {
  unsigned int point = 0, side = 0;
  SpaceVector normal;
  double area = 0, whole_area = 0;
  double covered = 0;  ///< integral of the shape functions over the covered region [length²]
  double own_area = 0; ///< contribution to `area` of facets that are covered completely
  OppositeWeights
      carrier; ///< integrals of φ and the carrier's shape functions on partly covered facets
  OppositeWeights opposite;
  /// Facets and the covered area in front of them.
  std::vector<std::pair<unsigned int, double>> covered_facets;
};

/// Returns the matrix B of the Lagrange functions L = B N of the quadrature points of a facet with
/// n corners; the point k is next to the corner k, at (2/3, 1/6, 1/6) in a triangle.
std::array<CornerWeights, 4> point_functions(unsigned int n) {
  std::array<CornerWeights, 4> B{};
  if (n == 3) {
    for (unsigned int k = 0; k < 3; ++k)
      B[k] = {k == 0 ? 5. / 3. : -1. / 3., k == 1 ? 5. / 3. : -1. / 3., k == 2 ? 5. / 3. : -1. / 3.,
              0.};
    return B;
  }
  const std::array<std::array<double, 2>, 2> corner = {gauss_functions(0.), gauss_functions(1.)};
  constexpr unsigned int s[] = {0, 1, 1, 0}, t[] = {0, 0, 1, 1}; // coordinates of the corners
  for (unsigned int k = 0; k < 4; ++k)
    for (unsigned int i = 0; i < 4; ++i)
      B[k][i] = corner[s[i]][s[k]] * corner[t[i]][t[k]];
  return B;
}

/// Returns the shape functions of a facet with n corners at its quadrature point k.
CornerWeights shapes_at_point(unsigned int n, unsigned int k) {
  if (n == 3)
    return {k == 0 ? 2. / 3. : 1. / 6., k == 1 ? 2. / 3. : 1. / 6., k == 2 ? 2. / 3. : 1. / 6., 0.};
  const std::array<double, 2> near = {1. - first_gauss_point, first_gauss_point};
  constexpr unsigned int s[] = {0, 1, 1, 0}, t[] = {0, 0, 1, 1};
  CornerWeights N{};
  for (unsigned int i = 0; i < 4; ++i)
    N[i] = near[s[i] != s[k]] * near[t[i] != t[k]];
  return N;
}

/// Smooth regions of a surface at its points, with the region of each corner of a facet.
class SmoothRegions {
public:
  SmoothRegions(const FacetSurface &surface, double corner) : region_of(surface.facets.size()) {
    std::vector<std::vector<unsigned int>> at_point(surface.points.size());
    std::vector<SpaceVector> normals;
    for (unsigned int f = 0; f < surface.facets.size(); ++f) {
      normals.push_back(surface.normal(f));
      region_of[f].resize(surface.facets[f].size());
      for (const unsigned int point : surface.facets[f])
        at_point[point].push_back(f);
    }
    for (unsigned int point = 0; point < at_point.size(); ++point)
      add_parts(surface, point, at_point[point], normals, corner);
  }

  /// Replaces the regions by the quadrature points of the facets, with the normals between the
  /// normals of the corners' regions.
  void divide_into_points(const FacetSurface &surface) {
    std::vector<RegionSum> of_points;
    for (unsigned int f = 0; f < surface.facets.size(); ++f) {
      const auto n = static_cast<unsigned int>(region_of[f].size());
      const std::vector<unsigned int> regions = region_of[f];
      for (unsigned int k = 0; k < n; ++k) {
        RegionSum sum;
        sum.point = region_of[f][k] = static_cast<unsigned int>(of_points.size());
        const CornerWeights N = shapes_at_point(n, k);
        for (unsigned int i = 0; i < n; ++i)
          sum.normal += N[i] * sums[regions[i]].normal;
        sum.normal /= sum.normal.norm();
        of_points.push_back(sum);
      }
    }
    sums = std::move(of_points);
  }

  std::vector<RegionSum> sums;                      ///< one sum for each region
  std::vector<std::vector<unsigned int>> region_of; ///< index of the region [facet][corner]

private:
  void add_parts(const FacetSurface &surface, unsigned int point,
                 const std::vector<unsigned int> &facets, const std::vector<SpaceVector> &normals,
                 double corner) {
    const auto share_edge = [&](unsigned int a, unsigned int b) {
      for (const unsigned int p : surface.facets[a])
        for (const unsigned int q : surface.facets[b])
          if (p == q && p != point)
            return true;
      return false;
    };
    std::vector<bool> is_assigned(facets.size(), false);
    for (unsigned int i = 0, side = 0; i < facets.size(); ++i) {
      if (is_assigned[i])
        continue;
      RegionSum sum;
      sum.point = point;
      sum.side = side++;
      std::vector<unsigned int> front = {i};
      is_assigned[i] = true;
      while (!front.empty()) {
        const unsigned int f = facets[front.back()];
        front.pop_back();
        sum.normal += normals[f];
        const auto &corners = surface.facets[f];
        region_of[f][static_cast<std::size_t>(std::find(corners.begin(), corners.end(), point) -
                                              corners.begin())] =
            static_cast<unsigned int>(sums.size());
        for (unsigned int j = 0; j < facets.size(); ++j)
          if (!is_assigned[j] && normals[f] * normals[facets[j]] > corner &&
              share_edge(f, facets[j])) {
            is_assigned[j] = true;
            front.push_back(j);
          }
      }
      sum.normal /= sum.normal.norm();
      sums.push_back(sum);
    }
  }
};

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

/// Returns the segments of a carrier facet with the facets in front of it.
std::vector<CommonPolygon> cut_facets(const FacetPlane &plane, const Shadow &carrier,
                                      const FacetSurface &opposite,
                                      const std::vector<unsigned int> &facets,
                                      const MortarRange &range) {
  std::vector<CommonPolygon> segments;
  const double total_area = polygon_area(carrier.corners);
  for (const unsigned int facet : facets) {
    const Shadow shadow(opposite, facet, plane);
    Polygon polygon(shadow.corners.rbegin(), shadow.corners.rend());
    for (std::size_t i = 0; i < carrier.corners.size() && polygon.size() > 2; ++i)
      polygon = left_piece(polygon, carrier.corners[i],
                           carrier.corners[(i + 1) % carrier.corners.size()]);
    const double area = polygon.size() > 2 ? polygon_area(polygon) : 0.;
    if (!(area > min_common_fraction * total_area))
      continue;
    Flat middle;
    for (const Flat &x : polygon)
      middle += x / static_cast<double>(polygon.size());
    double gap = 0;
    const CornerWeights of_opposite = shadow.weights(middle), of_carrier = carrier.weights(middle);
    for (unsigned int i = 0; i < 4; ++i)
      gap += of_opposite[i] * shadow.height[i] - of_carrier[i] * carrier.height[i];
    if (gap >= -range.depth && gap <= range.reach)
      segments.push_back({facet, std::move(polygon), area, gap});
  }
  keep_nearest(segments, total_area);
  return segments;
}

/// Box around the covered region of a carrier facet, in the facet's coordinates: a rectangle in a
/// quadrilateral, or a triangle of the same shape as the facet.
class CoveredBox {
public:
  CoveredBox(const Shadow &facet, const std::vector<CommonPolygon> &segments)
      : n(facet.corners.size()) {
    lower_bounds.fill(1.);
    for (const CommonPolygon &segment : segments)
      for (const Flat &x : segment.polygon) {
        const CornerWeights N = facet.weights(x);
        if (n == 3)
          include({N[0], N[1], N[2], 0.});
        else
          include({N[1] + N[2], N[2] + N[3], N[0] + N[3], N[0] + N[1]});
      }
    for (double &bound : lower_bounds)
      bound = bound < round_off_of_cover ? 0. : bound;
    for (std::size_t i = 0; i < n; ++i)
      is_facet = is_facet && lower_bounds[i] == 0.;
  }

  bool is_facet = true; ///< true if the box is the entire facet

  /// Returns the ratio of the box's size to the facet's size.
  double fraction() const {
    return n == 3 ? size() * size()
                  : (1. - lower_bounds[0] - lower_bounds[2]) *
                        (1. - lower_bounds[1] - lower_bounds[3]);
  }
  /// Returns the shape functions of the box at the point where the facet has the shape functions N.
  CornerWeights shapes(const CornerWeights &N) const {
    if (is_facet)
      return N;
    if (n == 3)
      return {(N[0] - lower_bounds[0]) / size(), (N[1] - lower_bounds[1]) / size(),
              (N[2] - lower_bounds[2]) / size(), 0.};
    return bilinear((N[1] + N[2] - lower_bounds[0]) / (1. - lower_bounds[0] - lower_bounds[2]),
                    (N[2] + N[3] - lower_bounds[1]) / (1. - lower_bounds[1] - lower_bounds[3]));
  }
  /// Returns the shape functions of the facet at a corner of the box.
  CornerWeights corner(std::size_t i) const {
    if (n == 3) {
      CornerWeights N = {lower_bounds[0], lower_bounds[1], lower_bounds[2], 0.};
      N[i] += size();
      return N;
    }
    return bilinear(i == 1 || i == 2 ? 1. - lower_bounds[2] : lower_bounds[0],
                    i >= 2 ? 1. - lower_bounds[3] : lower_bounds[1]);
  }

private:
  void include(const std::array<double, 4> &bounds) {
    for (std::size_t i = 0; i < 4; ++i)
      lower_bounds[i] = std::min(lower_bounds[i], bounds[i]);
  }
  static CornerWeights bilinear(double s, double t) {
    return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
  }
  double size() const { return 1. - lower_bounds[0] - lower_bounds[1] - lower_bounds[2]; }

  std::size_t n;
  /// Lower bounds of barycentric coordinates, or of s, t, 1 − s and 1 − t.
  std::array<double, 4> lower_bounds;
};

/// Integration point.
struct Sample {
  double weight;
  std::size_t segment;
  /// Shape functions of the carrier's box (CoveredBox) and of the opposite side.
  CornerWeights of_box, opposite;
};

std::vector<Sample> samples_of(const std::vector<CommonPolygon> &segments, const FacetPlane &plane,
                               const Shadow &carrier, const CoveredBox &box,
                               const FacetSurface &opposite) {
  static const dealii::QGaussSimplex<2> quadratic(2), quintic(3), finest(4);
  std::vector<Sample> samples;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Shadow shadow(opposite, segments[s].facet, plane);
    const auto &rule = carrier.corners.size() + shadow.corners.size() == 6 ? quadratic
                       : carrier.is_affine && shadow.is_affine             ? quintic
                                                                           : finest;
    const Polygon &polygon = segments[s].polygon;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const auto a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
      const double twice_area = cross_product(a, b);
      for (unsigned int k = 0; k < rule.size(); ++k) {
        const Flat x = polygon[0] + rule.point(k)[0] * a + rule.point(k)[1] * b;
        samples.push_back(
            {rule.weight(k) * twice_area, s, box.shapes(carrier.weights(x)), shadow.weights(x)});
      }
    }
  }
  return samples;
}

/// Returns the matrix A of the dual shape functions ψ = A N of a box with n corners, biorthogonal
/// over the sampled region: A = D M⁻¹ with M = ∫N Nᵀ and D = diag(∫N).
std::array<CornerWeights, 4> dual_shapes(const std::vector<Sample> &samples, unsigned int n) {
  std::array<CornerWeights, 4> M{}, inverse{};
  CornerWeights D{};
  for (const Sample &s : samples)
    for (unsigned int i = 0; i < n; ++i) {
      D[i] += s.weight * s.of_box[i];
      for (unsigned int j = 0; j < n; ++j)
        M[i][j] += s.weight * s.of_box[i] * s.of_box[j];
    }
  for (unsigned int i = 0; i < n; ++i)
    inverse[i][i] = 1.;
  for (unsigned int c = 0; c < n; ++c) { // Gauss-Jordan elimination
    unsigned int pivot = c;
    for (unsigned int r = c + 1; r < n; ++r)
      if (std::abs(M[r][c]) > std::abs(M[pivot][c]))
        pivot = r;
    std::swap(M[c], M[pivot]);
    std::swap(inverse[c], inverse[pivot]);
    const double diagonal = M[c][c];
    for (unsigned int k = 0; k < n; ++k) {
      M[c][k] /= diagonal;
      inverse[c][k] /= diagonal;
    }
    for (unsigned int r = 0; r < n; ++r) {
      const double factor = M[r][c];
      for (unsigned int k = 0; r != c && k < n; ++k) {
        M[r][k] -= factor * M[c][k];
        inverse[r][k] -= factor * inverse[c][k];
      }
    }
  }
  for (unsigned int i = 0; i < n; ++i)
    for (double &entry : inverse[i])
      entry *= D[i];
  return inverse;
}

/// Covered region of a carrier facet.
struct CoveredFacet {
  const std::vector<CommonPolygon> &segments;
  const std::vector<Sample> &samples;
  double fraction; ///< covered fraction of the facet
  const CoveredBox &box;
  const std::vector<unsigned int> &nodes; ///< carrier points at the corners
  const std::vector<RegionSum *> &sums;   ///< sums of the corners, or of their quadrature points

  bool is_whole() const { return box.is_facet && fraction >= 1. - round_off_of_cover; }
};

PartialShapes<4> shapes_of(const CoveredFacet &facet) {
  if (facet.is_whole())
    return PartialShapes<4>::full_support();
  const std::size_t n = facet.sums.size();
  CornerWeights of_corners{}, of_nodes{};
  for (const Sample &s : facet.samples)
    for (std::size_t i = 0; i < n; ++i)
      of_corners[i] += s.weight * s.of_box[i];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      of_nodes[k] += of_corners[i] * facet.box.corner(i)[k];
  return partial_shapes<4>(facet.fraction / facet.box.fraction(), of_nodes, n);
}

/// Adds forces at the corners of the box to the carrier weights of a sum.
void add_carrier(const CoveredFacet &facet, std::size_t of_sum, const CornerWeights &forces) {
  for (std::size_t i = 0; i < facet.sums.size(); ++i) {
    const CornerWeights N = facet.box.corner(i);
    for (std::size_t k = 0; k < facet.sums.size(); ++k)
      facet.sums[of_sum]->carrier.emplace_back(facet.nodes[k], forces[i] * N[k]);
  }
}

/// Integrals of the functions φ of a carrier facet.
struct Integrals {
  /// Integrals of φ and the opposite side's shape functions [segment][multiplier][opposite side's
  /// corner].
  std::vector<std::array<CornerWeights, 4>> of_segment;
  std::array<CornerWeights, 4> forces{}; ///< forces [multiplier][corner of the box]
};

/// Adds integrals to the sums of a carrier facet.
void add_integrals(const CoveredFacet &facet, const FacetSurface &opposite,
                   const Integrals &integrals) {
  const auto n = facet.sums.size();
  for (std::size_t s = 0; s < facet.segments.size(); ++s) {
    const auto &corners = opposite.facets[facet.segments[s].facet];
    for (std::size_t j = 0; j < n; ++j) {
      for (unsigned int k = 0; k < corners.size(); ++k)
        facet.sums[j]->opposite.emplace_back(corners[k], integrals.of_segment[s][j][k]);
      facet.sums[j]->covered_facets.emplace_back(facet.segments[s].facet, facet.segments[s].area);
    }
  }
}

/// Returns (1 − α) A N + α N, passed between corners, at a point of integration.
CornerWeights mixed(const PartialShapes<4> &shapes, const std::array<CornerWeights, 4> &A,
                    const CornerWeights &N, unsigned int n) {
  CornerWeights phi{};
  for (unsigned int j = 0; j < n; ++j) {
    for (unsigned int i = 0; i < n; ++i)
      phi[j] += A[j][i] * N[i];
    phi[j] = (1. - shapes.alpha) * phi[j] + shapes.alpha * N[j];
  }
  return shapes.passed(phi);
}

/// Adds ∫φ N of the segments of a carrier facet to the sums of its quadrature points. If the facet
/// is partly covered, the points belong to the box around the covered region.
void integrate_points(const CoveredFacet &facet, const FacetSurface &opposite) {
  const auto n = static_cast<unsigned int>(facet.sums.size());
  const auto B = point_functions(n);
  const PartialShapes<4> shapes = shapes_of(facet);
  Integrals integrals;
  integrals.of_segment.resize(facet.segments.size());
  for (const Sample &s : facet.samples) {
    const CornerWeights phi = mixed(shapes, B, s.of_box, n);
    for (unsigned int j = 0; j < n; ++j) {
      facet.sums[j]->area += s.weight * phi[j];
      for (unsigned int k = 0; k < 4; ++k) {
        integrals.of_segment[s.segment][j][k] += s.weight * phi[j] * s.opposite[k];
        integrals.forces[j][k] += s.weight * phi[j] * s.of_box[k];
      }
    }
  }
  for (unsigned int j = 0; j < n; ++j)
    add_carrier(facet, j, integrals.forces[j]);
  add_integrals(facet, opposite, integrals);
}

/// Adds ∫φ N of the segments of a carrier facet to the sums of its corners.
void integrate_segments(const CoveredFacet &facet, const FacetSurface &opposite) {
  const auto &sums = facet.sums;
  const auto n = static_cast<unsigned int>(sums.size());
  const auto A = dual_shapes(facet.samples, n);
  const bool is_whole = facet.is_whole();
  const PartialShapes<4> shapes = shapes_of(facet);
  Integrals integrals;
  integrals.of_segment.resize(facet.segments.size());
  for (const Sample &s : facet.samples) {
    const CornerWeights phi = mixed(shapes, A, s.of_box, n);
    const CornerWeights TM = shapes.passed(s.of_box);
    for (unsigned int j = 0; j < n; ++j) {
      for (unsigned int k = 0; k < 4; ++k)
        integrals.of_segment[s.segment][j][k] += s.weight * phi[j] * s.opposite[k];
      sums[j]->area += s.weight * (is_whole ? s.of_box[j] : TM[j]);
      for (unsigned int k = 0; k < n && !is_whole; ++k)
        integrals.forces[j][k] +=
            s.weight * s.of_box[k] * ((1. - shapes.alpha) * shapes.T[j][k] + shapes.alpha * TM[j]);
      sums[j]->own_area += is_whole ? s.weight * s.of_box[j] : 0.;
    }
  }
  for (unsigned int j = 0; j < n && !is_whole; ++j)
    add_carrier(facet, j, integrals.forces[j]);
  add_integrals(facet, opposite, integrals);
}

/// Returns the weights with entries of the same point added up.
OppositeWeights merged_weights(OppositeWeights weights) {
  std::stable_sort(weights.begin(), weights.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  OppositeWeights result;
  for (const auto &[point, weight] : weights)
    if (!result.empty() && result.back().first == point)
      result.back().second += weight;
    else
      result.emplace_back(point, weight);
  return result;
}

/// Shifts the weights along the facets so that Σ weight x_carrier − Σ weight x_opposite becomes
/// normal: the normal forces of curved surfaces then have no moment. Returns this sum.
SpaceVector make_normal(const RegionSum &sum, const OppositeWeights &weights_of_carrier,
                        const FacetSurface &carrier, const FacetSurface &opposite,
                        const SpaceVector &normal, OppositeWeights &weights) {
  const SpacePoint &origin = carrier.points[weights_of_carrier.front().first];
  SpaceVector from_opposite; // relative to a carrier point, to keep digits
  for (const auto &[point, weight] : weights)
    from_opposite += weight * (origin - opposite.points[point]);
  for (std::size_t k = 1; k < weights_of_carrier.size(); ++k)
    from_opposite +=
        weights_of_carrier[k].second * (carrier.points[weights_of_carrier[k].first] - origin);
  const FacetPlane plane(origin, normal);
  double total_area = 0;
  for (const auto &covered_area : sum.covered_facets)
    total_area += covered_area.second;
  const dealii::Tensor<1, 2> offset({from_opposite * plane.first, from_opposite * plane.second});
  for (const auto &[facet, covered_area] : sum.covered_facets) {
    const auto &corners = opposite.facets[facet];
    const SpaceVector a = opposite.points[corners[1]] - opposite.points[corners[0]],
                      b = opposite.points[corners.back()] - opposite.points[corners[0]];
    const dealii::Tensor<1, 2> u({a * plane.first, a * plane.second}),
        v({b * plane.first, b * plane.second});
    const double det = cross_product(u, v), fraction = covered_area / total_area;
    const double s = fraction * cross_product(offset, v) / det,
                 t = fraction * cross_product(u, offset) / det;
    weights.emplace_back(corners[0], -s - t);
    weights.emplace_back(corners[1], s);
    weights.emplace_back(corners.back(), t);
    from_opposite -= s * a + t * b;
  }
  weights = merged_weights(std::move(weights));
  return from_opposite;
}

MortarContact<3> contact_of(const RegionSum &sum, const FacetSurface &carrier,
                            const FacetSurface &opposite, MortarFunctions functions) {
  auto weights = merged_weights(sum.opposite);
  double total = 0;
  for (const auto &weight : weights)
    total += weight.second;
  double remainder = 1.;
  for (auto &weight : weights)
    remainder -= weight.second /= total;
  weights.front().second += remainder;
  const SpaceVector normal = -sum.normal;
  auto weights_of_carrier =
      functions == MortarFunctions::dual
          ? carrier_weights(sum.point, sum.own_area, merged_weights(sum.carrier))
          : mean_weights(merged_weights(sum.carrier));
  const SpaceVector from_opposite =
      make_normal(sum, weights_of_carrier, carrier, opposite, normal, weights);
  return {sum.point,
          sum.side,
          from_opposite * normal,
          normal,
          sum.area,
          sum.area / sum.whole_area,
          std::move(weights_of_carrier),
          std::move(weights)};
}

} // namespace

SpaceVector FacetSurface::normal(unsigned int facet) const {
  const auto &c = facets[facet];
  const SpaceVector normal =
      c.size() == 3 ? cross_product_3d(points[c[1]] - points[c[0]], points[c[2]] - points[c[0]])
                    : cross_product_3d(points[c[2]] - points[c[0]], points[c[3]] - points[c[1]]);
  const double length = normal.norm();
  return length > 0. ? normal / length : normal;
}

SpacePoint FacetSurface::middle(unsigned int facet) const {
  SpacePoint x;
  for (const unsigned int point : facets[facet])
    x += points[point] / static_cast<double>(facets[facet].size());
  return x;
}

std::array<double, 4> FacetSurface::areas(unsigned int facet) const {
  const Polygon c = Shadow(*this, facet, {middle(facet), normal(facet)}).corners;
  if (c.size() == 3) {
    const double third = polygon_area(c) / 3.;
    return {third, third, third, 0.};
  }
  std::array<double, 4> areas{};
  static const dealii::QGauss<2> gauss(2);
  for (unsigned int k = 0; k < gauss.size(); ++k) {
    const double s = gauss.point(k)[0], t = gauss.point(k)[1];
    const auto of_s = (1. - t) * (c[1] - c[0]) + t * (c[2] - c[3]),
               of_t = (1. - s) * (c[3] - c[0]) + s * (c[2] - c[1]);
    const double weight = gauss.weight(k) * cross_product(of_s, of_t);
    areas[0] += weight * (1. - s) * (1. - t);
    areas[1] += weight * s * (1. - t);
    areas[2] += weight * s * t;
    areas[3] += weight * (1. - s) * t;
  }
  return areas;
}

std::array<double, 4> FacetSurface::areas_of_points(unsigned int facet) const {
  const auto n = static_cast<unsigned int>(facets[facet].size());
  const auto B = point_functions(n);
  const CornerWeights of_corners = areas(facet);
  CornerWeights of_points{};
  for (unsigned int k = 0; k < n; ++k)
    for (unsigned int i = 0; i < n; ++i)
      of_points[k] += B[k][i] * of_corners[i];
  return of_points;
}

std::vector<MortarContact<3>> mortar_contacts(const FacetSurface &carrier,
                                              const FacetSurface &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range, MortarFunctions functions) {
  SmoothRegions covered_facets(carrier, range.corner);
  const bool is_dual = functions == MortarFunctions::dual;
  if (!is_dual)
    covered_facets.divide_into_points(carrier);
  std::vector<unsigned int> facets;
  auto pair = near_pairs.begin();
  for (unsigned int f = 0; f < carrier.facets.size(); ++f) {
    const SpaceVector normal = carrier.normal(f);
    facets.clear();
    for (; pair != near_pairs.end() && pair->first == f; ++pair)
      if (normal * opposite.normal(pair->second) < -least_opposing)
        facets.push_back(pair->second);
    const FacetPlane plane(carrier.middle(f), normal);
    const Shadow shadow(carrier, f, plane);
    std::vector<RegionSum *> sums;
    const CornerWeights total_area = is_dual ? carrier.areas(f) : carrier.areas_of_points(f);
    for (unsigned int i = 0; i < shadow.corners.size(); ++i) {
      sums.push_back(&covered_facets.sums[covered_facets.region_of[f][i]]);
      sums[i]->whole_area += total_area[i];
    }
    if (facets.empty())
      continue;
    const auto segments = cut_facets(plane, shadow, opposite, facets, range);
    double covered = 0;
    for (const CommonPolygon &s : segments)
      covered += s.area;
    const double fraction = covered / polygon_area(shadow.corners);
    if (!(fraction > min_cover_3d))
      continue;
    const CoveredBox box(shadow, segments);
    const auto samples = samples_of(segments, plane, shadow, box, opposite);
    const CoveredFacet facet{segments, samples, fraction, box, carrier.facets[f], sums};
    is_dual ? integrate_segments(facet, opposite) : integrate_points(facet, opposite);
  }
  std::vector<MortarContact<3>> contacts;
  for (const RegionSum &sum : covered_facets.sums)
    if (sum.area > 0.)
      contacts.push_back(contact_of(sum, carrier, opposite, functions));
  return contacts;
}

std::vector<EdgePair> self_contact_pairs(const FacetSurface &surface,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range) {
  return pairs_of_sides(
      surface.points.size(), surface.facets.size(), near_pairs, range.depth, least_opposing,
      [&](unsigned int f) -> const std::vector<unsigned int> & { return surface.facets[f]; },
      [&](unsigned int f) { return surface.normal(f); },
      [&](unsigned int f) { return surface.middle(f); });
}

} // namespace percussion
