// Geometry of mortar contacts of lines: opposed sections of edges, their gaps and their functions.
// All lengths and coordinates are of a type of numbers, so that gaps and their derivatives come
// from the same code.

#pragma once

#include <percussion/contact/mortar.h>

#include "coordinates.h"
#include "cross_product.h"
#include "hidden_sections.h"
#include "multiplier_shapes.h"
#include <limits>

namespace percussion {

constexpr unsigned int no_edge = std::numeric_limits<unsigned int>::max();

template <typename Number>
using LineVector = dealii::Tensor<1, 2, Number>;

/// Line with the positions of its points.
template <typename Number>
struct PlacedLine {
  const Polyline &line;
  Coordinates<2, Number> points;

  explicit PlacedLine(const Polyline &polyline) : line(polyline), points(polyline.points) {}

  /// Returns the second point of an edge minus the first.
  LineVector<Number> edge_vector(unsigned int edge) const {
    return points[line.edges[edge][1]] - points[line.edges[edge][0]];
  }
  LineVector<Number> edge_normal(unsigned int edge) const {
    const LineVector<Number> vector = edge_vector(edge);
    LineVector<Number> normal;
    normal[0] = vector[1];
    normal[1] = -vector[0];
    return normal / norm_of(vector);
  }
  /// Returns Polyline::weights().
  std::array<Number, 2> weights(unsigned int edge) const {
    return {weight(line.edges[edge][0]), weight(line.edges[edge][1])};
  }
  Number weight(unsigned int point) const {
    return line.is_axisymmetric ? 2. * dealii::numbers::PI * points[point][0] : Number(1.);
  }
};

/// Edges with which the edges of a line form smooth points, at both ends; `no_edge` at the ends of
/// the line and at corners.
using JoinedEdges = std::vector<std::array<unsigned int, 2>>;

/// Returns the normal at an end of an edge: the mean of both neighbouring normals at smooth points.
template <typename Number>
LineVector<Number> normal_at_end(const PlacedLine<Number> &line, const JoinedEdges &joined,
                                 unsigned int edge, unsigned int end) {
  const LineVector<Number> own = line.edge_normal(edge);
  const unsigned int neighbour = joined[edge][end];
  if (neighbour == no_edge)
    return own;
  const LineVector<Number> normal = line.edge_normal(neighbour);
  // The order of the summands is that along the line.
  const LineVector<Number> sum = end == 0 ? normal + own : own + normal;
  return sum / norm_of(sum);
}

/// Returns the normal of the contact at an end of an edge, or of the quadrature point next to it.
template <typename Number>
LineVector<Number> contact_normal(const PlacedLine<Number> &line, const JoinedEdges &joined,
                                  unsigned int edge, unsigned int end, MortarFunctions functions) {
  if (functions == MortarFunctions::dual)
    return normal_at_end(line, joined, edge, end);
  const LineVector<Number> n =
      Number(first_gauss_point) * normal_at_end(line, joined, edge, 1 - end) +
      Number(1. - first_gauss_point) * normal_at_end(line, joined, edge, end);
  return n / norm_of(n);
}

/// Carrier edge with points x(ξ) and directions n(ξ), both linear in ξ ∈ [0, 1].
template <typename Number>
struct CarrierEdge {
  dealii::Point<2, Number> begin;
  LineVector<Number> edge_vector, normal, turn;

