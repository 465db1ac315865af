#include "facet_moments.h"

#include <deal.II/base/quadrature_lib.h>

#include "cross_product.h"
#include <algorithm>
#include <cmath>
#include <memory>

namespace percussion {
namespace {

using FlatVector = dealii::Tensor<1, 2>;

const dealii::Quadrature<2> &rule_for(const Shadow<double> &carrier,
                                      const Shadow<double> &opposite) {
  static const dealii::QGaussSimplex<2> quadratic(2), quintic(3), finest(4);
  return carrier.corners.size() + opposite.corners.size() == 6 ? quadratic
         : carrier.is_affine && opposite.is_affine             ? quintic
                                                               : finest;
}

/// Point of integration on a segment.
struct SamplePoint {
  double weight;                       ///< weight in the unit triangle
  FlatPoint<double> carrier, opposite; ///< local coordinates in both facets
  CornerWeights<double> N, O;          ///< shape functions of the box and of the opposite facet
};

/// Point in the triangle of the corners 0, i − 1 and i of a polygon.
struct TrianglePoint {
  std::size_t i;
  FlatVector a, b;    ///< edges from the corner 0 to i − 1 and to i
  dealii::Point<2> r; ///< coordinates along a and b
};

/// Calls function(triangle_point, sample) for the points of integration.
template <typename Function>
void for_each_sample(const CommonPolygon<double> &segment, const Shadow<double> &carrier,
                     const CoveredBox<double> &box, const Function &function) {
  const dealii::Quadrature<2> &rule = rule_for(carrier, segment.opposite);
  const FlatPolygon<double> &polygon = segment.polygon;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const FlatVector a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
    for (unsigned int k = 0; k < rule.size(); ++k) {
      const dealii::Point<2> &r = rule.point(k);
      const FlatPoint<double> x = polygon[0] + r[0] * a + r[1] * b;
      SamplePoint sample{rule.weight(k), carrier.local(x), segment.opposite.local(x), {}, {}};
      sample.N = box.shapes(carrier.shapes(sample.carrier));
      sample.O = segment.opposite.shapes(sample.opposite);
      function(TrianglePoint{i, a, b, r}, sample);
    }
  }
}

/// Adjoints of the arguments of one result.
struct SegmentAdjoints {
  std::vector<FlatVector> polygon;
  std::array<FlatVector, 4> carrier{}, opposite{};
  CornerWeights<double> bounds{};
};

/// Adds what the adjoints of local coordinates contribute to the corners; returns their
/// contribution to the point.
FlatVector reverse_local(const Shadow<double> &shadow, const FlatPoint<double> &local,
                         const FlatVector &adjoint, std::array<FlatVector, 4> &corners) {
  const auto [tangent_s, tangent_t] = shadow.tangents(local);
  const double det = cross_product(tangent_s, tangent_t);
  const FlatVector x({(adjoint[0] * tangent_t[1] - adjoint[1] * tangent_s[1]) / det,
                      (adjoint[1] * tangent_s[0] - adjoint[0] * tangent_t[0]) / det});
  const CornerWeights<double> N = shadow.shapes(local);
  for (std::size_t k = 0; k < shadow.corners.size(); ++k)
    corners[k] -= N[k] * x;
  return x;
}

/// Returns the adjoints of s and t from the adjoints of the bilinear functions.
FlatVector reverse_bilinear(double s, double t, const CornerWeights<double> &adjoint) {
  return FlatVector({(1. - t) * (adjoint[1] - adjoint[0]) + t * (adjoint[2] - adjoint[3]),
                     (1. - s) * (adjoint[3] - adjoint[0]) + s * (adjoint[2] - adjoint[1])});
}

/// Adds what the adjoints of the shape functions of the box contribute to its bounds; returns their
/// contribution to the local coordinates in the facet.
FlatVector reverse_box(const CoveredBox<double> &box, const CornerWeights<double> &N,
                       const CornerWeights<double> &adjoint, CornerWeights<double> &bounds) {
  const CornerWeights<double> &b = box.lower_bounds;
  if (box.n == 3) {
    const double size = 1. - b[0] - b[1] - b[2];
    const double mean = adjoint[0] * N[0] + adjoint[1] * N[1] + adjoint[2] * N[2];
    for (unsigned int k = 0; k < 3; ++k)
      bounds[k] += (mean - adjoint[k]) / size;
    return FlatVector({adjoint[1] - adjoint[0], adjoint[2] - adjoint[0]}) / size;
  }
  const double s = N[1] + N[2], t = N[2] + N[3];
  const std::array<double, 2> coordinate = {s, t}, size = {1. - b[0] - b[2], 1. - b[1] - b[3]};
  FlatVector local_adjoint = reverse_bilinear(s, t, adjoint);
  for (unsigned int d = 0; d < 2; ++d) {
    local_adjoint[d] /= size[d];
    bounds[d] += local_adjoint[d] * (coordinate[d] - 1.);
    bounds[d + 2] += local_adjoint[d] * coordinate[d];
  }
  return local_adjoint;
}

/// Function of a segment on the tape: its arguments, their values, and its results.
struct TracedSegment {
  CommonPolygon<double> segment;
  Shadow<double> carrier;
  CoveredBox<double> box;
  CommonPolygon<Traced> arguments;
  FlatPolygon<Traced> carrier_corners;
  CornerWeights<Traced> bounds;
  SegmentMoments<Traced> results;

