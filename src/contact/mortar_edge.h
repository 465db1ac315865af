// Integrals of the functions of multipliers over the covered section of an edge.

#pragma once

#include "mortar_line.h"
#include <utility>

namespace percussion {

/// Integrals of an edge or of the edges of a carrier point for one contact.
template <typename Number>
struct EdgeIntegrals {
  Number area = 0.;
  Number own_area = 0.; ///< contribution to `area` of edges that are covered completely
  /// Integrals of φ and the carrier's shape functions on partly covered edges.
  NumberWeights<Number> carrier;
  NumberWeights<Number> opposite;
  NumberWeights<Number> covered_facets; ///< facets and the length of edges in front [length]
};

/// Covered section of a carrier edge, from ξ = low to high; ζ goes from 0 to 1 on it.
template <typename Number>
struct CoveredEdge {
  std::vector<Segment<Number>> segments;
  Number length;                               ///< length of the entire edge
  std::array<Number, 2> weights;               ///< weights of integrals at both ends of the edge
  Number low = 1., high = 0.;                  ///< bounds of ξ; points in between may be uncovered
  Number covered = 0.;                         ///< covered fraction of the edge
  Number measure = 0.;                         ///< ∫ weight dξ over the covered points
  Number mean = 0.;                            ///< weighted mean of ζ over the covered points
  std::array<unsigned int, 2> nodes;           ///< carrier points at both ends
  std::array<EdgeIntegrals<Number> *, 2> sums; ///< sums of both ends, or of quadrature points

