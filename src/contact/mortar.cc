#include <percussion/contact/mortar.h>

#include "cross_product.h"
#include "hidden_sections.h"
#include "multiplier_shapes.h"
#include "self_contact.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;
using Weight = std::pair<unsigned int, double>;

constexpr unsigned int no_edge = std::numeric_limits<unsigned int>::max();
/// Lower bound of minus the cosine between opposed normals.
constexpr double least_opposition = 0.6;
constexpr double least_cover = 1e-9; ///< fraction of an edge below which cover is round-off

Tensor edge_normal(const Polyline &line, unsigned int edge) {
  const Tensor edge_vector = line.edge_vector(edge);
  return Tensor({edge_vector[1], -edge_vector[0]}) / edge_vector.norm();
}

/// Carrier edge with points x(ξ) and directions n(ξ), both linear in ξ ∈ [0, 1].
struct CarrierEdge {
  Point begin;
  Tensor edge_vector, normal, turn;

  Point point_at(double xi) const { return begin + xi * edge_vector; }
  Tensor direction(double xi) const { return normal + xi * turn; }
};

/// Intersection of the line along the carrier's normal at ξ with the line of an opposite edge.
struct Foot {
  /// Coordinate on the line of the opposite edge, from 0 to 1 on the edge; distance [length].
  double eta, gap;
};

Foot foot(const CarrierEdge &edge, double xi, const Polyline &opposite, unsigned int facet) {
  const Tensor n = edge.direction(xi), edge_vector = opposite.edge_vector(facet);
  const Tensor to_facet = opposite.points[opposite.edges[facet][0]] - edge.point_at(xi);
  const double eta = -cross_product(to_facet, n) / cross_product(edge_vector, n);
  return {eta, (to_facet + eta * edge_vector) * n / n.norm()};
}

/// Adds the ξ within the edge at which the normal goes through y: (x(ξ) − y) × n(ξ) = 0.
void add_projections(const CarrierEdge &edge, const Point &y, std::vector<double> &breaks) {
  const Tensor begin_offset = edge.begin - y;
  const double c = cross_product(begin_offset, edge.normal),
               a = cross_product(edge.edge_vector, edge.turn);
  const double b =
      cross_product(edge.edge_vector, edge.normal) + cross_product(begin_offset, edge.turn);
  const double discriminant = b * b - 4. * a * c;
  if (discriminant < 0.)
    return;
  const double q = -.5 * (b + std::copysign(std::sqrt(discriminant), b));
  const auto add_quotient = [&](double numerator, double denominator) {
    if (!(std::abs(numerator) < std::abs(denominator))) // a is 0 on straight boundaries
      return;
    if (const double xi = numerator / denominator; xi > 0. && xi < 1.)
      breaks.push_back(xi);
  };
  add_quotient(c, q);
  add_quotient(q, a);
}

/// Section of a carrier edge with the section of one opposite edge in front of it.
struct Segment {
  std::array<double, 2> xi, eta;
  unsigned int facet;
};

/// Returns the nearest facet in front of a point of a carrier edge; `no_edge` if there is none.
template <class Iterator>
unsigned int facet_in_front(const CarrierEdge &edge, double xi, const Polyline &opposite,
                            Iterator first, Iterator last, const MortarRange &range) {
  unsigned int nearest = no_edge;
  double distance = std::numeric_limits<double>::infinity();
  for (; first != last; ++first) {
    const Foot f = foot(edge, xi, opposite, *first);
    // The values are not numbers if a normal is parallel to the facet; comparisons are then false.
    if (!(f.eta >= 0. && f.eta <= 1. && f.gap >= -range.depth && f.gap <= range.reach &&
          std::abs(f.gap) < distance))
      continue;
    distance = std::abs(f.gap);
    nearest = *first;
  }
  return nearest;
}

/// Returns the segments of a carrier edge, cut at the normals through ends of opposite edges.
std::vector<Segment> cut_segments(const CarrierEdge &edge, const Polyline &opposite,
                                  const std::vector<unsigned int> &facets,
                                  const MortarRange &range) {
  std::vector<double> breaks = {0., 1.};
  for (const unsigned int facet : facets)
    for (const unsigned int point : opposite.edges[facet])
      add_projections(edge, opposite.points[point], breaks);
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  std::vector<Segment> segments;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double middle = .5 * (breaks[i] + breaks[i + 1]);
    const unsigned int facet =
        facet_in_front(edge, middle, opposite, facets.begin(), facets.end(), range);
    if (facet == no_edge)
      continue;
    const auto eta_at = [&](double xi) {
      return std::clamp(foot(edge, xi, opposite, facet).eta, 0., 1.);
    };
    segments.push_back(
        {{breaks[i], breaks[i + 1]}, {eta_at(breaks[i]), eta_at(breaks[i + 1])}, facet});
  }
  std::vector<std::array<double, 2>> gaps;
  for (const Segment &s : segments)
    gaps.push_back(
        {foot(edge, s.xi[0], opposite, s.facet).gap, foot(edge, s.xi[1], opposite, s.facet).gap});
  remove_hidden_sections(gaps, edge.edge_vector.norm(), segments);
  return segments;
}