  /// Returns the adjoints of the moments for a result of the tape.
  SegmentMoments<double> adjoints(const Tape &tape, unsigned int result) const {
    SegmentMoments<double> moments;
    for (unsigned int k = 0; k < 4; ++k) {
      moments.D[k] = tape.adjoint(results.D[k].index)[result];
      for (unsigned int l = 0; l < 4; ++l) {
        moments.M[k][l] = tape.adjoint(results.M[k][l].index)[result];
        moments.P[k][l] = tape.adjoint(results.P[k][l].index)[result];
      }
    }
    return moments;
  }
};

/// Adds what the adjoints of the moments contribute to the arguments at a point of integration.
void reverse_sample(const TracedSegment &traced, const SegmentMoments<double> &moments,
                    const TrianglePoint &triangle, const SamplePoint &sample,
                    SegmentAdjoints &adjoints) {
  const auto &[i, a, b, r] = triangle;
  const double weight = sample.weight * cross_product(a, b);
  CornerWeights<double> N_adjoint{}, O_adjoint{};
  double value = 0; // of the sum of adjoint × moment, without the weight
  for (unsigned int k = 0; k < 4; ++k) {
    double sum = 0, transposed = 0;
    for (unsigned int l = 0; l < 4; ++l) {
      sum += moments.M[k][l] * sample.N[l] + moments.P[k][l] * sample.O[l];
      transposed += moments.M[l][k] * sample.N[l];
      O_adjoint[l] += weight * moments.P[k][l] * sample.N[k];
    }
    value += (moments.D[k] + sum) * sample.N[k];
    N_adjoint[k] = weight * (moments.D[k] + sum + transposed);
  }
  const Shadow<double> &opposite = traced.segment.opposite;
  const FlatVector local = reverse_box(traced.box, sample.N, N_adjoint, adjoints.bounds);
  const FlatVector opposite_local =
      opposite.corners.size() == 4
          ? reverse_bilinear(sample.opposite[0], sample.opposite[1], O_adjoint)
          : FlatVector({O_adjoint[1] - O_adjoint[0], O_adjoint[2] - O_adjoint[0]});
  const FlatVector x = reverse_local(traced.carrier, sample.carrier, local, adjoints.carrier) +
                       reverse_local(opposite, sample.opposite, opposite_local, adjoints.opposite);
  const double area = sample.weight * value;
  const FlatVector a_adjoint = area * FlatVector({b[1], -b[0]}) + r[0] * x,
                   b_adjoint = area * FlatVector({-a[1], a[0]}) + r[1] * x;
  adjoints.polygon[0] += x - a_adjoint - b_adjoint;
  adjoints.polygon[i - 1] += a_adjoint;
  adjoints.polygon[i] += b_adjoint;
}

/// Adds what the adjoints of the moments contribute to the arguments of the function.
void reverse_segment(const TracedSegment &traced, Tape &tape) {
  std::array<SegmentMoments<double>, Tape::width> moments;
  std::array<SegmentAdjoints, Tape::width> adjoints;
  for (unsigned int result = 0; result < Tape::width; ++result) {
    moments[result] = traced.adjoints(tape, result);
    adjoints[result].polygon.resize(traced.segment.polygon.size());
  }
  for_each_sample(traced.segment, traced.carrier, traced.box,
                  [&](const TrianglePoint &triangle, const SamplePoint &sample) {
                    for (unsigned int result = 0; result < Tape::width; ++result)
                      reverse_sample(traced, moments[result], triangle, sample, adjoints[result]);
                  });
  for (unsigned int result = 0; result < Tape::width; ++result) {
    const auto add = [&](const FlatPolygon<Traced> &points, const auto &of_points) {
      for (std::size_t k = 0; k < points.size(); ++k)
        for (unsigned int d = 0; d < 2; ++d)
          tape.seed(points[k][d].index, result, of_points[k][d]);
    };
    add(traced.arguments.polygon, adjoints[result].polygon);
    add(traced.carrier_corners, adjoints[result].carrier);
    add(traced.arguments.opposite.corners, adjoints[result].opposite);
    for (std::size_t k = 0; k < 4; ++k)
      tape.seed(traced.bounds[k].index, result, adjoints[result].bounds[k]);
  }
}

} // namespace

