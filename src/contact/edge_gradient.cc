#include "edge_gradient.h"

#include "line_gap.h"
#include "traced.h"
#include <cmath>

namespace percussion {
namespace {

/// Derivatives of the gaps of both contacts with respect to a quantity.
using BothContacts = std::array<double, 2>;

/// Derivatives with respect to the ends of a segment.
struct SegmentSlopes {
  std::array<BothContacts, 2> xi{}, eta{};
};

/// Derivatives with respect to all segments of an edge, its length and its weights.
struct EdgeSlopes {
  std::vector<SegmentSlopes> segments;
  BothContacts length{};
  std::array<BothContacts, 2> weights{};
};

/// True if the segments cover the edge without gaps, so that the functions of its multipliers are
/// constant and each segment has an integral of its own.
bool cover_edge(const std::vector<Segment<double>> &segments) {
  for (std::size_t i = 0; i + 1 < segments.size(); ++i)
    if (segments[i].xi[1] != segments[i + 1].xi[0])
      return false;
  return segments.front().xi[0] == 0. && segments.back().xi[1] == 1.;
}

/// Returns the values of the function of a multiplier at both ends of an edge that is covered.
std::array<double, 2> function_values(MortarFunctions functions, unsigned int multiplier) {
  const double first = functions == MortarFunctions::dual ? 2. : gauss_functions(0.)[0];
  return multiplier == 0 ? std::array<double, 2>{first, 1. - first}
                         : std::array<double, 2>{1. - first, first};
}

/// Adds the derivatives of ∫ φ P over a segment of an edge that is covered. φ and P, the derivative
/// of the gap with respect to ∫ φ at a point, are linear there.
void add_segment_slopes(const Segment<double> &s, const std::array<unsigned int, 2> &nodes,
                        const std::array<unsigned int, 2> &facet_points, double length,
                        MortarFunctions functions, unsigned int multiplier,
                        const IntegralAdjoints &adjoints, SegmentSlopes &slopes,
                        double &length_slope) {
  const auto phi = function_values(functions, multiplier);
  const std::array<double, 2> O = {entry(adjoints.opposite, facet_points[0]),
                                   entry(adjoints.opposite, facet_points[1])};
  std::array<double, 2> C{};
  if (functions != MortarFunctions::dual)
    C = {entry(adjoints.carrier, nodes[0]), entry(adjoints.carrier, nodes[1])};
  const double phi_slope = phi[1] - phi[0], eta_slope = O[1] - O[0], xi_slope = C[1] - C[0];
  std::array<double, 2> f, P, f_weight, P_weight;
  for (unsigned int end = 0; end < 2; ++end) {
    f[end] = phi[0] + phi_slope * s.xi[end];
    P[end] = O[0] + eta_slope * s.eta[end] + C[0] + xi_slope * s.xi[end];
  }
  for (unsigned int end = 0; end < 2; ++end) {
    f_weight[end] = f[end] / 3. + f[1 - end] / 6.;
    P_weight[end] = P[end] / 3. + P[1 - end] / 6.;
  }
  const double size = s.xi[1] - s.xi[0], mean = f[0] * P_weight[0] + f[1] * P_weight[1] +
                                                entry(adjoints.covered_facets, s.facet);
  length_slope += size * mean;
  for (unsigned int end = 0; end < 2; ++end) {
    slopes.xi[end][multiplier] +=
        length *
        ((end == 0 ? -mean : mean) + size * (phi_slope * P_weight[end] + xi_slope * f_weight[end]));
    slopes.eta[end][multiplier] += length * size * eta_slope * f_weight[end];
  }
}

/// Returns the derivatives of the gaps with respect to the segments of an edge, whatever covers it.
EdgeSlopes traced_slopes(const CarrierLine &carrier, unsigned int edge,
                         const std::vector<Segment<double>> &segments, const Polyline &opposite,
                         MortarFunctions functions,
                         const std::array<GradientTarget<2>, 2> &contacts) {
  Tape &tape = Tape::current();
  tape.clear();
  std::vector<Segment<Traced>> variables;
  for (const auto &s : segments)
    variables.push_back({{Traced::variable(s.xi[0]), Traced::variable(s.xi[1])},
                         {Traced::variable(s.eta[0]), Traced::variable(s.eta[1])},
                         s.facet});
  const Traced length = Traced::variable(carrier.line.edge_vector(edge).norm());
  std::array<Traced, 2> weights = {1., 1.};
  for (unsigned int end = 0; carrier.line.is_axisymmetric && end < 2; ++end)
    weights[end] = Traced::variable(carrier.line.weights(edge)[end]);
  std::array<EdgeIntegrals<Traced>, 2> integrals;
  integrate(CoveredEdge<Traced>(variables, length, weights, carrier.line.edges[edge],
                                {&integrals[0], &integrals[1]}),
            opposite, functions);
  tape.start();
  for (unsigned int k = 0; k < 2; ++k)
    if (contacts[k].adjoints != nullptr)
      seed(*contacts[k].adjoints, k, integrals[k]);
  tape.accumulate();
  const auto slopes_of = [&](const Traced &variable) {
    const Tape::Adjoints &adjoints = tape.adjoint(variable.index);
    return BothContacts{adjoints[0], adjoints[1]};
  };
  EdgeSlopes slopes;
  for (const auto &s : variables)
    slopes.segments.push_back(
        {{slopes_of(s.xi[0]), slopes_of(s.xi[1])}, {slopes_of(s.eta[0]), slopes_of(s.eta[1])}});
  slopes.length = slopes_of(length);
  for (unsigned int end = 0; carrier.line.is_axisymmetric && end < 2; ++end)
    slopes.weights[end] = slopes_of(weights[end]);
  return slopes;
}

/// Returns the derivatives of the gaps with respect to the segments of an edge.
EdgeSlopes slopes_of(const CarrierLine &carrier, unsigned int edge,
                     const std::vector<Segment<double>> &segments, const Polyline &opposite,
                     MortarFunctions functions, const std::array<GradientTarget<2>, 2> &contacts) {
  if (carrier.line.is_axisymmetric || !cover_edge(segments))
    return traced_slopes(carrier, edge, segments, opposite, functions, contacts);
  EdgeSlopes slopes;
  slopes.segments.resize(segments.size());
  const double length = carrier.line.edge_vector(edge).norm();
  for (unsigned int k = 0; k < 2; ++k) {
    if (contacts[k].adjoints == nullptr)
      continue;
    for (std::size_t i = 0; i < segments.size(); ++i)
      add_segment_slopes(segments[i], carrier.line.edges[edge], opposite.edges[segments[i].facet],
                         length, functions, k, *contacts[k].adjoints, slopes.segments[i],
                         slopes.length[k]);
    if (functions == MortarFunctions::dual)
      slopes.length[k] += .5 * contacts[k].adjoints->own_area;
  }
  return slopes;
}

/// Derivatives of the gap of one contact with respect to the ends of an edge and the normals there.
struct EdgeEndAdjoints {
  std::array<LineVector, 2> position, normal;
};

/// Condition (x(ξ) − y) × n(ξ) = 0 of a carrier edge and a point y, from which derivatives of ξ or
/// of the position of y on an edge follow.
class NormalThroughPoint {
public:
  NormalThroughPoint(const CarrierEdge &edge, double position, const dealii::Point<2> &y)
      : xi(position) {
    const LineVector n = edge.direction(xi), offset = edge.point_at(xi) - y;
    position_slope = LineVector({n[1], -n[0]});
    normal_slope = LineVector({-offset[1], offset[0]});
    xi_slope = position_slope * edge.edge_vector + normal_slope * edge.turn;
  }
  /// Adds the derivatives of factor × (x − y) × n at constant y and ξ.
  void add(double factor, EdgeEndAdjoints &adjoints) const {
    const std::array<double, 2> shape = {factor * (1. - xi), factor * xi};
    for (unsigned int end = 0; end < 2; ++end) {
      adjoints.position[end] += shape[end] * position_slope;
      adjoints.normal[end] += shape[end] * normal_slope;
    }
  }

