#include "facet_moments.h"

#include <deal.II/base/quadrature_lib.h>

#include "cross_product.h"
#include "multiplier_shapes.h"
#include <algorithm>
#include <cmath>

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
  double weight;               ///< weight [length²]
  FlatPoint carrier, opposite; ///< local coordinates in both facets
  CornerWeights N, O;          ///< shape functions of the box and of the opposite facet
};

/// Calls function(sample) for the points of integration.
template <typename Function>
void for_each_sample(const CommonPolygon &segment, const Shadow &carrier, const CoveredBox &box,
                     const Function &function) {
  const dealii::Quadrature<2> &rule = rule_for(carrier, segment.opposite);
  const FlatPolygon &polygon = segment.polygon;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const FlatVector a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
    const double twice_area = cross_product(a, b);
    for (unsigned int k = 0; k < rule.size(); ++k) {
      const dealii::Point<2> &r = rule.point(k);
      const FlatPoint x = polygon[0] + r[0] * a + r[1] * b;
      SamplePoint sample{
          rule.weight(k) * twice_area, carrier.local(x), segment.opposite.local(x), {}, {}};
      sample.N = box.shapes(carrier.shapes(sample.carrier));
      sample.O = segment.opposite.shapes(sample.opposite);
      function(sample);
    }
  }
}

double product(const CornerWeights &a, const CornerWeights &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Returns the derivatives of the shape functions with respect to the position in the plane.
CornerGradients shape_gradients(const Shadow &facet, const FlatPoint &local) {
  const auto [u, v] = facet.tangents(local);
  const double det = cross_product(u, v), s = local[0], t = local[1];
  const FlatVector along_s({v[1] / det, -v[0] / det}), along_t({-u[1] / det, u[0] / det});
  if (facet.corners.size() == 3)
    return {-along_s - along_t, along_s, along_t, FlatVector()};
  return {-(1. - t) * along_s - (1. - s) * along_t, (1. - t) * along_s - s * along_t,
          t * along_s + s * along_t, -t * along_s + (1. - s) * along_t};
}

/// Adds what a point of integration contributes to the derivatives of an integral.
void add_sample(const FacetIntegrand &f, const SamplePoint &sample,
                const CornerGradients &N_gradients, const CornerGradients &O_gradients,
                SegmentGradients &gradients) {
  const double a = product(f.a, sample.N);
  const double value = a * (product(f.c, sample.N) + product(f.o, sample.O)) +
                       product(f.delta, sample.N) + f.constant;
  FlatVector slope; // of the function, if the point moves relative to the opposite facet
  for (unsigned int l = 0; l < 4; ++l)
    slope += sample.weight * a * f.o[l] * O_gradients[l];
  for (unsigned int k = 0; k < 4; ++k) {
    gradients.carrier[k] += sample.weight * value * N_gradients[k] + sample.N[k] * slope;
    gradients.opposite[k] -= sample.O[k] * slope;
  }
}

/// True if a point is on an edge of a facet, up to round-off.
bool is_on_edge(const Shadow &facet, const FlatPoint &x) {
  constexpr double round_off = 1e-9;
  const FlatPoint local = facet.local(x);
  const double s = local[0], t = local[1];
  return std::min({s, t, facet.corners.size() == 3 ? 1. - s - t : std::min(1. - s, 1. - t)}) <
         round_off;
}

/// Calls function(N, O, normal) for the points of integration on the edges of the opposite facet
/// within the carrier facet, with the outward normal times the weight.
template <typename Function>
void for_each_edge_point(const CommonPolygon &segment, const Shadow &carrier,
                         const Function &function) {
  const FlatPolygon &polygon = segment.polygon;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const FlatVector edge = polygon[(i + 1) % polygon.size()] - polygon[i];
    if (is_on_edge(carrier, polygon[i] + .5 * edge))
      continue;
    for (const double position : {first_gauss_point, 1. - first_gauss_point}) {
      const FlatPoint x = polygon[i] + position * edge;
      function(carrier.weights(x), segment.opposite.weights(x),
               FlatVector({.5 * edge[1], -.5 * edge[0]}));
    }
  }
}

} // namespace

std::array<SegmentGradients, 4>
differentiate_segment(const CommonPolygon &segment, const Shadow &carrier,
                      const std::array<FacetIntegrand, 4> &functions, std::size_t n) {
  std::array<SegmentGradients, 4> gradients{};
  for_each_sample(segment, carrier, CoveredBox(), [&](const SamplePoint &sample) {
    const auto N_gradients = shape_gradients(carrier, sample.carrier),
               O_gradients = shape_gradients(segment.opposite, sample.opposite);
    for (std::size_t j = 0; j < n; ++j)
      add_sample(functions[j], sample, N_gradients, O_gradients, gradients[j]);
  });
  for_each_edge_point(
      segment, carrier,
      [&](const CornerWeights &N, const CornerWeights &O, const FlatVector &normal) {
        for (std::size_t j = 0; j < n; ++j)
          for (unsigned int k = 0; k < 4; ++k) {
            gradients[j].carrier[k] -= functions[j].constant * N[k] * normal;
            gradients[j].opposite[k] += functions[j].constant * O[k] * normal;
          }
      });
  return gradients;
}

SegmentMoments segment_moments(const CommonPolygon &segment, const Shadow &carrier,
                               const CoveredBox &box) {
  SegmentMoments moments;
  for_each_sample(segment, carrier, box, [&](const SamplePoint &sample) {
    for (unsigned int k = 0; k < 4; ++k) {
      const double N = sample.weight * sample.N[k];
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
