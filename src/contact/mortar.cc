#include <percussion/contact/mortar.h>

#include "gap_gradient.h"
#include "mortar_edge.h"
#include "self_contact.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using Tensor = dealii::Tensor<1, 2>;

/// Lower bound of minus the cosine between opposed normals.
constexpr double least_opposition = 0.6;
constexpr double least_cover = 1e-9; ///< fraction of an edge below which cover is round-off

/// Contributions of the edges of a carrier point to its contact.
struct Sum : EdgeIntegrals<double> {
  unsigned int point, side;
  unsigned int edge, end; ///< edge that has contributed last, and its end at the contact
};

/// Changes the weights so that their weighted position moves along the tangent by `amount`
/// [length], facet by facet; returns the shift.
template <typename Number>
LineVector<Number> shift_along(const LineVector<Number> &tangent, const Number &amount,
                               const NumberWeights<Number> &covered_facets,
                               const PlacedLine<Number> &opposite, NumberWeights<Number> &weights) {
  Number total_length = 0.;
  for (const auto &covered_length : covered_facets)
    total_length += covered_length.second;
  LineVector<Number> shift;
  for (const auto &[facet, covered_length] : covered_facets) {
    const LineVector<Number> edge_vector = opposite.edge_vector(facet);
    const Number fraction = amount * covered_length / total_length / (edge_vector * tangent);
    shift += fraction * edge_vector;
    weights.emplace_back(opposite.line.edges[facet][0], -fraction);
    weights.emplace_back(opposite.line.edges[facet][1], fraction);
  }
  return shift;
}

/// Gap of a contact, and the weights of the points.
template <typename Number>
struct LineGap {
  Number gap;
  NumberWeights<Number> carrier, opposite;
};

/// Returns the gap of a contact with the functions of a point, along a unit normal.
template <typename Number>
LineGap<Number> line_gap(const EdgeIntegrals<Number> &sum, unsigned int point,
                         const LineVector<Number> &normal, const PlacedLine<Number> &carrier,
                         const PlacedLine<Number> &opposite, MortarFunctions functions) {
  LineGap<Number> result;
  result.carrier = functions == MortarFunctions::dual
                       ? carrier_weights(point, sum.own_area, merged_weights(sum.carrier))
                       : mean_weights(merged_weights(sum.carrier));
  const auto origin = carrier.points[result.carrier.front().first];
  auto weights = mean_weights(merged_weights(sum.opposite));
  LineVector<Number> gap_vector; // relative to a carrier point, to keep digits
  for (const auto &[node, weight] : weights)
    gap_vector += weight * (origin - opposite.points[node]);
  for (std::size_t k = 1; k < result.carrier.size(); ++k)
    gap_vector += result.carrier[k].second * (carrier.points[result.carrier[k].first] - origin);
  // If normals turn along the surface, a gap leaves a small tangential component. Normal forces
  // have no moment after it is removed.
  LineVector<Number> tangent;
  tangent[0] = normal[1];
  tangent[1] = -normal[0];
  gap_vector -=
      shift_along<Number>(tangent, gap_vector * tangent, sum.covered_facets, opposite, weights);
  result.gap = gap_vector * normal;
  result.opposite = merged_weights(std::move(weights));
  return result;
}

JoinedEdges joined_edges(const Polyline &polyline, double corner) {
  const PlacedLine<double> line(polyline);
  std::vector<unsigned int> ending(polyline.points.size(), no_edge), beginning = ending;
  for (unsigned int e = 0; e < polyline.edges.size(); ++e)
    beginning[polyline.edges[e][0]] = ending[polyline.edges[e][1]] = e;
  JoinedEdges joined(polyline.edges.size(), {no_edge, no_edge});
  for (std::size_t p = 0; p < polyline.points.size(); ++p) {
    const unsigned int incoming = ending[p], outgoing = beginning[p];
    if (incoming == no_edge || outgoing == no_edge ||
        !(line.edge_normal(incoming) * line.edge_normal(outgoing) > corner))
      continue;
    joined[incoming][1] = outgoing;
    joined[outgoing][0] = incoming;
  }
  return joined;
}

