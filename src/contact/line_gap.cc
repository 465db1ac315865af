#include "line_gap.h"

namespace percussion {
namespace {

/// Returns the vector turned clockwise by a right angle: the tangent of a normal.
LineVector clockwise(const LineVector &vector) { return LineVector({vector[1], -vector[0]}); }
LineVector counterclockwise(const LineVector &vector) { return -clockwise(vector); }

/// Changes the weights so that their weighted position moves along the tangent by `amount`
/// [length], facet by facet; returns the shift.
LineVector shift_along(const LineVector &tangent, double amount,
                       const NumberWeights<double> &covered_facets, const Polyline &opposite,
                       NumberWeights<double> &weights) {
  double total_length = 0.;
  for (const auto &covered_length : covered_facets)
    total_length += covered_length.second;
  LineVector shift;
  for (const auto &[facet, covered_length] : covered_facets) {
    const LineVector edge_vector = opposite.edge_vector(facet);
    const double fraction = amount * covered_length / total_length / (edge_vector * tangent);
    shift += fraction * edge_vector;
    weights.emplace_back(opposite.edges[facet][0], -fraction);
    weights.emplace_back(opposite.edges[facet][1], fraction);
  }
  return shift;
}

/// Ratio κ by which the removal of a tangential component of the gap vector changes the gap,
/// Σ_f ℓ_f/L (e_f · n)/(e_f · t) of the facets in front, with their vectors e_f.
struct FacetSlope {
  double kappa = 0, total_length = 0;

