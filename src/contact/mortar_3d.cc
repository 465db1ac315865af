#include <percussion/contact/mortar_3d.h>

#include "covered_box.h"
#include "cross_product.h"
#include "multiplier_shapes.h"
#include "self_contact.h"
#include "smooth_regions.h"
#include <cmath>
#include <map>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

constexpr double least_opposing = 0.6; ///< lower bound of minus the cosine between opposed normals
/// Covered fraction of a facet below which its dual shapes are indistinguishable from round-off.
constexpr double min_cover_3d = 1e-6;

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
  CornerWeights corner_weights{}, node_weights{};
  for (const Sample &s : facet.samples)
    for (std::size_t i = 0; i < n; ++i)
      corner_weights[i] += s.weight * s.carrier[i];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      node_weights[k] += corner_weights[i] * facet.box.corner(i)[k];
  return partial_shapes<4>(facet.fraction / facet.box.fraction(), node_weights, n);
}

/// Adds forces at the corners of the box to the carrier weights of a sum.
void add_carrier(const CoveredFacet &facet, std::size_t sum_index, const CornerWeights &forces) {
  for (std::size_t i = 0; i < facet.sums.size(); ++i) {
    const CornerWeights N = facet.box.corner(i);
    for (std::size_t k = 0; k < facet.sums.size(); ++k)
      facet.sums[sum_index]->carrier.emplace_back(facet.nodes[k], forces[i] * N[k]);
  }
}

/// Integrals of the functions φ of a carrier facet.
struct Integrals {
  /// Integrals of φ and the opposite side's shape functions [segment][multiplier][opposite side's
  /// corner].
  std::vector<std::array<CornerWeights, 4>> segment_weights;
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
        facet.sums[j]->opposite.emplace_back(corners[k], integrals.segment_weights[s][j][k]);
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
  integrals.segment_weights.resize(facet.segments.size());
  for (const Sample &s : facet.samples) {
    const CornerWeights phi = mixed(shapes, B, s.carrier, n);
    for (unsigned int j = 0; j < n; ++j) {
      facet.sums[j]->area += s.weight * phi[j];
      for (unsigned int k = 0; k < 4; ++k) {
        integrals.segment_weights[s.segment][j][k] += s.weight * phi[j] * s.opposite[k];
        integrals.forces[j][k] += s.weight * phi[j] * s.carrier[k];
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
  integrals.segment_weights.resize(facet.segments.size());
  for (const Sample &s : facet.samples) {
    const CornerWeights phi = mixed(shapes, A, s.carrier, n);
    const CornerWeights TM = shapes.passed(s.carrier);
    for (unsigned int j = 0; j < n; ++j) {
      for (unsigned int k = 0; k < 4; ++k)
        integrals.segment_weights[s.segment][j][k] += s.weight * phi[j] * s.opposite[k];
      sums[j]->area += s.weight * (is_whole ? s.carrier[j] : TM[j]);
      for (unsigned int k = 0; k < n && !is_whole; ++k)
        integrals.forces[j][k] +=
            s.weight * s.carrier[k] * ((1. - shapes.alpha) * shapes.T[j][k] + shapes.alpha * TM[j]);
      sums[j]->own_area += is_whole ? s.weight * s.carrier[j] : 0.;
    }
  }
  for (unsigned int j = 0; j < n && !is_whole; ++j)
    add_carrier(facet, j, integrals.forces[j]);
  add_integrals(facet, opposite, integrals);
}

/// Returns the weights with entries of the same point added up.
PointWeights merged_weights(PointWeights weights) {
  std::stable_sort(weights.begin(), weights.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  PointWeights result;
  for (const auto &[point, weight] : weights)
    if (!result.empty() && result.back().first == point)
      result.back().second += weight;
    else
      result.emplace_back(point, weight);
  return result;
}

/// Shifts the weights along the facets so that Σ weight x_carrier − Σ weight x_opposite becomes
/// normal: the normal forces of curved surfaces then have no moment. Returns this sum.
SpaceVector make_normal(const RegionSum &sum, const PointWeights &weights_of_carrier,
                        const FacetSurface &carrier, const FacetSurface &opposite,
                        const SpaceVector &normal, PointWeights &weights) {
  const SpacePoint &origin = carrier.points[weights_of_carrier.front().first];
  SpaceVector gap_vector; // relative to a carrier point, to keep digits
  for (const auto &[point, weight] : weights)
    gap_vector += weight * (origin - opposite.points[point]);
  for (std::size_t k = 1; k < weights_of_carrier.size(); ++k)
    gap_vector +=
        weights_of_carrier[k].second * (carrier.points[weights_of_carrier[k].first] - origin);
  const FacetPlane plane(origin, normal);
  double total_area = 0;
  for (const auto &covered_area : sum.covered_facets)
    total_area += covered_area.second;
  const dealii::Tensor<1, 2> offset({gap_vector * plane.first, gap_vector * plane.second});
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
    gap_vector -= s * a + t * b;
  }
  weights = merged_weights(std::move(weights));
  return gap_vector;
}

MortarContact<3> contact_of(const RegionSum &sum, const FacetSurface &carrier,
                            const FacetSurface &opposite, MortarFunctions functions) {
  auto weights = mean_weights(merged_weights(sum.opposite));
  const SpaceVector normal = -sum.normal;
  auto weights_of_carrier =
      functions == MortarFunctions::dual
          ? carrier_weights(sum.point, sum.own_area, merged_weights(sum.carrier))
          : mean_weights(merged_weights(sum.carrier));
  const SpaceVector gap_vector =
      make_normal(sum, weights_of_carrier, carrier, opposite, normal, weights);
  return {sum.point,
          sum.side,
          gap_vector * normal,
          normal,
          sum.area,
          sum.area / sum.whole_area,
          std::move(weights_of_carrier),
          std::move(weights)};
}

} // namespace

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
      surface.points.size(), surface.facets.size(), near_pairs, range, least_opposing,
      [&](unsigned int f) -> const std::vector<unsigned int> & { return surface.facets[f]; },
      [&](unsigned int f) { return surface.normal(f); },
      [&](unsigned int f) { return surface.middle(f); },
      [&](unsigned int f) {
        std::vector<dealii::Point<3>> corners;
        for (const unsigned int point : surface.facets[f])
          corners.push_back(surface.points[point]);
        return corners;
      });
}

} // namespace percussion