/// Carrier edge with the opposite edges that may be in front of it.
struct FacingEdge {
  unsigned int edge;
  std::vector<unsigned int> facets;
  CutEdge<double> cut;
};

/// Contacts of a carrier line: with dual functions up to two for each point, as the edge that
/// begins at a corner has a contact of its own, and an end apart (find_apart()), else two for each
/// edge.
class LineContacts {
public:
  LineContacts(const Polyline &carrier_line, const Polyline &opposite_line,
               const MortarRange &mortar_range, MortarFunctions mortar_functions)
      : carrier(carrier_line), opposite(opposite_line), range(mortar_range),
        functions(mortar_functions), joined(joined_edges(carrier_line, mortar_range.corner)),
        ending(carrier_line.points.size(), no_edge),
        sums(2 * (is_dual() ? carrier_line.points.size() : carrier_line.edges.size())),
        whole_areas(sums.size()), is_apart(carrier_line.edges.size()) {
    const Polyline &line = carrier.line;
    for (unsigned int e = 0; e < line.edges.size(); ++e)
      ending[line.edges[e][1]] = e;
  }

  /// Adds an edge that may face these edges.
  void add(unsigned int e, const std::vector<unsigned int> &facets) {
    auto cut = cut_segments(CarrierEdge<double>(carrier, joined, e), opposite, facets, range);
    double covered = 0;
    for (const auto &s : cut.segments)
      covered += s.xi[1] - s.xi[0];
    if (covered > least_cover)
      facing.push_back({e, facets, std::move(cut)});
  }

  /// Returns the contacts with an area.
  std::vector<MortarContact<2>> contacts() {
    find_apart();
    for (unsigned int e = 0; e < carrier.line.edges.size(); ++e)
      for (const unsigned int end : {0U, 1U})
        whole_areas[index_of(e, end)] += whole_area(e, end);
    for (const FacingEdge &edge : facing)
      add_integrals(edge);
    std::vector<MortarContact<2>> result;
    contact_of.assign(sums.size(), 0);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i].area > 0.) {
        contact_of[i] = result.size();
        result.push_back(contact(sums[i], whole_areas[i]));
      }
    return result;
  }

  /// Adds the gradients of the gaps.
  void add_gradients(std::vector<MortarContact<2>> &contacts) const {
    std::vector<IntegralAdjoints> adjoints(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i].area > 0.)
        adjoints[i] = differentiate_gap(sums[i], contacts[contact_of[i]]);
    for (const FacingEdge &edge : facing)
      differentiate_integrals(edge, adjoints, contacts);
    for (MortarContact<2> &contact : contacts)
      complete_gradients(carrier.line.is_axisymmetric, contact);
  }

