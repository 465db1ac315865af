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

/// Returns the matrix A of the dual shape functions ψ = A N of a box with n corners, biorthogonal
/// over the covered region: A = D M⁻¹ with M = ∫N Nᵀ and D = diag(∫N).
CornerMatrix dual_shapes(const CornerWeights &D, CornerMatrix M, unsigned int n);

} // namespace percussion