  CarrierEdge(const PlacedLine<Number> &line, const JoinedEdges &joined, unsigned int edge)
      : begin(line.points[line.line.edges[edge][0]]), edge_vector(line.edge_vector(edge)),
        normal(normal_at_end(line, joined, edge, 0)),
        turn(normal_at_end(line, joined, edge, 1) - normal) {}
  CarrierEdge() = default;
  /// Returns the edge without derivatives.
  CarrierEdge<double> values() const {
    CarrierEdge<double> edge;
    for (unsigned int d = 0; d < 2; ++d) {
      edge.begin[d] = value_of(begin[d]);
      edge.edge_vector[d] = value_of(edge_vector[d]);
      edge.normal[d] = value_of(normal[d]);
      edge.turn[d] = value_of(turn[d]);
    }
    return edge;
  }
  dealii::Point<2, Number> point_at(const Number &xi) const { return begin + xi * edge_vector; }
  LineVector<Number> direction(const Number &xi) const { return normal + xi * turn; }
};

/// Intersection of the line along the carrier's normal at ξ with the line of an opposite edge.
template <typename Number>
struct Foot {
  /// Coordinate on the line of the opposite edge, from 0 to 1 on the edge; distance [length].
  Number eta, gap;
};

template <typename Number>
Foot<Number> foot(const CarrierEdge<Number> &edge, const Number &xi,
                  const PlacedLine<Number> &opposite, unsigned int facet) {
  const LineVector<Number> n = edge.direction(xi), edge_vector = opposite.edge_vector(facet);
  const LineVector<Number> to_facet =
      opposite.points[opposite.line.edges[facet][0]] - edge.point_at(xi);
  const Number eta = -cross_product(to_facet, n) / cross_product(edge_vector, n);
  return {eta, (to_facet + eta * edge_vector) * n / norm_of(n)};
}

/// Adds the ξ within the edge at which the normal goes through y: (x(ξ) − y) × n(ξ) = 0.
template <typename Number>
void add_projections(const CarrierEdge<Number> &edge, const dealii::Point<2, Number> &y,
                     std::vector<Number> &breaks) {
  using std::abs;
  using std::sqrt;
  const LineVector<Number> begin_offset = edge.begin - y;
  const Number c = cross_product(begin_offset, edge.normal),
               a = cross_product(edge.edge_vector, edge.turn);
  const Number b =
      cross_product(edge.edge_vector, edge.normal) + cross_product(begin_offset, edge.turn);
  const Number discriminant = b * b - 4. * a * c;
  if (discriminant < 0.)
    return;
  const Number root = sqrt(discriminant);
  const Number q = -.5 * (b + (std::signbit(value_of(b)) ? -root : root));
  const auto add_quotient = [&](const Number &numerator, const Number &denominator) {
    if (!(abs(numerator) < abs(denominator))) // a is 0 on straight boundaries
      return;
    if (const Number xi = numerator / denominator; xi > 0. && xi < 1.)
      breaks.push_back(xi);
  };
  add_quotient(c, q);
  add_quotient(q, a);
}

/// Section of a carrier edge with the section of one opposite edge in front of it.
template <typename Number>
struct Segment {
  std::array<Number, 2> xi, eta;
  unsigned int facet;
};

/// Returns the nearest facet in front of a point of a carrier edge; `no_edge` if there is none.
inline unsigned int facet_in_front(const CarrierEdge<double> &edge, double xi,
                                   const PlacedLine<double> &opposite,
                                   const std::vector<unsigned int> &facets,
                                   const MortarRange &range) {
  unsigned int nearest = no_edge;
  double distance = std::numeric_limits<double>::infinity();
  for (const unsigned int facet : facets) {
    const Foot<double> f = foot(edge, xi, opposite, facet);
    // The values are not numbers if a normal is parallel to the facet; comparisons are then false.
    if (!(f.eta >= 0. && f.eta <= 1. && f.gap >= -range.depth && f.gap <= range.reach &&
          std::abs(f.gap) < distance))
      continue;
    distance = std::abs(f.gap);
    nearest = facet;
  }
  return nearest;
}

/// Returns 0, 1, and the ξ in between at which the normal goes through ends of opposite edges, in
/// ascending order.
template <typename Number>
std::vector<Number> breaks_of(const CarrierEdge<Number> &edge, const PlacedLine<Number> &opposite,
                              const std::vector<unsigned int> &facets) {
  const CarrierEdge<double> edge_values = edge.values();
  std::vector<double> candidates;
  std::vector<Number> breaks = {0., 1.};
  for (const unsigned int facet : facets)
    for (const unsigned int point : opposite.line.edges[facet]) {
      candidates.clear();
      add_projections(edge_values, opposite.line.points[point], candidates);
      if (!candidates.empty())
        add_projections<Number>(edge, opposite.points[point], breaks);
    }
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  return breaks;
}

/// Returns the gap at the beginning or end of a segment.
template <typename Number>
double gap_at_end(const CarrierEdge<double> &edge, const Segment<Number> &segment, unsigned int end,
                  const PlacedLine<double> &opposite) {
  return foot(edge, value_of(segment.xi[end]), opposite, segment.facet).gap;
}

/// Segments of a carrier edge.
template <typename Number>
struct CutEdge {
  std::vector<Segment<Number>> segments;
  std::array<CornerSection, 2> ends; ///< sections at both ends of the edge, if there are any
};

/// Returns the segments of a carrier edge, cut at the normals through ends of opposite edges.
template <typename Number>
CutEdge<Number> cut_segments(const CarrierEdge<Number> &edge, const PlacedLine<Number> &opposite,
                             const std::vector<unsigned int> &facets, const MortarRange &range) {
  const std::vector<Number> breaks = breaks_of(edge, opposite, facets);
  const CarrierEdge<double> edge_values = edge.values();
  const PlacedLine<double> opposite_values(opposite.line);
  std::vector<Segment<Number>> segments;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double middle = .5 * (value_of(breaks[i]) + value_of(breaks[i + 1]));
    const unsigned int facet = facet_in_front(edge_values, middle, opposite_values, facets, range);
    if (facet == no_edge)
      continue;
    const auto eta_at = [&](const Number &xi) {
      return std::clamp<Number>(foot(edge, xi, opposite, facet).eta, 0., 1.);
    };
    segments.push_back(
        {{breaks[i], breaks[i + 1]}, {eta_at(breaks[i]), eta_at(breaks[i + 1])}, facet});
  }
  if (segments.empty())
    return {};
  const double length = edge_values.edge_vector.norm();
  std::vector<SectionDistance> sections;
  for (const auto &s : segments) {
    const auto distance_at = [&](unsigned int end) {
      return distance_of(gap_at_end(edge_values, s, end, opposite_values), length);
    };
    sections.push_back({{value_of(s.xi[0]), value_of(s.xi[1])}, {distance_at(0), distance_at(1)}});
  }
  const std::vector<char> is_hidden = hidden_sections(sections, length);
  const SectionDistance &first = sections.front(), &last = sections.back();
  const std::array<CornerSection, 2> ends = {
      {{first.distance[0], first.xi[0] * length, is_hidden.front() != 0},
       {last.distance[1], (1. - last.xi[1]) * length, is_hidden.back() != 0}}};
  remove_hidden(is_hidden, segments);
  return {std::move(segments), ends};
}

} // namespace percussion
