#pragma once

#include "common_polygons.h"
#include <utility>

namespace percussion {

/// Points and their weights.
using PointWeights = std::vector<std::pair<unsigned int, double>>;

/// Contributions of the facets of a carrier point to its contact.
struct RegionSum {
  unsigned int point = 0, side = 0;
  dealii::Tensor<1, 3> normal;
  double area = 0, whole_area = 0;
  double covered = 0;  ///< integral of the shape functions over the covered region [length²]
  double own_area = 0; ///< contribution to `area` of facets that are covered completely
  PointWeights
      carrier; ///< integrals of φ and the carrier's shape functions on partly covered facets
  PointWeights opposite;
  /// Facets and the covered area in front of them.
  std::vector<std::pair<unsigned int, double>> covered_facets;
};

/// Returns the matrix B of the Lagrange functions L = B N of the quadrature points of a facet with
/// n corners; the point k is next to the corner k, at (2/3, 1/6, 1/6) in a triangle.
std::array<CornerWeights, 4> point_functions(unsigned int n);

/// Smooth regions of a surface at its points, with the region of each corner of a facet.
class SmoothRegions {
public:
  SmoothRegions(const FacetSurface &surface, double corner);

  /// Replaces the regions by the quadrature points of the facets, with the normals between the
  /// normals of the corners' regions.
  void divide_into_points(const FacetSurface &surface);

  std::vector<RegionSum> sums;                      ///< one sum for each region
  std::vector<std::vector<unsigned int>> region_of; ///< index of the region [facet][corner]

private:
  void add_parts(const FacetSurface &surface, unsigned int point,
                 const std::vector<unsigned int> &facets,
                 const std::vector<dealii::Tensor<1, 3>> &normals, double corner);
};

} // namespace percussion