SegmentMoments<double> segment_moments(const CommonPolygon<double> &segment,
                                       const Shadow<double> &carrier,
                                       const CoveredBox<double> &box) {
  SegmentMoments<double> moments;
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

SegmentMoments<Traced> segment_moments(const CommonPolygon<Traced> &segment,
                                       const Shadow<Traced> &carrier,
                                       const CoveredBox<Traced> &box) {
  const auto traced = std::make_shared<TracedSegment>(TracedSegment{
      {segment.facet, {}, value_of(segment.area), segment.gap, segment.opposite.values()},
      carrier.values(),
      box.values(),
      segment,
      carrier.corners,
      box.lower_bounds,
      {}});
  for (const auto &x : segment.polygon)
    traced->segment.polygon.push_back(values_of(x));
  const auto values = segment_moments(traced->segment, traced->carrier, traced->box);
  Tape::current().add_function([traced](Tape &tape) { reverse_segment(*traced, tape); });
  SegmentMoments<Traced> &results = traced->results;
  for (unsigned int k = 0; k < 4; ++k) {
    results.D[k] = Traced::variable(values.D[k]);
    for (unsigned int l = 0; l < 4; ++l) {
      results.M[k][l] = Traced::variable(values.M[k][l]);
      results.P[k][l] = Traced::variable(values.P[k][l]);
    }
  }
  return results;
}

template <typename Number>
CornerMatrix<Number> dual_shapes(const CornerWeights<Number> &D, CornerMatrix<Number> M,
                                 unsigned int n) {
  CornerMatrix<Number> inverse{};
  for (unsigned int i = 0; i < n; ++i)
    inverse[i][i] = 1.;
  for (unsigned int c = 0; c < n; ++c) { // Gauss-Jordan elimination
    unsigned int pivot = c;
    for (unsigned int r = c + 1; r < n; ++r)
      if (std::abs(value_of(M[r][c])) > std::abs(value_of(M[pivot][c])))
        pivot = r;
    std::swap(M[c], M[pivot]);
    std::swap(inverse[c], inverse[pivot]);
    const Number diagonal = M[c][c];
    for (unsigned int k = 0; k < n; ++k) {
      M[c][k] /= diagonal;
      inverse[c][k] /= diagonal;
    }
    for (unsigned int r = 0; r < n; ++r) {
      const Number factor = M[r][c];
      for (unsigned int k = 0; r != c && k < n; ++k) {
        M[r][k] -= factor * M[c][k];
        inverse[r][k] -= factor * inverse[c][k];
      }
    }
  }
  for (unsigned int i = 0; i < n; ++i)
    for (Number &entry : inverse[i])
      entry *= D[i];
  return inverse;
}

template CornerMatrix<double> dual_shapes(const CornerWeights<double> &, CornerMatrix<double>,
                                          unsigned int);
template CornerMatrix<Traced> dual_shapes(const CornerWeights<Traced> &, CornerMatrix<Traced>,
                                          unsigned int);

} // namespace percussion