private:
  bool is_dual() const { return functions == MortarFunctions::dual; }
  /// Returns the integral of the shape function of an end, or of its quadrature point.
  double whole_area(unsigned int e, unsigned int end) const {
    const auto &[begin, finish] = carrier.line.edges[e];
    const auto &x = carrier.points[end == 0 ? begin : finish],
               &y = carrier.points[end == 0 ? finish : begin];
    if (is_dual())
      return shape_integral(x, y, carrier.line.is_axisymmetric);
    return .5 * x.distance(y) *
           line_weight(y + (1. - first_gauss_point) * (x - y), carrier.line.is_axisymmetric);
  }
  /// Finds the ends of edges at smooth points that face something behind what the neighbour faces:
  /// they have contacts of their own.
  void find_apart() {
    std::vector<std::size_t> facing_index(carrier.line.edges.size(), facing.size());
    for (std::size_t k = 0; k < facing.size(); ++k)
      facing_index[facing[k].edge] = k;
    for (const FacingEdge &first : facing) {
      const unsigned int next = joined[first.edge][1];
      if (!is_dual() || next == no_edge || facing_index[next] == facing.size())
        continue;
      const FacingEdge &second = facing[facing_index[next]];
      CommonCorner corner;
      corner.add(first.cut.ends[1]);
      corner.add(second.cut.ends[0]);
      const double size =
          std::min(carrier.edge_vector(first.edge).norm(), carrier.edge_vector(second.edge).norm());
      is_apart[first.edge][1] = corner.hides(first.cut.ends[1], size);
      is_apart[second.edge][0] = corner.hides(second.cut.ends[0], size);
    }
  }

  void add_integrals(const FacingEdge &edge) {
    const unsigned int e = edge.edge;
    for (const unsigned int end : {0U, 1U}) {
      Sum &sum = sums[index_of(e, end)];
      sum.point = is_dual() ? carrier.line.edges[e][end] : index_of(e, end);
      sum.side = side_of(e, end);
      sum.edge = e;
      sum.end = end;
    }
    integrate(CoveredEdge<double>(edge.cut.segments, carrier, e,
                                  {&sums[index_of(e, 0)], &sums[index_of(e, 1)]}),
              opposite.line, functions);
  }

  /// Returns the index of the sum of the contact at an end of an edge.
  unsigned int index_of(unsigned int e, unsigned int end) const {
    return is_dual() ? 2 * carrier.line.edges[e][end] + side_of(e, end) : 2 * e + end;
  }
  /// Returns 1 at a corner for the edge that begins there, and for an end apart, else 0.
  unsigned int side_of(unsigned int e, unsigned int end) const {
    const bool begins_at_corner =
        end == 0 && ending[carrier.line.edges[e][0]] != no_edge && joined[e][0] == no_edge;
    return is_dual() && (begins_at_corner || is_apart[e][end]);
  }

  MortarContact<2> contact(const Sum &sum, double area) const {
    const Tensor normal = -contact_normal(carrier, joined, sum.edge, sum.end, functions);
    auto gap = line_gap<double>(sum, sum.point, normal, carrier, opposite, functions);
    return {sum.point,
            sum.side,
            gap.gap,
            normal,
            sum.area,
            sum.area / area,
            std::move(gap.carrier),
            std::move(gap.opposite)};
  }

  /// Adds the derivative of a gap at constant integrals to the gradients of its contact; returns
  /// the derivatives with respect to the integrals.
  IntegralAdjoints differentiate_gap(const Sum &sum, MortarContact<2> &contact) const {
    Tape &tape = Tape::current();
    tape.clear();
    const PlacedLine<Traced> carrier_line(carrier.line), opposite_line(opposite.line);
    EdgeIntegrals<Traced> integrals;
    integrals.own_area = Traced::variable(sum.own_area);
    integrals.carrier = variables(merged_weights(sum.carrier));
    integrals.opposite = variables(merged_weights(sum.opposite));
    integrals.covered_facets = variables(merged_weights(sum.covered_facets));
    const LineVector<Traced> normal =
        -contact_normal(carrier_line, joined, sum.edge, sum.end, functions);
    const Traced gap =
        line_gap(integrals, sum.point, normal, carrier_line, opposite_line, functions).gap;
    tape.start();
    tape.seed(gap.index, 0, 1.);
    tape.accumulate();
    carrier_line.points.add_gradients(0, contact.carrier_gradient);
    opposite_line.points.add_gradients(0, contact.opposite_gradient);
    return {tape.adjoint(integrals.own_area.index)[0], adjoints_of(integrals.carrier),
            adjoints_of(integrals.opposite), adjoints_of(integrals.covered_facets)};
  }

  /// Adds the derivatives of the integrals of an edge to the gradients of both its contacts.
  void differentiate_integrals(const FacingEdge &edge,
                               const std::vector<IntegralAdjoints> &adjoints,
                               std::vector<MortarContact<2>> &contacts) const {
    Tape &tape = Tape::current();
    tape.clear();
    const PlacedLine<Traced> carrier_line(carrier.line), opposite_line(opposite.line);
    const CarrierEdge<Traced> carrier_edge(carrier_line, joined, edge.edge);
    std::array<EdgeIntegrals<Traced>, 2> integrals;
    auto segments = cut_segments(carrier_edge, opposite_line, edge.facets, range).segments;
    if (segments.empty()) // at the limit of round-off
      return;
    integrate(CoveredEdge<Traced>(std::move(segments), carrier_line, edge.edge,
                                  {&integrals[0], &integrals[1]}),
              opposite.line, functions);
    tape.start();
    for (unsigned int end = 0; end < 2; ++end)
      seed(adjoints[index_of(edge.edge, end)], end, integrals[end]);
    tape.accumulate();
    for (unsigned int end = 0; end < 2; ++end) {
      const unsigned int index = index_of(edge.edge, end);
      if (!(sums[index].area > 0.))
        continue;
      MortarContact<2> &contact = contacts[contact_of[index]];
      carrier_line.points.add_gradients(end, contact.carrier_gradient);
      opposite_line.points.add_gradients(end, contact.opposite_gradient);
    }
  }

  const PlacedLine<double> carrier, opposite;
  const MortarRange range;
  const MortarFunctions functions;
  const JoinedEdges joined;
  std::vector<unsigned int> ending; ///< edge that ends at each point
  std::vector<Sum> sums;
  std::vector<double> whole_areas;
  std::vector<std::array<bool, 2>> is_apart; ///< ends of edges with contacts of their own
  std::vector<FacingEdge> facing;
  std::vector<std::size_t> contact_of; ///< index of the contact of each sum with an area
};

} // namespace

