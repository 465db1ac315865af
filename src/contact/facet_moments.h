// Integrals of products of shape functions over the covered region of a facet.

#pragma once

#include "covered_box.h"

namespace percussion {

/// Matrix with a row for each corner of a carrier facet.
using CornerMatrix = std::array<CornerWeights, 4>;

/// Integrals over a segment, with the shape functions N of the box around the covered region, and O
/// of the opposite facet [length²].
struct SegmentMoments {
  CornerWeights D{}; ///< ∫N
  CornerMatrix M{};  ///< ∫N Nᵀ
  CornerMatrix P{};  ///< ∫N Oᵀ
};

/// Returns the integrals over a segment.
SegmentMoments segment_moments(const CommonPolygon &segment, const Shadow &carrier,
                               const CoveredBox &box);

/// Function of a position on a carrier facet that is covered completely, with its shape functions N
/// and the shape functions O of the opposite facet: (a · N) (c · N + o · O) + δ · N + constant.
struct FacetIntegrand {
  CornerWeights a{}, c{}, o{}, delta{};
  double constant = 0;
};

/// Derivatives with respect to the positions of the corners of a facet in a plane.
using CornerGradients = std::array<dealii::Tensor<1, 2>, 4>;

/// Derivatives of an integral over a segment with respect to the corners of both facets.
struct SegmentGradients {
  CornerGradients carrier{}, opposite{};
};

/// Returns the derivatives of the integrals of the first n functions over a segment of a carrier
/// facet that is covered completely. The coordinates of the carrier facet are constant at its
/// points, so that the edges of segments do not contribute, except by the jump of the constants:
/// the opposite facets meet without a step.
std::array<SegmentGradients, 4>
differentiate_segment(const CommonPolygon &segment, const Shadow &carrier,
                      const std::array<FacetIntegrand, 4> &functions, std::size_t n);

/// Returns the matrix A of the dual shape functions ψ = A N of a box with n corners, biorthogonal
/// over the covered region: A = D M⁻¹ with M = ∫N Nᵀ and D = diag(∫N).
CornerMatrix dual_shapes(const CornerWeights &D, CornerMatrix M, unsigned int n);

} // namespace percussion
