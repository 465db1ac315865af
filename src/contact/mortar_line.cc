#include "mortar_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Point of a carrier edge at which a section begins or ends.
struct Break {
  double xi;
  unsigned int point; ///< opposite point that the normal goes through; `no_point` at ends of edges
};

/// Adds the breaks within the edge at which the normal goes through an opposite point y:
/// (x(ξ) − y) × n(ξ) = 0.
void add_projections(const CarrierEdge &edge, const Polyline &opposite, unsigned int point,
                     std::vector<Break> &breaks) {
  const LineVector begin_offset = edge.begin - opposite.points[point];
  const double c = cross_product(begin_offset, edge.normal),
               a = cross_product(edge.edge_vector, edge.turn);
  const double b =
      cross_product(edge.edge_vector, edge.normal) + cross_product(begin_offset, edge.turn);
  const double discriminant = b * b - 4. * a * c;
  if (discriminant < 0.)
    return;
  const double root = std::sqrt(discriminant);
  const double q = -.5 * (b + (std::signbit(b) ? -root : root));
  const auto add_quotient = [&](double numerator, double denominator) {
    if (!(std::abs(numerator) < std::abs(denominator))) // a is 0 on straight boundaries
      return;
    if (const double xi = numerator / denominator; xi > 0. && xi < 1.)
      breaks.push_back({xi, point});
  };
  add_quotient(c, q);
  add_quotient(q, a);
}

/// Returns the nearest facet in front of a point of a carrier edge; `no_edge` if there is none.
unsigned int facet_in_front(const CarrierEdge &edge, double xi, const Polyline &opposite,
                            const std::vector<unsigned int> &facets, const MortarRange &range) {
  unsigned int nearest = no_edge;
  double distance = std::numeric_limits<double>::infinity();
  for (const unsigned int facet : facets) {
    const Foot f = foot(edge, xi, opposite, facet);
    // The values are not numbers if a normal is parallel to the facet; comparisons are then false.
    if (!(f.eta >= 0. && f.eta <= 1. && f.gap >= -range.depth && f.gap <= range.reach &&
          std::abs(f.gap) < distance))
      continue;
    distance = std::abs(f.gap);
    nearest = facet;
  }
  return nearest;
}

/// Returns the ends of the edge and the breaks in between, in ascending order.
std::vector<Break> breaks_of(const CarrierEdge &edge, const Polyline &opposite,
                             const std::vector<unsigned int> &facets) {
  std::vector<Break> breaks;
  breaks.reserve(2 * facets.size() + 2);
  breaks.push_back({0., no_point});
  breaks.push_back({1., no_point});
  for (const unsigned int facet : facets)
    for (const unsigned int point : opposite.edges[facet])
      if (std::none_of(breaks.begin(), breaks.end(),
                       [&](const Break &known) { return known.point == point; }))
        add_projections(edge, opposite, point, breaks);
  std::sort(breaks.begin(), breaks.end(),
            [](const Break &a, const Break &b) { return a.xi < b.xi; });
  breaks.erase(std::unique(breaks.begin(), breaks.end(),
                           [](const Break &a, const Break &b) { return a.xi == b.xi; }),
               breaks.end());
  return breaks;
}

} // namespace

CarrierLine::CarrierLine(const Polyline &polyline, double corner)
    : line(polyline), joined(polyline.edges.size(), {no_edge, no_edge}) {
  std::vector<unsigned int> ending(line.points.size(), no_edge), beginning = ending;
  edge_normals.reserve(line.edges.size());
  for (unsigned int e = 0; e < line.edges.size(); ++e) {
    edge_normals.push_back(normal_of(line.edge_vector(e)));
    beginning[line.edges[e][0]] = ending[line.edges[e][1]] = e;
  }
  for (std::size_t p = 0; p < line.points.size(); ++p) {
    const unsigned int incoming = ending[p], outgoing = beginning[p];
    if (incoming == no_edge || outgoing == no_edge ||
        !(edge_normals[incoming] * edge_normals[outgoing] > corner))
      continue;
    joined[incoming][1] = outgoing;
    joined[outgoing][0] = incoming;
  }
}

Foot foot(const CarrierEdge &edge, double xi, const Polyline &opposite, unsigned int facet) {
  const LineVector n = edge.direction(xi), edge_vector = opposite.edge_vector(facet);
  const LineVector to_facet = opposite.points[opposite.edges[facet][0]] - edge.point_at(xi);
  const double eta = -cross_product(to_facet, n) / cross_product(edge_vector, n);
  return {eta, (to_facet + eta * edge_vector) * n / n.norm()};
}

CutEdge cut_segments(const CarrierEdge &edge, const Polyline &opposite,
                     const std::vector<unsigned int> &facets, const MortarRange &range) {
  const std::vector<Break> breaks = breaks_of(edge, opposite, facets);
  const double length = edge.edge_vector.norm();
  std::vector<Segment<double>> segments;
  std::vector<SectionDistance> sections;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const std::array<Break, 2> ends = {breaks[i], breaks[i + 1]};
    const unsigned int facet =
        facet_in_front(edge, .5 * (ends[0].xi + ends[1].xi), opposite, facets, range);
    if (facet == no_edge)
      continue;
    const std::array<Foot, 2> feet = {foot(edge, ends[0].xi, opposite, facet),
                                      foot(edge, ends[1].xi, opposite, facet)};
    segments.push_back({{ends[0].xi, ends[1].xi},
                        {std::clamp(feet[0].eta, 0., 1.), std::clamp(feet[1].eta, 0., 1.)},
                        facet,
                        {ends[0].point, ends[1].point}});
    sections.push_back({{ends[0].xi, ends[1].xi},
                        {distance_of(feet[0].gap, length), distance_of(feet[1].gap, length)}});
  }
  if (segments.empty())
    return {};
  const std::vector<char> is_hidden = hidden_sections(sections, length);
  const SectionDistance &first = sections.front(), &last = sections.back();
  const std::array<CornerSection, 2> ends = {
      {{first.distance[0], first.xi[0] * length, is_hidden.front() != 0},
       {last.distance[1], (1. - last.xi[1]) * length, is_hidden.back() != 0}}};
  remove_hidden(is_hidden, segments);
  return {std::move(segments), ends};
}

} // namespace percussion
