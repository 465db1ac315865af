#pragma once

#include "common_polygons.h"

namespace percussion {

/// Box around the covered region of a carrier facet, in the facet's coordinates: a rectangle in a
/// quadrilateral, or a triangle of the same shape as the facet.
class CoveredBox {
public:
  CoveredBox(const Shadow &facet, const std::vector<CommonPolygon> &segments);

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
  CornerWeights carrier, opposite;
};

/// Returns the integration points of the covered region of a carrier facet.
std::vector<Sample> samples_of(const std::vector<CommonPolygon> &segments, const FacetPlane &plane,
                               const Shadow &carrier, const CoveredBox &box,
                               const FacetSurface &opposite);

/// Returns the matrix A of the dual shape functions ψ = A N of a box with n corners, biorthogonal
/// over the sampled region: A = D M⁻¹ with M = ∫N Nᵀ and D = diag(∫N).
std::array<CornerWeights, 4> dual_shapes(const std::vector<Sample> &samples, unsigned int n);

} // namespace percussion