std::vector<std::array<Tensor, 2>> nodal_normals(const Polyline &polyline, double corner) {
  const PlacedLine<double> line(polyline);
  const JoinedEdges joined = joined_edges(polyline, corner);
  std::vector<std::array<Tensor, 2>> normals;
  for (unsigned int e = 0; e < polyline.edges.size(); ++e)
    normals.push_back({normal_at_end(line, joined, e, 0), normal_at_end(line, joined, e, 1)});
  return normals;
}

std::vector<MortarContact<2>> mortar_contacts(const Polyline &carrier, const Polyline &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range, MortarFunctions functions,
                                              GapGradients gradients) {
  const PlacedLine<double> carrier_line(carrier), opposite_line(opposite);
  LineContacts line_contacts(carrier, opposite, range, functions);
  std::vector<unsigned int> facets;
  for (auto pair = near_pairs.begin(); pair != near_pairs.end();) {
    const unsigned int e = pair->first;
    const Tensor normal = carrier_line.edge_normal(e);
    facets.clear();
    for (; pair != near_pairs.end() && pair->first == e; ++pair)
      if (normal * opposite_line.edge_normal(pair->second) < -least_opposition)
        facets.push_back(pair->second);
    line_contacts.add(e, facets);
  }
  auto contacts = line_contacts.contacts();
  if (gradients == GapGradients::computed)
    line_contacts.add_gradients(contacts);
  return contacts;
}

std::vector<EdgePair> self_contact_pairs(const Polyline &line,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range) {
  const PlacedLine<double> placed(line);
  return pairs_of_sides(
      line.points.size(), line.edges.size(), near_pairs, range, least_opposition,
      [&](unsigned int e) -> const std::array<unsigned int, 2> & { return line.edges[e]; },
      [&](unsigned int e) { return placed.edge_normal(e); },
      [&](unsigned int e) { return line.points[line.edges[e][0]] + .5 * line.edge_vector(e); },
      [&](unsigned int e) {
        return std::vector{line.points[line.edges[e][0]], line.points[line.edges[e][1]]};
      });
}

} // namespace percussion
