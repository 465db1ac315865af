#include <deal.II/base/quadrature_lib.h>

#include "cross_product.h"
#include "smooth_regions.h"

namespace percussion {

dealii::Tensor<1, 3> FacetSurface::normal(unsigned int facet) const {
  const auto &c = facets[facet];
  const dealii::Tensor<1, 3> normal =
      c.size() == 3 ? cross_product_3d(points[c[1]] - points[c[0]], points[c[2]] - points[c[0]])
                    : cross_product_3d(points[c[2]] - points[c[0]], points[c[3]] - points[c[1]]);
  const double length = normal.norm();
  return length > 0. ? normal / length : normal;
}

dealii::Point<3> FacetSurface::middle(unsigned int facet) const {
  const auto &corners = facets[facet];
  dealii::Point<3> x;
  for (const unsigned int point : corners)
    x += points[point] / static_cast<double>(corners.size());
  return x;
}

std::array<double, 4> FacetSurface::areas(unsigned int facet) const {
  const FlatPolygon c = Shadow(*this, facet, {middle(facet), normal(facet)}).corners;
  if (c.size() == 3) {
    const double third = polygon_area(c) / 3.;
    return {third, third, third, 0.};
  }
  std::array<double, 4> areas{};
  static const dealii::QGauss<2> gauss(2);
  for (unsigned int k = 0; k < gauss.size(); ++k) {
    const double s = gauss.point(k)[0], t = gauss.point(k)[1];
    const auto tangent_s = (1. - t) * (c[1] - c[0]) + t * (c[2] - c[3]),
               tangent_t = (1. - s) * (c[3] - c[0]) + s * (c[2] - c[1]);
    const double weight = gauss.weight(k) * cross_product(tangent_s, tangent_t);
    areas[0] += weight * (1. - s) * (1. - t);
    areas[1] += weight * s * (1. - t);
    areas[2] += weight * s * t;
    areas[3] += weight * (1. - s) * t;
  }
  return areas;
}

std::array<double, 4> FacetSurface::areas_of_points(unsigned int facet) const {
  const auto n = static_cast<unsigned int>(facets[facet].size());
  const auto B = point_functions(n);
  const CornerWeights corner_areas = areas(facet);
  CornerWeights point_areas{};
  for (unsigned int k = 0; k < n; ++k)
    for (unsigned int i = 0; i < n; ++i)
      point_areas[k] += B[k][i] * corner_areas[i];
  return point_areas;
}

} // namespace percussion