/// Contributions of the edges of a carrier point to its contact.
struct Sum {
  unsigned int point, side;
  Tensor normal;
  double area = 0;
  double own_area = 0; ///< contribution to `area` of edges that are covered completely
  /// Integrals of φ and the carrier's shape functions on partly covered edges.
  std::vector<Weight> carrier;
  std::vector<Weight> opposite;
  std::vector<Weight> covered_facets; ///< facets and the length of edges in front of them [length]
};

/// Covered section of a carrier edge, from ξ = low to high; ζ goes from 0 to 1 on it.
struct CoveredEdge {
  std::vector<Segment> segments;
  double length;                     ///< length of the entire edge
  std::array<double, 2> weights;     ///< weights of integrals at both ends of the edge
  double low = 1, high = 0;          ///< bounds of ξ; points in between may be uncovered
  double covered = 0;                ///< covered fraction of the edge
  double measure = 0;                ///< ∫ weight dξ over the covered points
  double mean = 0;                   ///< weighted mean of ζ over the covered points
  std::array<unsigned int, 2> nodes; ///< carrier points at both ends
  std::array<Sum *, 2> sums;         ///< sums of both ends, or of their quadrature points

  CoveredEdge(std::vector<Segment> edge_segments, const Polyline &line, unsigned int edge)
      : segments(std::move(edge_segments)), length(line.edge_vector(edge).norm()),
        weights(line.weights(edge)), nodes(line.edges[edge]), sums() {
    for (const auto &s : segments) {
      low = std::min(low, s.xi[0]);
      high = std::max(high, s.xi[1]);
    }
    low = low < round_off_of_cover ? 0. : low;
    high = high > 1. - round_off_of_cover ? 1. : high;
    for (const auto &s : segments) {
      const double size = s.xi[1] - s.xi[0];
      covered += size;
      mean += size * .5 * (zeta(s.xi[0]) + zeta(s.xi[1]));
    }
    measure = covered;
    mean /= covered;
    if (is_weighted()) {
      measure = weighted_integral([](double) { return 1.; });
      mean = weighted_integral([](double position) { return position; }) / measure;
    }
  }
  /// True for the circumferences of a body of revolution; plane bodies have closed forms.
  bool is_weighted() const { return weights[0] != 1. || weights[1] != 1.; }
  double weight_at(double xi) const { return weights[0] + xi * (weights[1] - weights[0]); }
  /// Returns ∫ f(ζ) weight dξ over the covered points by Simpson's rule, exact for quadratic f.
  template <typename Function>
  double weighted_integral(const Function &f) const {
    double sum = 0;
    for (const auto &[xi, eta, facet] : segments) {
      const double middle = .5 * (xi[0] + xi[1]);
      sum += (xi[1] - xi[0]) / 6. *
             (weight_at(xi[0]) * f(zeta(xi[0])) + 4. * weight_at(middle) * f(zeta(middle)) +
              weight_at(xi[1]) * f(zeta(xi[1])));
    }
    return sum;
  }
  double zeta(double xi) const { return (xi - low) / (high - low); }
  double mean_xi() const { return low + (high - low) * mean; }
  bool is_whole() const { return covered >= 1. - round_off_of_cover; }
  DualShapes dual_shapes() const {
    double variance = 0;
    for (const auto &s : segments) {
      const double size = s.xi[1] - s.xi[0], a = zeta(s.xi[0]) - mean, b = zeta(s.xi[1]) - mean;
      variance += size * (a * a + a * b + b * b) / (3. * covered);
    }
    if (is_weighted())
      variance = weighted_integral([&](double x) { return (x - mean) * (x - mean); }) / measure;
    return {mean, variance};
  }
  /// Returns the integral of the shape function of an end of the covered section [length × weight].
  double area(unsigned int end) const { return length * measure * (end == 0 ? 1. - mean : mean); }
};

