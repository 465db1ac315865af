#include "covered_facet.h"

#include <utility>

namespace percussion {
namespace {

/// Covered fraction of a facet below which its dual shapes are indistinguishable from round-off.
constexpr double min_cover_3d = 1e-6;

/// Sums of the moments of all segments.
template <typename Number>
struct FacetMoments {
  CornerWeights<Number> D{};
  CornerMatrix<Number> M{};

  explicit FacetMoments(const std::vector<SegmentMoments<Number>> &segments) {
    for (const auto &segment : segments)
      for (unsigned int k = 0; k < 4; ++k) {
        D[k] += segment.D[k];
        for (unsigned int l = 0; l < 4; ++l)
          M[k][l] += segment.M[k][l];
      }
  }
};

template <typename Number>
PartialShapes<4, Number> shapes_of(const CoveredFacet<Number> &facet,
                                   const CornerWeights<Number> &D) {
  if (facet.is_whole())
    return PartialShapes<4, Number>::full_support();
  const std::size_t n = facet.sums.size();
  CornerWeights<Number> node_weights{};
  for (std::size_t i = 0; i < n; ++i) {
    const CornerWeights<Number> N = facet.box.corner(i);
    for (std::size_t k = 0; k < n; ++k)
      node_weights[k] += D[i] * N[k];
  }
  return partial_shapes<4, Number>(facet.fraction / facet.box.fraction(), node_weights, n);
}

/// Adds forces at the corners of the box to the carrier weights of a sum.
template <typename Number>
void add_carrier(const CoveredFacet<Number> &facet, std::size_t sum_index,
                 const CornerWeights<Number> &forces) {
  for (std::size_t i = 0; i < facet.sums.size(); ++i) {
    const CornerWeights<Number> N = facet.box.corner(i);
    for (std::size_t k = 0; k < facet.sums.size(); ++k)
      facet.sums[sum_index]->carrier.emplace_back(facet.nodes[k], forces[i] * N[k]);
  }
}

/// Returns the product of a matrix of n rows and columns with another.
template <typename Number>
CornerMatrix<Number> product(const CornerMatrix<Number> &C, const CornerMatrix<Number> &M,
                             std::size_t n) {
  CornerMatrix<Number> result{};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 4; ++k)
        result[j][k] += C[j][i] * M[i][k];
  return result;
}

/// Returns the functions of the multipliers, φ = C N with C = T ((1 − α) A + α I).
template <typename Number>
CornerMatrix<Number> mixed(const PartialShapes<4, Number> &shapes, const CornerMatrix<Number> &A,
                           std::size_t n) {
  CornerMatrix<Number> C{};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      C[j][i] = (1. - shapes.alpha) * A[j][i] + (i == j ? shapes.alpha : Number(0.));
  return product(shapes.T, C, n);
}

/// Adds the integrals of φ and the shape functions of the opposite facets.
template <typename Number>
void add_opposite(const CoveredFacet<Number> &facet, const FacetSurface &opposite,
                  const CornerMatrix<Number> &C) {
  const auto n = facet.sums.size();
  for (std::size_t s = 0; s < facet.segments.size(); ++s) {
    const auto &corners = opposite.facets[facet.segments[s].facet];
    const CornerMatrix<Number> weights = product(C, facet.moments[s].P, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < corners.size(); ++k)
        facet.sums[j]->opposite.emplace_back(corners[k], weights[j][k]);
      facet.sums[j]->covered_facets.emplace_back(facet.segments[s].facet, facet.segments[s].area);
    }
  }
}

/// Returns the functions of the quadrature points of a facet.
template <typename Number>
CornerMatrix<Number> lagrange_functions(std::size_t n) {
  const auto functions = point_functions(static_cast<unsigned int>(n));
  CornerMatrix<Number> B{};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      B[j][i] = functions[j][i];
  return B;
}