  CoveredEdge(std::vector<Segment<Number>> edge_segments, const Number &edge_length,
              const std::array<Number, 2> &edge_weights,
              const std::array<unsigned int, 2> &edge_nodes,
              const std::array<EdgeIntegrals<Number> *, 2> &edge_sums)
      : segments(std::move(edge_segments)), length(edge_length), weights(edge_weights),
        nodes(edge_nodes), sums(edge_sums) {
    for (const auto &s : segments) {
      low = std::min(low, s.xi[0]);
      high = std::max(high, s.xi[1]);
    }
    low = low < round_off_of_cover ? Number(0.) : low;
    high = high > 1. - round_off_of_cover ? Number(1.) : high;
    for (const auto &s : segments) {
      const Number size = s.xi[1] - s.xi[0];
      covered += size;
      mean += size * .5 * (zeta(s.xi[0]) + zeta(s.xi[1]));
    }
    measure = covered;
    mean /= covered;
    if (is_weighted()) {
      measure = weighted_integral([](const Number &) { return Number(1.); });
      mean = weighted_integral([](const Number &position) { return position; }) / measure;
    }
  }
  /// True for the circumferences of a body of revolution; plane bodies have closed forms.
  bool is_weighted() const { return weights[0] != 1. || weights[1] != 1.; }
  Number weight_at(const Number &xi) const { return weights[0] + xi * (weights[1] - weights[0]); }
  /// Returns ∫ f(ζ) weight dξ over the covered points by Simpson's rule, exact for quadratic f.
  template <typename Function>
  Number weighted_integral(const Function &f) const {
    Number sum = 0.;
    for (const auto &[xi, eta, facet, points] : segments) {
      const Number middle = .5 * (xi[0] + xi[1]);
      sum += (xi[1] - xi[0]) / 6. *
             (weight_at(xi[0]) * f(zeta(xi[0])) + 4. * weight_at(middle) * f(zeta(middle)) +
              weight_at(xi[1]) * f(zeta(xi[1])));
    }
    return sum;
  }
  Number zeta(const Number &xi) const { return (xi - low) / (high - low); }
  Number mean_xi() const { return low + (high - low) * mean; }
  bool is_whole() const { return covered >= 1. - round_off_of_cover; }
  DualShapesOf<Number> dual_shapes() const {
    Number variance = 0.;
    for (const auto &s : segments) {
      const Number size = s.xi[1] - s.xi[0], a = zeta(s.xi[0]) - mean, b = zeta(s.xi[1]) - mean;
      variance += size * (a * a + a * b + b * b) / (3. * covered);
    }
    if (is_weighted())
      variance =
          weighted_integral([&](const Number &x) { return (x - mean) * (x - mean); }) / measure;
    return {mean, variance};
  }
  /// Returns the integral of the shape function of an end of the covered section [length × weight].
  Number area(unsigned int end) const { return length * measure * (end == 0 ? 1. - mean : mean); }
};

/// Adds the force at one end of the covered section to the carrier weights of a sum.
template <typename Number>
void add_carrier(const CoveredEdge<Number> &edge, unsigned int sum_index, unsigned int end,
                 const Number &force) {
  auto &carrier = edge.sums[sum_index]->carrier;
  const Number &xi = end == 0 ? edge.low : edge.high;
  carrier.emplace_back(edge.nodes[0], (1. - xi) * force);
  carrier.emplace_back(edge.nodes[1], xi * force);
}

/// Returns the mixed shapes of the multipliers of an edge.
template <typename Number>
PartialShapes<2, Number> shapes_of(const CoveredEdge<Number> &edge) {
  return edge.is_whole() ? PartialShapes<2, Number>::full_support()
                         : partial_shapes<2, Number>(edge.covered / (edge.high - edge.low),
                                                     {1. - edge.mean_xi(), edge.mean_xi()}, 2);
}

/// Calls function(s, ζ, η, weight) for the points of integration of an edge. On a segment s, ξ and
/// η depend linearly on each other, so that two Gauss points are exact, also for the weight of a
/// body of revolution.
template <typename Number, typename Function>
void for_each_sample(const CoveredEdge<Number> &edge, const Function &function) {
  for (const auto &s : edge.segments)
    for (const double gauss : {.5 - std::sqrt(1. / 12.), .5 + std::sqrt(1. / 12.)}) {
      const Number xi = (1. - gauss) * s.xi[0] + gauss * s.xi[1];
      function(s, edge.zeta(xi), (1. - gauss) * s.eta[0] + gauss * s.eta[1],
               .5 * (s.xi[1] - s.xi[0]) * edge.length * edge.weight_at(xi));
    }
}

/// Adds ∫φ N of the segments of an edge for both multipliers, at one point of integration.
template <typename Number>
void add_opposite(const CoveredEdge<Number> &edge, const std::array<unsigned int, 2> &opposite,
                  const Number &eta, const std::array<Number, 2> &forces) {
  for (unsigned int j = 0; j < 2; ++j) {
    edge.sums[j]->opposite.emplace_back(opposite[0], forces[j] * (1. - eta));
    edge.sums[j]->opposite.emplace_back(opposite[1], forces[j] * eta);
  }
}

template <typename Number>
void add_covered_facets(const CoveredEdge<Number> &edge) {
  for (auto *const sum : edge.sums)
    for (const auto &s : edge.segments)
      sum->covered_facets.emplace_back(s.facet, edge.length * (s.xi[1] - s.xi[0]));
}

/// Adds the integrals of the dual functions of both ends of an edge.
template <typename Number>
void integrate_dual(const CoveredEdge<Number> &edge, const Polyline &opposite) {
  const DualShapesOf<Number> dual = edge.dual_shapes();
  const auto &sums = edge.sums;
  const bool is_whole = edge.is_whole();
  const auto shapes = shapes_of(edge);
  const Number &alpha = shapes.alpha;
  for_each_sample(edge, [&](const Segment<Number> &s, const Number &zeta, const Number &eta,
                            const Number &weight) {
    auto phi = dual(zeta);
    if (!is_whole) {
      const std::array<Number, 2> M = {1. - zeta, zeta};
      for (unsigned int k = 0; k < 2; ++k)
        phi[k] = (1. - alpha) * phi[k] + alpha * M[k];
      phi = shapes.passed(phi);
      for (unsigned int j = 0; j < 2 && alpha > 0.; ++j)
        for (unsigned int k = 0; k < 2; ++k)
          add_carrier<Number>(edge, j, k, weight * alpha * shapes.passed(M)[j] * M[k]);
    }
    add_opposite<Number>(edge, opposite.edges[s.facet], eta, {weight * phi[0], weight * phi[1]});
  });
  for (unsigned int j = 0; j < 2; ++j) {
    if (is_whole) {
      sums[j]->area += edge.area(j);
      sums[j]->own_area += edge.area(j);
    }
    for (unsigned int k = 0; k < 2 && !is_whole; ++k) {
      sums[j]->area += shapes.T[j][k] * edge.area(k);
      add_carrier<Number>(edge, j, k, (1. - alpha) * shapes.T[j][k] * edge.area(k));
    }
  }
  add_covered_facets(edge);
}

/// Adds the integrals of the Lagrange functions of the quadrature points of an edge. If the edge is
/// partly covered, the points belong to the covered section.
template <typename Number>
void integrate_points(const CoveredEdge<Number> &edge, const Polyline &opposite) {
  const auto shapes = shapes_of(edge);
  for_each_sample(edge, [&](const Segment<Number> &s, const Number &zeta, const Number &eta,
                            const Number &weight) {
    const std::array<Number, 2> M = {1. - zeta, zeta};
    auto phi = gauss_functions(zeta);
    for (unsigned int k = 0; k < 2; ++k)
      phi[k] = (1. - shapes.alpha) * phi[k] + shapes.alpha * M[k];
    phi = shapes.passed(phi);
    for (unsigned int j = 0; j < 2; ++j) {
      edge.sums[j]->area += weight * phi[j];
      for (unsigned int k = 0; k < 2; ++k)
        add_carrier<Number>(edge, j, k, weight * phi[j] * M[k]);
    }
    add_opposite<Number>(edge, opposite.edges[s.facet], eta, {weight * phi[0], weight * phi[1]});
  });
  add_covered_facets(edge);
}

/// Adds the integrals of an edge to the sums of both its ends, or of its quadrature points.
template <typename Number>
void integrate(const CoveredEdge<Number> &edge, const Polyline &opposite,
               MortarFunctions functions) {
  functions == MortarFunctions::dual ? integrate_dual(edge, opposite)
                                     : integrate_points(edge, opposite);
}

} // namespace percussion
