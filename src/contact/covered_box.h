#pragma once

#include "common_polygons.h"
#include <algorithm>

namespace percussion {

/// Box around the covered region of a carrier facet, in the facet's coordinates: a rectangle in a
/// quadrilateral, or a triangle of the same shape as the facet.
class CoveredBox {
public:
  CoveredBox() = default;
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

  std::size_t n = 0; ///< number of corners
  /// Lower bounds of barycentric coordinates, or of s, t, 1 − s and 1 − t.
  CornerWeights lower_bounds{};

private:
  static CornerWeights bilinear(double s, double t) {
    return {(1. - s) * (1. - t), s * (1. - t), s * t, (1. - s) * t};
  }
  double size() const { return 1. - lower_bounds[0] - lower_bounds[1] - lower_bounds[2]; }
};

} // namespace percussion