/// Adds the force at one end of the covered section to the carrier weights of a sum.
void add_carrier(const CoveredEdge &edge, unsigned int sum_index, unsigned int end, double force) {
  Sum &sum = *edge.sums[sum_index];
  const double xi = end == 0 ? edge.low : edge.high;
  sum.carrier.emplace_back(edge.nodes[0], (1. - xi) * force);
  sum.carrier.emplace_back(edge.nodes[1], xi * force);
}

/// Returns the mixed shapes of the multipliers of an edge.
PartialShapes<2> shapes_of(const CoveredEdge &edge) {
  return edge.is_whole() ? PartialShapes<2>::full_support()
                         : partial_shapes<2>(edge.covered / (edge.high - edge.low),
                                             {1. - edge.mean_xi(), edge.mean_xi()}, 2);
}

/// Calls function(s, ζ, η, weight) for the points of integration of an edge. On a segment s, ξ and
/// η depend linearly on each other, so that two Gauss points are exact, also for the weight of a
/// body of revolution.
template <typename Function>
void for_each_sample(const CoveredEdge &edge, const Function &function) {
  for (const auto &s : edge.segments)
    for (const double gauss : {.5 - std::sqrt(1. / 12.), .5 + std::sqrt(1. / 12.)}) {
      const double xi = (1. - gauss) * s.xi[0] + gauss * s.xi[1];
      function(s, edge.zeta(xi), (1. - gauss) * s.eta[0] + gauss * s.eta[1],
               .5 * (s.xi[1] - s.xi[0]) * edge.length * edge.weight_at(xi));
    }
}

/// Adds ∫φ N of the segments of an edge for both multipliers, at one point of integration.
void add_opposite(const CoveredEdge &edge, const std::array<unsigned int, 2> &opposite, double eta,
                  const std::array<double, 2> &forces) {
  for (unsigned int j = 0; j < 2; ++j) {
    edge.sums[j]->opposite.emplace_back(opposite[0], forces[j] * (1. - eta));
    edge.sums[j]->opposite.emplace_back(opposite[1], forces[j] * eta);
  }
}

void add_covered_facets(const CoveredEdge &edge) {
  for (Sum *const sum : edge.sums)
    for (const auto &s : edge.segments)
      sum->covered_facets.emplace_back(s.facet, edge.length * (s.xi[1] - s.xi[0]));
}

/// Adds the integrals of the dual functions of both ends of an edge.
void integrate(const CoveredEdge &edge, const Polyline &opposite) {
  const DualShapes dual = edge.dual_shapes();
  const auto &sums = edge.sums;
  const bool is_whole = edge.is_whole();
  const auto shapes = shapes_of(edge);
  const double alpha = shapes.alpha;
  for_each_sample(edge, [&](const Segment &s, double zeta, double eta, double weight) {
    auto phi = dual(zeta);
    if (!is_whole) {
      const std::array<double, 2> M = {1. - zeta, zeta};
      for (unsigned int k = 0; k < 2; ++k)
        phi[k] = (1. - alpha) * phi[k] + alpha * M[k];
      phi = shapes.passed(phi);
      for (unsigned int j = 0; j < 2 && alpha > 0.; ++j)
        for (unsigned int k = 0; k < 2; ++k)
          add_carrier(edge, j, k, weight * alpha * shapes.passed(M)[j] * M[k]);
    }
    add_opposite(edge, opposite.edges[s.facet], eta, {weight * phi[0], weight * phi[1]});
  });
  for (unsigned int j = 0; j < 2; ++j) {
    if (is_whole) {
      sums[j]->area += edge.area(j);
      sums[j]->own_area += edge.area(j);
    }
    for (unsigned int k = 0; k < 2 && !is_whole; ++k) {
      sums[j]->area += shapes.T[j][k] * edge.area(k);
      add_carrier(edge, j, k, (1. - alpha) * shapes.T[j][k] * edge.area(k));
    }
  }
  add_covered_facets(edge);
}

/// Adds the integrals of the Lagrange functions of the quadrature points of an edge. If the edge is
/// partly covered, the points belong to the covered section.
void integrate_points(const CoveredEdge &edge, const Polyline &opposite) {
  const auto shapes = shapes_of(edge);
  for_each_sample(edge, [&](const Segment &s, double zeta, double eta, double weight) {
    const std::array<double, 2> M = {1. - zeta, zeta};
    auto phi = gauss_functions(zeta);
    for (unsigned int k = 0; k < 2; ++k)
      phi[k] = (1. - shapes.alpha) * phi[k] + shapes.alpha * M[k];
    phi = shapes.passed(phi);
    for (unsigned int j = 0; j < 2; ++j) {
      edge.sums[j]->area += weight * phi[j];
      for (unsigned int k = 0; k < 2; ++k)
        add_carrier(edge, j, k, weight * phi[j] * M[k]);
    }
    add_opposite(edge, opposite.edges[s.facet], eta, {weight * phi[0], weight * phi[1]});
  });
  add_covered_facets(edge);
}