/// Adds the integrals of the Lagrange functions of the quadrature points of a facet. If the facet
/// is partly covered, the points belong to the box around the covered region.
template <typename Number>
void integrate_points(const CoveredFacet<Number> &facet, const FacetSurface &opposite) {
  const std::size_t n = facet.sums.size();
  const FacetMoments<Number> moments(facet.moments);
  const CornerMatrix<Number> B = lagrange_functions<Number>(n),
                             C = facet.is_whole() ? B : mixed(shapes_of(facet, moments.D), B, n);
  const CornerMatrix<Number> forces = product(C, moments.M, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      facet.sums[j]->area += C[j][i] * moments.D[i];
    add_carrier(facet, j, forces[j]);
  }
  add_opposite(facet, opposite, C);
}

/// Adds the integrals of the dual functions of the corners of a facet.
template <typename Number>
void integrate_dual(const CoveredFacet<Number> &facet, const FacetSurface &opposite) {
  const std::size_t n = facet.sums.size();
  const FacetMoments<Number> moments(facet.moments);
  const CornerMatrix<Number> A = dual_shapes(moments.D, moments.M, static_cast<unsigned int>(n));
  if (facet.is_whole()) {
    for (std::size_t j = 0; j < n; ++j) {
      facet.sums[j]->area += moments.D[j];
      facet.sums[j]->own_area += moments.D[j];
    }
    return add_opposite(facet, opposite, A);
  }
  const PartialShapes<4, Number> shapes = shapes_of(facet, moments.D);
  // By biorthogonality, the integrals of ψ and the functions of the box are diagonal.
  const CornerMatrix<Number> mean_forces = product(shapes.T, moments.M, n);
  for (std::size_t j = 0; j < n; ++j) {
    CornerWeights<Number> forces{};
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

template <typename Number>
std::optional<CoveredFacet<Number>>
covered_facet(const PlacedSurface<Number> &carrier, unsigned int facet,
              const PlacedSurface<Number> &opposite, const std::vector<unsigned int> &facets,
              const MortarRange &range, std::vector<RegionIntegrals<Number> *> sums) {
  const FacetPlane<Number> plane(carrier.middle(facet), carrier.normal(facet));
  const Shadow<Number> shadow(carrier, facet, plane);
  auto [segments, corner_sections] = cut_facets(plane, shadow, opposite, facets, range);
  Number covered = 0.;
  for (const auto &s : segments)
    covered += s.area;
  const Number fraction = covered / polygon_area(shadow.corners);
  if (!(fraction > min_cover_3d))
    return {};
  const CoveredBox<Number> box(shadow, segments);
  std::vector<SegmentMoments<Number>> moments;
  for (const auto &segment : segments)
    moments.push_back(segment_moments(segment, shadow, box));
  return CoveredFacet<Number>{
      std::move(segments), std::move(moments),        fraction, box, carrier.surface.facets[facet],
      std::move(sums),     std::move(corner_sections)};
}

template <typename Number>
void integrate(const CoveredFacet<Number> &facet, const FacetSurface &opposite,
               MortarFunctions functions) {
  functions == MortarFunctions::dual ? integrate_dual(facet, opposite)
                                     : integrate_points(facet, opposite);
}

template std::optional<CoveredFacet<double>>
covered_facet(const PlacedSurface<double> &, unsigned int, const PlacedSurface<double> &,
              const std::vector<unsigned int> &, const MortarRange &,
              std::vector<RegionIntegrals<double> *>);
template void integrate(const CoveredFacet<double> &, const FacetSurface &, MortarFunctions);
template std::optional<CoveredFacet<Traced>>
covered_facet(const PlacedSurface<Traced> &, unsigned int, const PlacedSurface<Traced> &,
              const std::vector<unsigned int> &, const MortarRange &,
              std::vector<RegionIntegrals<Traced> *>);
template void integrate(const CoveredFacet<Traced> &, const FacetSurface &, MortarFunctions);

} // namespace percussion
