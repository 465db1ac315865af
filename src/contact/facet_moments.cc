#include "facet_moments.h"

#include <deal.II/base/quadrature_lib.h>

#include "cross_product.h"
#include <algorithm>
#include <cmath>
#include <memory>

namespace percussion {
namespace {

using FlatVector = dealii::Tensor<1, 2>;

const dealii::Quadrature<2> &rule_for(const Shadow &carrier, const Shadow &opposite) {
  static const dealii::QGaussSimplex<2> quadratic(2), quintic(3), finest(4);
  return carrier.corners.size() + opposite.corners.size() == 6 ? quadratic
         : carrier.is_affine && opposite.is_affine             ? quintic
                                                               : finest;
}

/// Point of integration on a segment.
struct SamplePoint {
  double weight;               ///< weight in the unit triangle
  FlatPoint carrier, opposite; ///< local coordinates in both facets
  CornerWeights N, O;          ///< shape functions of the box and of the opposite facet
};

/// Point in the triangle of the corners 0, i − 1 and i of a polygon.
struct TrianglePoint {
  std::size_t i;
  FlatVector a, b;    ///< edges from the corner 0 to i − 1 and to i
  dealii::Point<2> r; ///< coordinates along a and b
};

/// Calls function(triangle_point, sample) for the points of integration.
template <typename Function>
void for_each_sample(const CommonPolygon &segment, const Shadow &carrier, const CoveredBox &box,
                     const Function &function) {
  const dealii::Quadrature<2> &rule = rule_for(carrier, segment.opposite);
  const FlatPolygon &polygon = segment.polygon;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const FlatVector a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
    for (unsigned int k = 0; k < rule.size(); ++k) {
      const dealii::Point<2> &r = rule.point(k);
      const FlatPoint x = polygon[0] + r[0] * a + r[1] * b;
      SamplePoint sample{rule.weight(k), carrier.local(x), segment.opposite.local(x), {}, {}};
      sample.N = box.shapes(carrier.shapes(sample.carrier));
      sample.O = segment.opposite.shapes(sample.opposite);
      function(TrianglePoint{i, a, b, r}, sample);
    }
  }
}

} // namespace

SegmentMoments segment_moments(const CommonPolygon &segment, const Shadow &carrier,
                               const CoveredBox &box) {
  SegmentMoments moments;
  for_each_sample(segment, carrier, box,
                  [&](const TrianglePoint &triangle, const SamplePoint &sample) {
                    const double weight = sample.weight * cross_product(triangle.a, triangle.b);
                    for (unsigned int k = 0; k < 4; ++k) {
                      const double N = weight * sample.N[k];
                      moments.D[k] += N;
                      for (unsigned int l = 0; l < 4; ++l) {
                        moments.M[k][l] += N * sample.N[l];
                        moments.P[k][l] += N * sample.O[l];
                      }
                    }
                  });
  return moments;
}

CornerMatrix dual_shapes(const CornerWeights &D, CornerMatrix M, unsigned int n) {
  CornerMatrix inverse{};
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
