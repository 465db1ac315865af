// Geometry of mortar contacts of lines: opposed sections of edges.

#pragma once

#include <percussion/contact/mortar.h>

#include "cross_product.h"
#include "hidden_sections.h"
#include "multiplier_shapes.h"
#include <limits>

namespace percussion {

constexpr unsigned int no_edge = std::numeric_limits<unsigned int>::max();
constexpr unsigned int no_point = no_edge;

using LineVector = dealii::Tensor<1, 2>;

/// Returns the unit normal to the right of an edge.
inline LineVector normal_of(const LineVector &edge_vector) {
  return LineVector({edge_vector[1], -edge_vector[0]}) / edge_vector.norm();
}

/// Carrier line with the normals and the neighbours of its edges.
struct CarrierLine {
  const Polyline &line;
  std::vector<LineVector> edge_normals;
  /// Edges with which the edges form smooth points, at both ends; `no_edge` at the ends of the line
  /// and at corners.
  std::vector<std::array<unsigned int, 2>> joined;

  /// Stores a reference. `corner`: MortarRange::corner.
  CarrierLine(const Polyline &polyline, double corner);

  /// Returns the normal at an end of an edge: the mean of both neighbouring normals at smooth
  /// points.
  LineVector normal_at_end(unsigned int edge, unsigned int end) const {
    const LineVector &own = edge_normals[edge];
    const unsigned int neighbour = joined[edge][end];
    if (neighbour == no_edge)
      return own;
    const LineVector &normal = edge_normals[neighbour];
    // The order of the summands is that along the line.
    const LineVector sum = end == 0 ? normal + own : own + normal;
    return sum / sum.norm();
  }
  /// Returns the normal of the contact at an end of an edge, or of the quadrature point next to it.
  LineVector contact_normal(unsigned int edge, unsigned int end, MortarFunctions functions) const {
    if (functions == MortarFunctions::dual)
      return normal_at_end(edge, end);
    const LineVector n = first_gauss_point * normal_at_end(edge, 1 - end) +
                         (1. - first_gauss_point) * normal_at_end(edge, end);
    return n / n.norm();
  }
};

/// Carrier edge with points x(ξ) and directions n(ξ), both linear in ξ ∈ [0, 1].
struct CarrierEdge {
  dealii::Point<2> begin;
  LineVector edge_vector, normal, turn;

  CarrierEdge(const CarrierLine &carrier, unsigned int edge)
      : begin(carrier.line.points[carrier.line.edges[edge][0]]),
        edge_vector(carrier.line.edge_vector(edge)), normal(carrier.normal_at_end(edge, 0)),
        turn(carrier.normal_at_end(edge, 1) - normal) {}
  dealii::Point<2> point_at(double xi) const { return begin + xi * edge_vector; }
  LineVector direction(double xi) const { return normal + xi * turn; }
};

/// Intersection of the line along the carrier's normal at ξ with the line of an opposite edge.
struct Foot {
  /// Coordinate on the line of the opposite edge, from 0 to 1 on the edge; distance [length].
  double eta, gap;
};

/// Returns the foot of the normal at ξ on an opposite edge; its values are not numbers if the
/// normal is parallel to the edge.
Foot foot(const CarrierEdge &edge, double xi, const Polyline &opposite, unsigned int facet);

/// Section of a carrier edge with the section of one opposite edge in front of it.
template <typename Number>
struct Segment {
  std::array<Number, 2> xi, eta;
  unsigned int facet;
  /// Opposite points that the normals at both ends go through; `no_point` at ends of the edge.
  std::array<unsigned int, 2> points{no_point, no_point};
};

/// Segments of a carrier edge.
struct CutEdge {
  std::vector<Segment<double>> segments;
  std::array<CornerSection, 2> ends; ///< sections at both ends of the edge, if there are any
};

/// Returns the segments of a carrier edge, cut at the normals through ends of opposite edges.
CutEdge cut_segments(const CarrierEdge &edge, const Polyline &opposite,
                     const std::vector<unsigned int> &facets, const MortarRange &range);

} // namespace percussion
