#pragma once

#include "common_polygons.h"
#include "gap_gradient.h"
#include <map>
#include <utility>

namespace percussion {

/// Integrals of a facet or of the facets of a carrier point for one contact.
struct RegionIntegrals {
  double area = 0.;
  double own_area = 0.; ///< contribution to `area` of facets that are covered completely
  /// Integrals of φ and the carrier's shape functions on partly covered facets.
  NumberWeights<double> carrier;
  NumberWeights<double> opposite;
  NumberWeights<double> covered_facets; ///< facets and the covered area in front of them

  /// Adds up the entries of the same point or facet.
  void merge() {
    for (NumberWeights<double> *const weights : {&carrier, &opposite, &covered_facets})
      *weights = merged_weights(*weights);
  }
};

/// Contributions of the facets of a carrier point to its contact.
struct RegionSum : RegionIntegrals {
  unsigned int point = 0, side = 0;
  double whole_area = 0;
};

/// Adds what the derivatives with respect to the normal of a facet contribute to its corners.
void add_normal_gradients(const FacetSurface &surface, unsigned int facet,
                          const dealii::Tensor<1, 3> &adjoint, PointGradients<3> &gradients);

/// Returns the matrix B of the Lagrange functions L = B N of the quadrature points of a facet with
/// n corners; the point k is next to the corner k, at (2/3, 1/6, 1/6) in a triangle.
std::array<CornerWeights, 4> point_functions(unsigned int n);

/// Smooth regions of a surface at its points, with the region of each corner of a facet.
class SmoothRegions {
public:
  SmoothRegions(const FacetSurface &surface, double corner);

  /// Replaces the regions by the quadrature points of the facets, with the normals between the
  /// normals of the corners' regions.
  void divide_into_points();

  /// Gives the corner of a facet a sum of its own, with the normal of its region; it shares the sum
  /// with other facets of the region that are set apart.
  void set_apart(unsigned int facet, unsigned int corner);

  /// Returns the normal of the contact of a sum.
  dealii::Tensor<1, 3> normal(const FacetSurface &surface, std::size_t sum) const {
    if (regions_of_points.empty())
      return region_normal(surface, sum);
    const dealii::Tensor<1, 3> normal = mean_normal(surface, sum);
    return normal / normal.norm();
  }

  /// Adds what the derivatives with respect to the normal of a sum contribute to the points.
  void add_normal_gradients(const FacetSurface &surface, std::size_t sum,
                            const dealii::Tensor<1, 3> &adjoint,
                            PointGradients<3> &gradients) const;

  std::vector<RegionSum> sums;                      ///< one sum for each region
  std::vector<std::vector<unsigned int>> region_of; ///< index of the region [facet][corner]

private:
  dealii::Tensor<1, 3> region_normal(const FacetSurface &surface, std::size_t region) const {
    const dealii::Tensor<1, 3> normal = normal_sum(surface, region);
    return normal / normal.norm();
  }
  /// Returns the sum of the normals of the facets of a region.
  dealii::Tensor<1, 3> normal_sum(const FacetSurface &surface, std::size_t region) const {
    dealii::Tensor<1, 3> normal;
    for (const unsigned int facet : region_facets[region])
      normal += surface.normal(facet);
    return normal;
  }
  /// Returns the mean of the normals of the regions around a quadrature point.
  dealii::Tensor<1, 3> mean_normal(const FacetSurface &surface, std::size_t point) const {
    dealii::Tensor<1, 3> normal;
    for (const auto &[region, weight] : regions_of_points[point])
      normal += weight * region_normal(surface, region);
    return normal;
  }
  void add_region_gradients(const FacetSurface &surface, std::size_t region,
                            const dealii::Tensor<1, 3> &adjoint,
                            PointGradients<3> &gradients) const;
  void add_parts(const FacetSurface &surface, unsigned int point,
                 const std::vector<unsigned int> &facets,
                 const std::vector<dealii::Tensor<1, 3>> &normals, double corner);

  std::vector<std::vector<unsigned int>> region_facets; ///< facets of each smooth region
  std::vector<unsigned int> n_regions;                  ///< number of smooth regions at each point
  std::map<unsigned int, unsigned int> apart; ///< sum of the facets set apart, by their region
  /// Smooth regions at the corners of the facet of each quadrature point, and their weights there.
  std::vector<NumberWeights<double>> regions_of_points;
};

} // namespace percussion