  FacetSlope(const NumberWeights<double> &covered_facets, const LineVector &normal,
             const Polyline &opposite) {
    for (const auto &[facet, covered_length] : covered_facets) {
      total_length += covered_length;
      kappa += covered_length * slope(opposite.edge_vector(facet), normal);
    }
    kappa /= total_length;
  }
  static double slope(const LineVector &edge_vector, const LineVector &normal) {
    return edge_vector * normal / (edge_vector * clockwise(normal));
  }
};

/// Adds the derivatives of factor × κ to gradients and to the adjoint of the normal; returns those
/// with respect to the covered lengths.
NumberWeights<double> differentiate_slope(const FacetSlope &mean, double factor,
                                          const NumberWeights<double> &covered_facets,
                                          const LineVector &normal, const Polyline &opposite,
                                          LineVector &normal_adjoint,
                                          PointGradients<2> &gradients) {
  const LineVector tangent = clockwise(normal);
  NumberWeights<double> adjoints;
  adjoints.reserve(covered_facets.size());
  for (const auto &[facet, covered_length] : covered_facets) {
    const LineVector edge_vector = opposite.edge_vector(facet);
    const double slope = FacetSlope::slope(edge_vector, normal);
    const double scale = factor * covered_length / mean.total_length / (edge_vector * tangent);
    const LineVector edge_adjoint = scale * (normal - slope * tangent);
    add_gradient(gradients, opposite.edges[facet][0], -edge_adjoint);
    add_gradient(gradients, opposite.edges[facet][1], edge_adjoint);
    normal_adjoint += scale * (edge_vector - slope * counterclockwise(edge_vector));
    adjoints.emplace_back(facet, factor * (slope - mean.kappa) / mean.total_length);
  }
  return adjoints;
}

/// Adds what the derivatives with respect to the normal of an edge contribute to its ends.
void add_edge_normal_gradients(const CarrierLine &carrier, unsigned int edge,
                               const LineVector &adjoint, PointGradients<2> &gradients) {
  const double length = carrier.line.edge_vector(edge).norm();
  const LineVector edge_adjoint =
      counterclockwise(perpendicular(adjoint, carrier.edge_normals[edge])) / length;
  add_gradient(gradients, carrier.line.edges[edge][0], -edge_adjoint);
  add_gradient(gradients, carrier.line.edges[edge][1], edge_adjoint);
}

/// Adds what the derivatives with respect to CarrierLine::contact_normal() contribute to the
/// gradients of carrier points.
void add_contact_normal_gradients(const CarrierLine &carrier, unsigned int edge, unsigned int end,
                                  MortarFunctions functions, const LineVector &adjoint,
                                  PointGradients<2> &gradients) {
  if (functions == MortarFunctions::dual)
    return add_normal_gradients(carrier, edge, end, adjoint, gradients);
  const std::array<double, 2> weights = {1. - first_gauss_point, first_gauss_point};
  const std::array<LineVector, 2> normals = {carrier.normal_at_end(edge, end),
                                             carrier.normal_at_end(edge, 1 - end)};
  const LineVector mean = weights[0] * normals[0] + weights[1] * normals[1];
  const LineVector mean_adjoint = vector_adjoint(adjoint, mean);
  add_normal_gradients(carrier, edge, end, weights[0] * mean_adjoint, gradients);
  add_normal_gradients(carrier, edge, 1 - end, weights[1] * mean_adjoint, gradients);
}

} // namespace

void LineSum::merge() {
  for (NumberWeights<double> *const weights : {&carrier, &opposite, &covered_facets})
    *weights = merged_weights(*weights);
}

LineGap line_gap(const LineSum &sum, const LineVector &normal, const Polyline &carrier,
                 const Polyline &opposite, MortarFunctions functions) {
  LineGap result;
  result.carrier = functions == MortarFunctions::dual
                       ? carrier_weights(sum.point, sum.own_area, sum.carrier)
                       : mean_weights(sum.carrier);
  const auto origin = carrier.points[result.carrier.front().first];
  auto weights = mean_weights(sum.opposite);
  LineVector gap_vector; // relative to a carrier point, to keep digits
  for (const auto &[node, weight] : weights)
    gap_vector += weight * (origin - opposite.points[node]);
  for (std::size_t k = 1; k < result.carrier.size(); ++k)
    gap_vector += result.carrier[k].second * (carrier.points[result.carrier[k].first] - origin);
  // If normals turn along the surface, a gap leaves a small tangential component. Normal forces
  // have no moment after it is removed.
  const LineVector tangent = clockwise(normal);
  gap_vector -= shift_along(tangent, gap_vector * tangent, sum.covered_facets, opposite, weights);
  result.gap = gap_vector * normal;
  result.opposite = merged_weights(std::move(weights));
  return result;
}

IntegralAdjoints differentiate_gap(const LineSum &sum, const CarrierLine &carrier,
                                   const Polyline &opposite, MortarFunctions functions,
                                   MortarContact<2> &contact) {
  const LineVector &normal = contact.normal, tangent = clockwise(normal);
  const bool is_dual = functions == MortarFunctions::dual;
  const dealii::Point<2> origin = carrier.line.points[contact.carrier.front().first];
  const double own_area = is_dual ? sum.own_area : 0.;
  const bool is_point = is_dual && sum.carrier.empty(); // the contact is at its point
  const MeanPosition<2> carrier_mean = is_point ? MeanPosition<2>{{}, 1.}
                                                : mean_position(sum.carrier, own_area,
                                                                carrier.line.points, origin),
                        opposite_mean = mean_position(sum.opposite, 0., opposite.points, origin);
  // The gap is gap_vector · (n − κ t).
  const LineVector gap_vector = carrier_mean.position - opposite_mean.position;
  const FacetSlope slope(sum.covered_facets, normal, opposite);
  const LineVector direction = normal - slope.kappa * tangent;
  IntegralAdjoints adjoints;
  adjoints.opposite = differentiate_mean(opposite_mean, sum.opposite, -direction, opposite.points,
                                         origin, contact.opposite_gradient);
  adjoints.carrier = differentiate_mean(carrier_mean, sum.carrier, direction, carrier.line.points,
                                        origin, contact.carrier_gradient);
  if (is_dual) {
    adjoints.own_area = -(carrier_mean.position * direction) / carrier_mean.sum;
    add_gradient(contact.carrier_gradient, sum.point,
                 (is_point ? 1. : own_area / carrier_mean.sum) * direction);
  }
  LineVector normal_adjoint = gap_vector - slope.kappa * counterclockwise(gap_vector);
  adjoints.covered_facets =
      differentiate_slope(slope, -(gap_vector * tangent), sum.covered_facets, normal, opposite,
                          normal_adjoint, contact.opposite_gradient);
  add_contact_normal_gradients(carrier, sum.edge, sum.end, functions, -normal_adjoint,
                               contact.carrier_gradient);
  return adjoints;
}

void add_normal_gradients(const CarrierLine &carrier, unsigned int edge, unsigned int end,
                          const LineVector &adjoint, PointGradients<2> &gradients) {
  const unsigned int neighbour = carrier.joined[edge][end];
  if (neighbour == no_edge)
    return add_edge_normal_gradients(carrier, edge, adjoint, gradients);
  const LineVector sum = carrier.edge_normals[edge] + carrier.edge_normals[neighbour];
  const LineVector sum_adjoint = vector_adjoint(adjoint, sum);
  add_edge_normal_gradients(carrier, edge, sum_adjoint, gradients);
  add_edge_normal_gradients(carrier, neighbour, sum_adjoint, gradients);
}

} // namespace percussion