/// Returns the weights with entries of the same point added up.
std::vector<Weight> merged(std::vector<Weight> weights) {
  std::sort(weights.begin(), weights.end());
  std::vector<Weight> result;
  for (const auto &[point, weight] : weights)
    if (!result.empty() && result.back().first == point)
      result.back().second += weight;
    else
      result.emplace_back(point, weight);
  return result;
}

/// Changes the weights so that their weighted position moves along the tangent by `amount`
/// [length], facet by facet; returns the shift.
Tensor shift_along(const Tensor &tangent, double amount, const std::vector<Weight> &covered_facets,
                   const Polyline &opposite, std::vector<Weight> &weights) {
  double total_length = 0;
  for (const auto &covered_length : covered_facets)
    total_length += covered_length.second;
  Tensor shift;
  for (const auto &[facet, covered_length] : covered_facets) {
    const Tensor edge_vector = opposite.edge_vector(facet);
    const double fraction = amount * covered_length / total_length / (edge_vector * tangent);
    shift += fraction * edge_vector;
    weights.emplace_back(opposite.edges[facet][0], -fraction);
    weights.emplace_back(opposite.edges[facet][1], fraction);
  }
  return shift;
}

MortarContact<2> contact(const Sum &sum, double whole_area, const Polyline &carrier,
                         const Polyline &opposite, MortarFunctions functions) {
  const auto weights_of_carrier =
      functions == MortarFunctions::dual
          ? carrier_weights(sum.point, sum.own_area, merged(sum.carrier))
          : mean_weights(merged(sum.carrier));
  const Point &origin = carrier.points[weights_of_carrier.front().first];
  auto weights = mean_weights(merged(sum.opposite));
  Tensor gap_vector; // relative to a carrier point, to keep digits
  for (const auto &[point, weight] : weights)
    gap_vector += weight * (origin - opposite.points[point]);
  for (std::size_t k = 1; k < weights_of_carrier.size(); ++k)
    gap_vector +=
        weights_of_carrier[k].second * (carrier.points[weights_of_carrier[k].first] - origin);
  // If normals turn along the surface, a gap leaves a small tangential component. Normal forces
  // have no moment after it is removed.
  const Tensor normal = -sum.normal, tangent({normal[1], -normal[0]});
  gap_vector -= shift_along(tangent, gap_vector * tangent, sum.covered_facets, opposite, weights);
  return {sum.point,
          sum.side,
          gap_vector * normal,
          normal,
          sum.area,
          sum.area / whole_area,
          weights_of_carrier,
          merged(std::move(weights))};
}

/// Sums of the contacts of a carrier line: with dual functions two for each point, as a corner has
/// another contact for the edge that begins there, else two for each edge.
class LineSums {
public:
  LineSums(const Polyline &carrier_line, MortarFunctions mortar_functions, double corner)
      : carrier(carrier_line), functions(mortar_functions), normals(nodal_normals(carrier, corner)),
        ending(carrier.points.size(), no_edge),
        sums(2 * (is_dual() ? carrier.points.size() : carrier.edges.size())),
        whole_areas(sums.size()) {
    for (unsigned int e = 0; e < carrier.edges.size(); ++e)
      ending[carrier.edges[e][1]] = e;
    for (unsigned int e = 0; e < carrier.edges.size(); ++e)
      for (const unsigned int end : {0U, 1U})
        whole_areas[index_of(e, end) + side_of(e, end)] += whole_area(e, end);
  }

  CarrierEdge edge(unsigned int e) const {
    return {carrier.points[carrier.edges[e][0]], carrier.edge_vector(e), normals[e][0],
            normals[e][1] - normals[e][0]};
  }

  /// Returns the sum of the contact at an end of an edge, with its point and normal.
  Sum &sum(unsigned int e, unsigned int end) {
    const unsigned int side = side_of(e, end);
    Sum &contact_sum = sums[index_of(e, end) + side];
    contact_sum.point = is_dual() ? carrier.edges[e][end] : index_of(e, end);
    contact_sum.side = side;
    contact_sum.normal = normal_at(e, end);
    return contact_sum;
  }

  /// Returns the contacts with an area.
  std::vector<MortarContact<2>> contacts(const Polyline &opposite) const {
    std::vector<MortarContact<2>> result;
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i].area > 0.)
        result.push_back(contact(sums[i], whole_areas[i], carrier, opposite, functions));
    return result;
  }

