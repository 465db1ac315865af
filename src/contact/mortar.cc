#include <percussion/contact/mortar.h>

#include "edge_gradient.h"
#include "line_gap.h"
#include "self_contact.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using Tensor = dealii::Tensor<1, 2>;

/// Lower bound of minus the cosine between opposed normals.
constexpr double least_opposition = 0.6;
constexpr double least_cover = 1e-9; ///< fraction of an edge below which cover is round-off

/// Carrier edge with its segments in front of opposite edges.
struct FacingEdge {
  unsigned int edge;
  CutEdge cut;
};

/// Contacts of a carrier line: with dual functions up to two for each point, as the edge that
/// begins at a corner has a contact of its own, and an end apart (find_apart()), else two for each
/// edge.
class LineContacts {
public:
  LineContacts(const Polyline &carrier_line, const Polyline &opposite_line,
               const MortarRange &mortar_range, MortarFunctions mortar_functions)
      : carrier(carrier_line, mortar_range.corner), opposite(opposite_line), range(mortar_range),
        functions(mortar_functions), ending(carrier_line.points.size(), no_edge),
        sums(2 * (is_dual() ? carrier_line.points.size() : carrier_line.edges.size())),
        whole_areas(sums.size()), is_apart(carrier_line.edges.size()) {
    const Polyline &line = carrier.line;
    for (unsigned int e = 0; e < line.edges.size(); ++e)
      ending[line.edges[e][1]] = e;
  }

  /// Adds an edge that may face these edges.
  void add(unsigned int e, const std::vector<unsigned int> &facets) {
    auto cut = cut_segments(CarrierEdge(carrier, e), opposite, facets, range);
    double covered = 0;
    for (const auto &s : cut.segments)
      covered += s.xi[1] - s.xi[0];
    if (covered > least_cover)
      facing.push_back({e, std::move(cut)});
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
        sums[i].merge();
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
        adjoints[i] =
            differentiate_gap(sums[i], carrier, opposite, functions, contacts[contact_of[i]]);
    for (const FacingEdge &edge : facing) {
      std::array<GradientTarget<2>, 2> edge_contacts;
      for (unsigned int end = 0; end < 2; ++end)
        if (const std::size_t i = index_of(edge.edge, end); sums[i].area > 0.) {
          MortarContact<2> &contact = contacts[contact_of[i]];
          edge_contacts[end] = {&adjoints[i], &contact.carrier_gradient,
                                &contact.opposite_gradient};
        }
      differentiate_integrals(carrier, edge.edge, edge.cut.segments, opposite, functions,
                              edge_contacts);
    }
    for (MortarContact<2> &contact : contacts)
      complete_gradients(carrier.line.is_axisymmetric, contact);
  }

private:
  bool is_dual() const { return functions == MortarFunctions::dual; }
  /// Returns the integral of the shape function of an end, or of its quadrature point.
  double whole_area(unsigned int e, unsigned int end) const {
    const auto &[begin, finish] = carrier.line.edges[e];
    const auto &x = carrier.line.points[end == 0 ? begin : finish],
               &y = carrier.line.points[end == 0 ? finish : begin];
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
    const Polyline &line = carrier.line;
    for (const FacingEdge &first : facing) {
      const unsigned int next = carrier.joined[first.edge][1];
      if (!is_dual() || next == no_edge || facing_index[next] == facing.size())
        continue;
      const FacingEdge &second = facing[facing_index[next]];
      CommonCorner corner;
      corner.add(first.cut.ends[1]);
      corner.add(second.cut.ends[0]);
      const double size =
          std::min(line.edge_vector(first.edge).norm(), line.edge_vector(second.edge).norm());
      is_apart[first.edge][1] = corner.hides(first.cut.ends[1], size);
      is_apart[second.edge][0] = corner.hides(second.cut.ends[0], size);
    }
  }

  void add_integrals(const FacingEdge &edge) {
    const unsigned int e = edge.edge;
    for (const unsigned int end : {0U, 1U}) {
      LineSum &sum = sums[index_of(e, end)];
      sum.point = is_dual() ? carrier.line.edges[e][end] : index_of(e, end);
      sum.side = side_of(e, end);
      sum.edge = e;
      sum.end = end;
    }
    const Polyline &line = carrier.line;
    integrate(CoveredEdge<double>(edge.cut.segments, line.edge_vector(e).norm(), line.weights(e),
                                  line.edges[e], {&sums[index_of(e, 0)], &sums[index_of(e, 1)]}),
              opposite, functions);
  }

  /// Returns the index of the sum of the contact at an end of an edge.
  unsigned int index_of(unsigned int e, unsigned int end) const {
    return is_dual() ? 2 * carrier.line.edges[e][end] + side_of(e, end) : 2 * e + end;
  }
  /// Returns 1 at a corner for the edge that begins there, and for an end apart, else 0.
  unsigned int side_of(unsigned int e, unsigned int end) const {
    const bool begins_at_corner =
        end == 0 && ending[carrier.line.edges[e][0]] != no_edge && carrier.joined[e][0] == no_edge;
    return is_dual() && (begins_at_corner || is_apart[e][end]);
  }

  MortarContact<2> contact(const LineSum &sum, double area) const {
    const Tensor normal = -carrier.contact_normal(sum.edge, sum.end, functions);
    auto gap = line_gap(sum, normal, carrier.line, opposite, functions);
    return {sum.point,
            sum.side,
            gap.gap,
            normal,
            sum.area,
            sum.area / area,
            std::move(gap.carrier),
            std::move(gap.opposite)};
  }

  const CarrierLine carrier;
  const Polyline &opposite;
  const MortarRange range;
  const MortarFunctions functions;
  std::vector<unsigned int> ending; ///< edge that ends at each point
  std::vector<LineSum> sums;
  std::vector<double> whole_areas;
  std::vector<std::array<bool, 2>> is_apart; ///< ends of edges with contacts of their own
  std::vector<FacingEdge> facing;
  std::vector<std::size_t> contact_of; ///< index of the contact of each sum with an area
};

} // namespace

std::vector<std::array<Tensor, 2>> nodal_normals(const Polyline &polyline, double corner) {
  const CarrierLine line(polyline, corner);
  std::vector<std::array<Tensor, 2>> normals;
  for (unsigned int e = 0; e < polyline.edges.size(); ++e)
    normals.push_back({line.normal_at_end(e, 0), line.normal_at_end(e, 1)});
  return normals;
}

std::vector<MortarContact<2>> mortar_contacts(const Polyline &carrier, const Polyline &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range, MortarFunctions functions,
                                              GapGradients gradients) {
  LineContacts line_contacts(carrier, opposite, range, functions);
  std::vector<unsigned int> facets;
  for (auto pair = near_pairs.begin(); pair != near_pairs.end();) {
    const unsigned int e = pair->first;
    const Tensor normal = normal_of(carrier.edge_vector(e));
    facets.clear();
    for (; pair != near_pairs.end() && pair->first == e; ++pair)
      if (normal * normal_of(opposite.edge_vector(pair->second)) < -least_opposition)
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
  return pairs_of_sides(
      line.points.size(), line.edges.size(), near_pairs, range, least_opposition,
      [&](unsigned int e) -> const std::array<unsigned int, 2> & { return line.edges[e]; },
      [&](unsigned int e) { return normal_of(line.edge_vector(e)); },
      [&](unsigned int e) { return line.points[line.edges[e][0]] + .5 * line.edge_vector(e); },
      [&](unsigned int e) {
        return std::vector{line.points[line.edges[e][0]], line.points[line.edges[e][1]]};
      });
}

} // namespace percussion