  double xi;
  LineVector position_slope; ///< derivatives with respect to x, and minus those to y [length]
  LineVector normal_slope;   ///< derivatives with respect to n [length]
  double xi_slope;           ///< derivative with respect to ξ [length]
};

/// Adds what an end of a segment contributes to the gradients. η is constant at an end of its own
/// facet, and a function of ξ and of positions elsewhere.
void add_segment_end(const CarrierEdge &edge, const Segment<double> &s, unsigned int end,
                     const SegmentSlopes &slopes, const Polyline &opposite,
                     const std::array<GradientTarget<2>, 2> &contacts,
                     std::array<EdgeEndAdjoints, 2> &adjoints) {
  const auto &[first, second] = opposite.edges[s.facet];
  const double xi = s.xi[end], eta = s.eta[end];
  const unsigned int point = s.points[end];
  BothContacts xi_adjoint = slopes.xi[end];
  if (point != first && point != second && eta > 0. && eta < 1.) {
    const LineVector facet_vector = opposite.edge_vector(s.facet);
    const NormalThroughPoint condition(edge, xi, opposite.points[first] + eta * facet_vector);
    const double eta_slope = condition.position_slope * facet_vector;
    for (unsigned int k = 0; k < 2; ++k) {
      if (contacts[k].adjoints == nullptr)
        continue;
      const double factor = slopes.eta[end][k] / eta_slope;
      condition.add(factor, adjoints[k]);
      xi_adjoint[k] += factor * condition.xi_slope;
      add_gradient(*contacts[k].opposite, first, -factor * (1. - eta) * condition.position_slope);
      add_gradient(*contacts[k].opposite, second, -factor * eta * condition.position_slope);
    }
  }
  if (point == no_point)
    return;
  const NormalThroughPoint condition(edge, xi, opposite.points[point]);
  for (unsigned int k = 0; k < 2; ++k) {
    if (contacts[k].adjoints == nullptr)
      continue;
    const double factor = -xi_adjoint[k] / condition.xi_slope;
    condition.add(factor, adjoints[k]);
    add_gradient(*contacts[k].opposite, point, -factor * condition.position_slope);
  }
}

} // namespace

void differentiate_integrals(const CarrierLine &carrier, unsigned int edge,
                             const std::vector<Segment<double>> &segments, const Polyline &opposite,
                             MortarFunctions functions,
                             const std::array<GradientTarget<2>, 2> &contacts) {
  const EdgeSlopes slopes = slopes_of(carrier, edge, segments, opposite, functions, contacts);
  const CarrierEdge carrier_edge(carrier, edge);
  std::array<EdgeEndAdjoints, 2> adjoints{};
  for (std::size_t i = 0; i < segments.size(); ++i)
    for (unsigned int end = 0; end < 2; ++end)
      add_segment_end(carrier_edge, segments[i], end, slopes.segments[i], opposite, contacts,
                      adjoints);
  const LineVector direction = carrier_edge.edge_vector / carrier_edge.edge_vector.norm();
  for (unsigned int k = 0; k < 2; ++k) {
    if (contacts[k].adjoints == nullptr)
      continue;
    for (unsigned int end = 0; end < 2; ++end) {
      LineVector &position = adjoints[k].position[end];
      position += (end == 0 ? -1. : 1.) * slopes.length[k] * direction;
      position[0] += 2. * dealii::numbers::PI * slopes.weights[end][k];
      add_gradient(*contacts[k].carrier, carrier.line.edges[edge][end], position);
      add_normal_gradients(carrier, edge, end, adjoints[k].normal[end], *contacts[k].carrier);
    }
  }
}

} // namespace percussion