private:
  bool is_dual() const { return functions == MortarFunctions::dual; }
  /// Returns the integral of the shape function of an end, or of its quadrature point.
  double whole_area(unsigned int e, unsigned int end) const {
    const auto &[begin, finish] = carrier.edges[e];
    const Point &x = carrier.points[end == 0 ? begin : finish],
                &y = carrier.points[end == 0 ? finish : begin];
    if (is_dual())
      return shape_integral(x, y, carrier.is_axisymmetric);
    return .5 * x.distance(y) *
           line_weight(y + (1. - first_gauss_point) * (x - y), carrier.is_axisymmetric);
  }
  unsigned int index_of(unsigned int e, unsigned int end) const {
    return is_dual() ? 2 * carrier.edges[e][end] : 2 * e + end;
  }
  /// Returns 1 at a corner for the edge that begins there, else 0.
  unsigned int side_of(unsigned int e, unsigned int end) const {
    const unsigned int previous_edge = ending[carrier.edges[e][0]];
    return is_dual() && end == 0 && previous_edge != no_edge &&
           normals[previous_edge][1] != normals[e][0];
  }
  Tensor normal_at(unsigned int e, unsigned int end) const {
    if (is_dual())
      return normals[e][end];
    const Tensor n =
        first_gauss_point * normals[e][1 - end] + (1. - first_gauss_point) * normals[e][end];
    return n / n.norm();
  }

  const Polyline &carrier;
  const MortarFunctions functions;
  const std::vector<std::array<Tensor, 2>> normals; ///< normals at both ends of each edge
  std::vector<unsigned int> ending;                 ///< edge that ends at each point
  std::vector<Sum> sums;
  std::vector<double> whole_areas;
};

} // namespace

std::vector<std::array<Tensor, 2>> nodal_normals(const Polyline &line, double corner) {
  std::vector<unsigned int> ending(line.points.size(), no_edge), beginning = ending;
  std::vector<std::array<Tensor, 2>> normals;
  for (unsigned int e = 0; e < line.edges.size(); ++e) {
    beginning[line.edges[e][0]] = ending[line.edges[e][1]] = e;
    normals.push_back({edge_normal(line, e), edge_normal(line, e)});
  }
  for (std::size_t p = 0; p < line.points.size(); ++p) {
    if (beginning[p] == no_edge || ending[p] == no_edge)
      continue;
    Tensor &incoming = normals[ending[p]][1], &outgoing = normals[beginning[p]][0];
    if (incoming * outgoing > corner)
      incoming = outgoing = (incoming + outgoing) / (incoming + outgoing).norm();
  }
  return normals;
}

std::vector<MortarContact<2>> mortar_contacts(const Polyline &carrier, const Polyline &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range, MortarFunctions functions) {
  LineSums line_sums(carrier, functions, range.corner);
  std::vector<unsigned int> facets;
  for (auto pair = near_pairs.begin(); pair != near_pairs.end();) {
    const unsigned int e = pair->first;
    const Tensor normal = edge_normal(carrier, e);
    facets.clear();
    for (; pair != near_pairs.end() && pair->first == e; ++pair)
      if (normal * edge_normal(opposite, pair->second) < -least_opposition)
        facets.push_back(pair->second);
    const CarrierEdge edge = line_sums.edge(e);
    const auto segments = cut_segments(edge, opposite, facets, range);
    double covered = 0;
    for (const auto &s : segments)
      covered += s.xi[1] - s.xi[0];
    if (covered <= least_cover)
      continue;
    CoveredEdge covered_edge(segments, carrier, e);
    for (const unsigned int end : {0U, 1U})
      covered_edge.sums[end] = &line_sums.sum(e, end);
    functions == MortarFunctions::dual ? integrate(covered_edge, opposite)
                                       : integrate_points(covered_edge, opposite);
  }
  return line_sums.contacts(opposite);
}

std::vector<EdgePair> self_contact_pairs(const Polyline &line,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range) {
  return pairs_of_sides(
      line.points.size(), line.edges.size(), near_pairs, range, least_opposition,
      [&](unsigned int e) -> const std::array<unsigned int, 2> & { return line.edges[e]; },
      [&](unsigned int e) { return edge_normal(line, e); },
      [&](unsigned int e) { return line.points[line.edges[e][0]] + .5 * line.edge_vector(e); },
      [&](unsigned int e) {
        return std::vector{line.points[line.edges[e][0]], line.points[line.edges[e][1]]};
      });
}

} // namespace percussion
