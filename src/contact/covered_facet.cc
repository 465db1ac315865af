#include "covered_facet.h"

#include <algorithm>
#include <cmath>
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

/// Returns the derivatives of a gap with respect to the integrals of the functions of these points.
CornerWeights adjoints_of(const NumberWeights<double> &adjoints,
                          const std::vector<unsigned int> &points) {
  CornerWeights result{};
  for (std::size_t i = 0; i < points.size(); ++i)
    result[i] = entry(adjoints, points[i]);
  return result;
}

/// True if the derivatives of the gaps with respect to the integrals over the facet are round-off:
/// all its points have the mean gap, in front of facets of the same direction.
bool is_level(const CoveredFacet &facet, const FacetSurface &opposite,
              const std::array<GradientTarget<3>, 4> &contacts) {
  constexpr double round_off = 1e-14; // of the size
  double area = 0., largest = 0.;
  const auto add = [&](const CornerWeights &adjoints) {
    for (const double adjoint : adjoints)
      largest = std::max(largest, std::abs(adjoint));
  };
  for (const CommonPolygon &segment : facet.segments) {
    area += segment.area;
    for (const auto &[adjoints, carrier, opposite_gradients] : contacts)
      if (adjoints != nullptr) {
        add(adjoints_of(adjoints->opposite, opposite.facets[segment.facet]));
        add(adjoints_of(adjoints->carrier, facet.nodes));
        largest = std::max(largest, std::abs(entry(adjoints->covered_facets, segment.facet)));
      }
  }
  return largest * std::sqrt(area) <= round_off;
}

/// Returns the functions whose integrals over the facet have the derivatives of the gaps, without
/// the terms o · O and constant. The dual functions ψ = A N change with D and M.
std::array<FacetIntegrand, 4> integrands(const CoveredFacet &facet, const FacetSurface &opposite,
                                         MortarFunctions functions,
                                         const std::array<GradientTarget<3>, 4> &contacts) {
  const std::size_t n = facet.nodes.size();
  const FacetMoments moments(facet.moments);
  const bool is_dual = functions == MortarFunctions::dual;
  const CornerMatrix C = is_dual ? dual_shapes(moments.D, moments.M, static_cast<unsigned int>(n))
                                 : point_functions(static_cast<unsigned int>(n));
  std::array<FacetIntegrand, 4> found{};
  for (std::size_t j = 0; j < n; ++j) {
    if (contacts[j].adjoints == nullptr)
      continue;
    found[j].a = C[j];
    if (!is_dual) {
      found[j].c = adjoints_of(contacts[j].adjoints->carrier, facet.nodes);
      continue;
    }
    CornerWeights sums{};
    for (std::size_t s = 0; s < facet.segments.size(); ++s) {
      const CornerWeights o =
          adjoints_of(contacts[j].adjoints->opposite, opposite.facets[facet.segments[s].facet]);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < 4; ++l)
          sums[i] += facet.moments[s].P[i][l] * o[l];
    }
    for (std::size_t i = 0; i < n; ++i) // M⁻¹ is D⁻¹ A
      for (std::size_t k = 0; k < n; ++k)
        found[j].c[i] -= C[i][k] * sums[k] / moments.D[i];
    found[j].delta[j] = -found[j].c[j];
  }
  return found;
}

/// Adds the derivatives with respect to corners in a plane to the gradients of their points; the
/// normal of the plane turns with the facet that it belongs to.
void add_flat_gradients(const CornerGradients &flat, const Shadow &shadow, const FacetPlane &plane,
                        const std::vector<unsigned int> &points, PointGradients<3> &gradients,
                        dealii::Tensor<1, 3> &normal_adjoint) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const dealii::Tensor<1, 3> gradient = flat[i][0] * plane.first + flat[i][1] * plane.second;
    add_gradient(gradients, points[i], gradient);
    normal_adjoint -= shadow.height[i] * gradient;
  }
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

void differentiate_integrals(const CoveredFacet &facet, const FacetSurface &carrier,
                             unsigned int facet_index, const FacetSurface &opposite,
                             MortarFunctions functions,
                             const std::array<GradientTarget<3>, 4> &contacts) {
  if (is_level(facet, opposite, contacts))
    return;
  const FacetPlane plane(carrier.middle(facet_index), carrier.normal(facet_index));
  const Shadow shadow(carrier, facet_index, plane);
  const std::size_t n = facet.nodes.size();
  std::array<FacetIntegrand, 4> all = integrands(facet, opposite, functions, contacts);
  std::array<dealii::Tensor<1, 3>, 4> normal_adjoints{};
  for (const CommonPolygon &segment : facet.segments) {
    const auto &corners = opposite.facets[segment.facet];
    for (std::size_t j = 0; j < n; ++j)
      if (contacts[j].adjoints != nullptr) {
        all[j].o = adjoints_of(contacts[j].adjoints->opposite, corners);
        all[j].constant = entry(contacts[j].adjoints->covered_facets, segment.facet);
      }
    const auto gradients = differentiate_segment(segment, shadow, all, n);
    for (std::size_t j = 0; j < n; ++j)
      if (contacts[j].adjoints != nullptr) {
        add_flat_gradients(gradients[j].carrier, shadow, plane, facet.nodes, *contacts[j].carrier,
                           normal_adjoints[j]);
        add_flat_gradients(gradients[j].opposite, segment.opposite, plane, corners,
                           *contacts[j].opposite, normal_adjoints[j]);
      }
  }
  for (std::size_t j = 0; j < n; ++j)
    if (contacts[j].adjoints != nullptr)
      add_normal_gradients(carrier, facet_index, normal_adjoints[j], *contacts[j].carrier);
}

} // namespace percussion
