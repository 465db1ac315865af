// Integrals of products of shape functions over the covered region of a facet.

#pragma once

#include "covered_box.h"

namespace percussion {

/// Matrix with a row for each corner of a carrier facet.
template <typename Number>
using CornerMatrix = std::array<CornerWeights<Number>, 4>;

/// Integrals over a segment, with the shape functions N of the box around the covered region, and O
/// of the opposite facet [length²].
template <typename Number>
struct SegmentMoments {
  CornerWeights<Number> D{}; ///< ∫N
  CornerMatrix<Number> M{};  ///< ∫N Nᵀ
  CornerMatrix<Number> P{};  ///< ∫N Oᵀ
};

/// Returns the integrals over a segment. Its derivatives are coded by hand: the points of
/// integration would be most of the operations of a tape.
SegmentMoments<double> segment_moments(const CommonPolygon<double> &segment,
                                       const Shadow<double> &carrier,
                                       const CoveredBox<double> &box);
SegmentMoments<Traced> segment_moments(const CommonPolygon<Traced> &segment,
                                       const Shadow<Traced> &carrier,
                                       const CoveredBox<Traced> &box);

/// Returns the matrix A of the dual shape functions ψ = A N of a box with n corners, biorthogonal
/// over the covered region: A = D M⁻¹ with M = ∫N Nᵀ and D = diag(∫N).
template <typename Number>
CornerMatrix<Number> dual_shapes(const CornerWeights<Number> &D, CornerMatrix<Number> M,
                                 unsigned int n);

} // namespace percussion
