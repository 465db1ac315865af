#include "covered_facet.h"

#include <utility>

namespace percussion {
namespace {

/// Covered fraction of a facet below which its dual shapes are indistinguishable from round-off.
constexpr double min_cover_3d = 1e-6;

/// Sums of the moments of all segments.
struct FacetMoments {
  CornerWeights D{};
  CornerMatrix M{};

  explicit FacetMoments(const std::vector<SegmentMoments> &segments) {
    for (const auto &segment : segments)
      for (unsigned int k = 0; k < 4; ++k) {
        D[k] += segment.D[k];
        for (unsigned int l = 0; l < 4; ++l)
          M[k][l] += segment.M[k][l];
      }
  }
};

PartialShapes<4> shapes_of(const CoveredFacet &facet, const CornerWeights &D) {
  if (facet.is_whole())
    return PartialShapes<4>::full_support();
  const std::size_t n = facet.sums.size();
  CornerWeights node_weights{};
  for (std::size_t i = 0; i < n; ++i) {
    const CornerWeights N = facet.box.corner(i);
    for (std::size_t k = 0; k < n; ++k)
      node_weights[k] += D[i] * N[k];
  }
  return partial_shapes<4, double>(facet.fraction / facet.box.fraction(), node_weights, n);
}

/// Adds forces at the corners of the box to the carrier weights of a sum.
void add_carrier(const CoveredFacet &facet, std::size_t sum_index, const CornerWeights &forces) {
  for (std::size_t i = 0; i < facet.sums.size(); ++i) {
    const CornerWeights N = facet.box.corner(i);
    for (std::size_t k = 0; k < facet.sums.size(); ++k)
      facet.sums[sum_index]->carrier.emplace_back(facet.nodes[k], forces[i] * N[k]);
  }
}

/// Returns the product of a matrix of n rows and columns with another.
CornerMatrix product(const CornerMatrix &C, const CornerMatrix &M, std::size_t n) {
  CornerMatrix result{};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 4; ++k)
        result[j][k] += C[j][i] * M[i][k];
  return result;
}

/// Returns the functions of the multipliers, φ = C N with C = T ((1 − α) A + α I).
CornerMatrix mixed(const PartialShapes<4> &shapes, const CornerMatrix &A, std::size_t n) {
  CornerMatrix C{};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      C[j][i] = (1. - shapes.alpha) * A[j][i] + (i == j ? shapes.alpha : 0.);
  return product(shapes.T, C, n);
}

/// Adds the integrals of φ and the shape functions of the opposite facets.
void add_opposite(const CoveredFacet &facet, const FacetSurface &opposite, const CornerMatrix &C) {
  const auto n = facet.sums.size();
  for (std::size_t s = 0; s < facet.segments.size(); ++s) {
    const auto &corners = opposite.facets[facet.segments[s].facet];
    const CornerMatrix weights = product(C, facet.moments[s].P, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < corners.size(); ++k)
        facet.sums[j]->opposite.emplace_back(corners[k], weights[j][k]);
      facet.sums[j]->covered_facets.emplace_back(facet.segments[s].facet, facet.segments[s].area);
    }
  }
}

/// Adds the integrals of the Lagrange functions of the quadrature points of a facet. If the facet
/// is partly covered, the points belong to the box around the covered region.
void integrate_points(const CoveredFacet &facet, const FacetSurface &opposite) {
  const std::size_t n = facet.sums.size();
  const FacetMoments moments(facet.moments);
  const CornerMatrix B = point_functions(static_cast<unsigned int>(n)),
                     C = facet.is_whole() ? B : mixed(shapes_of(facet, moments.D), B, n);
  const CornerMatrix forces = product(C, moments.M, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      facet.sums[j]->area += C[j][i] * moments.D[i];
    add_carrier(facet, j, forces[j]);
  }
  add_opposite(facet, opposite, C);
}

/// Adds the integrals of the dual functions of the corners of a facet.
void integrate_dual(const CoveredFacet &facet, const FacetSurface &opposite) {
  const std::size_t n = facet.sums.size();
  const FacetMoments moments(facet.moments);
  const CornerMatrix A = dual_shapes(moments.D, moments.M, static_cast<unsigned int>(n));
  if (facet.is_whole()) {
    for (std::size_t j = 0; j < n; ++j) {
      facet.sums[j]->area += moments.D[j];
      facet.sums[j]->own_area += moments.D[j];
    }
    return add_opposite(facet, opposite, A);
  }
  const PartialShapes<4> shapes = shapes_of(facet, moments.D);
  // By biorthogonality, the integrals of ψ and the functions of the box are diagonal.
  const CornerMatrix mean_forces = product(shapes.T, moments.M, n);
  for (std::size_t j = 0; j < n; ++j) {
    CornerWeights forces{};
    for (std::size_t k = 0; k < n; ++k) {
      facet.sums[j]->area += shapes.T[j][k] * moments.D[k];
      forces[k] =
          (1. - shapes.alpha) * shapes.T[j][k] * moments.D[k] + shapes.alpha * mean_forces[j][k];
    }
    add_carrier(facet, j, forces);
  }
  add_opposite(facet, opposite, mixed(shapes, A, n));
}

} // namespace

std::optional<CoveredFacet> covered_facet(const FacetSurface &carrier, unsigned int facet,
                                          const FacetSurface &opposite,
                                          const std::vector<unsigned int> &facets,
                                          const MortarRange &range,
                                          std::vector<RegionIntegrals *> sums) {
  const FacetPlane plane(carrier.middle(facet), carrier.normal(facet));
  const Shadow shadow(carrier, facet, plane);
  auto [segments, corner_sections] = cut_facets(plane, shadow, opposite, facets, range);
  double covered = 0.;
  for (const auto &s : segments)
    covered += s.area;
  const double fraction = covered / polygon_area(shadow.corners);
  if (!(fraction > min_cover_3d))
    return {};
  const CoveredBox box(shadow, segments);
  std::vector<SegmentMoments> moments;
  moments.reserve(segments.size());
  for (const auto &segment : segments)
    moments.push_back(segment_moments(segment, shadow, box));
  return CoveredFacet{
      std::move(segments), std::move(moments),        fraction, box, carrier.facets[facet],
      std::move(sums),     std::move(corner_sections)};
}

void integrate(const CoveredFacet &facet, const FacetSurface &opposite, MortarFunctions functions) {
  functions == MortarFunctions::dual ? integrate_dual(facet, opposite)
                                     : integrate_points(facet, opposite);
}

} // namespace percussion
