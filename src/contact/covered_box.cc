#include "covered_box.h"

#include <deal.II/base/quadrature_lib.h>

#include "cross_product.h"
#include "multiplier_shapes.h"
#include <algorithm>
#include <cmath>

namespace percussion {

CoveredBox::CoveredBox(const Shadow &facet, const std::vector<CommonPolygon> &segments)
    : n(facet.corners.size()) {
  lower_bounds.fill(1.);
  for (const CommonPolygon &segment : segments)
    for (const FlatPoint &x : segment.polygon) {
      const CornerWeights N = facet.weights(x);
      if (n == 3)
        include({N[0], N[1], N[2], 0.});
      else
        include({N[1] + N[2], N[2] + N[3], N[0] + N[3], N[0] + N[1]});
    }
  for (double &bound : lower_bounds)
    bound = bound < round_off_of_cover ? 0. : bound;
  for (std::size_t i = 0; i < n; ++i)
    is_facet = is_facet && lower_bounds[i] == 0.;
}

std::vector<Sample> samples_of(const std::vector<CommonPolygon> &segments, const FacetPlane &plane,
                               const Shadow &carrier, const CoveredBox &box,
                               const FacetSurface &opposite) {
  static const dealii::QGaussSimplex<2> quadratic(2), quintic(3), finest(4);
  std::vector<Sample> samples;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Shadow shadow(opposite, segments[s].facet, plane);
    const auto &rule = carrier.corners.size() + shadow.corners.size() == 6 ? quadratic
                       : carrier.is_affine && shadow.is_affine             ? quintic
                                                                           : finest;
    const FlatPolygon &polygon = segments[s].polygon;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const auto a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
      const double twice_area = cross_product(a, b);
      for (unsigned int k = 0; k < rule.size(); ++k) {
        const FlatPoint x = polygon[0] + rule.point(k)[0] * a + rule.point(k)[1] * b;
        samples.push_back(
            {rule.weight(k) * twice_area, s, box.shapes(carrier.weights(x)), shadow.weights(x)});
      }
    }
  }
  return samples;
}

std::array<CornerWeights, 4> dual_shapes(const std::vector<Sample> &samples, unsigned int n) {
  std::array<CornerWeights, 4> M{}, inverse{};
  CornerWeights D{};
  for (const Sample &s : samples)
    for (unsigned int i = 0; i < n; ++i) {
      D[i] += s.weight * s.carrier[i];
      for (unsigned int j = 0; j < n; ++j)
        M[i][j] += s.weight * s.carrier[i] * s.carrier[j];
    }
  for (unsigned int i = 0; i < n; ++i)
    inverse[i][i] = 1.;
  for (unsigned int c = 0; c < n; ++c) { // Gauss-Jordan elimination
    unsigned int pivot = c;
    for (unsigned int r = c + 1; r < n; ++r)
      if (std::abs(M[r][c]) > std::abs(M[pivot][c]))
        pivot = r;
    std::swap(M[c], M[pivot]);
    std::swap(inverse[c], inverse[pivot]);
    const double diagonal = M[c][c];
    for (unsigned int k = 0; k < n; ++k) {
      M[c][k] /= diagonal;
      inverse[c][k] /= diagonal;
    }
    for (unsigned int r = 0; r < n; ++r) {
      const double factor = M[r][c];
      for (unsigned int k = 0; r != c && k < n; ++k) {
        M[r][k] -= factor * M[c][k];
        inverse[r][k] -= factor * inverse[c][k];
      }
    }
  }
  for (unsigned int i = 0; i < n; ++i)
    for (double &entry : inverse[i])
      entry *= D[i];
  return inverse;
}

} // namespace percussion
