#include <percussion/contact/facet_search.h>

#include "cross_product.h"

namespace percussion {
namespace {

using Tensor = dealii::Tensor<1, 2>;
constexpr unsigned int no_neighbour = Facets<2>::none;

/// Fraction of a facet by which a point past the end of a line still counts as in front of the
/// facet: bodies of equal width meet at their corners, which move to and fro.
constexpr double reach_along = 0.1;

/// Returns the unit vector along `direction`, limited to the angle between two successive normals,
/// or the mean of the normals if the direction is shorter than a tolerance.
Tensor clamped(const Tensor &first, const Tensor &second, const Tensor &direction,
               double least_length) {
  const double length = direction.norm(), turn = cross_product(first, second) < 0. ? -1. : 1.;
  if (length <= least_length) {
    const Tensor sum = first + second;
    return sum.norm() > 0. ? sum / sum.norm() : first;
  }
  if (turn * cross_product(first, direction) <= 0.)
    return first;
  if (turn * cross_product(direction, second) <= 0.)
    return second;
  return direction / length;
}

} // namespace

template <>
void FacetSearch<2>::find_normals() {
  for (std::size_t f = 0; f < normals.size(); ++f) {
    const Tensor edge_vector = positions[facets.facets[f].end] - positions[facets.facets[f].begin];
    const double length = edge_vector.norm();
    normals[f] = length > 0. ? cross_product_2d(edge_vector) / length : Tensor();
  }
}

template <>
std::optional<FacetGap<2>> FacetSearch<2>::gap(unsigned int facet,
                                               const dealii::Point<2> &point) const {
  const Facet<2> &f = facets.facets[facet];
  const dealii::Point<2> &a = positions[f.begin], &b = positions[f.end];
  const Tensor edge_vector = b - a;
  const double square = edge_vector.norm_square(), fraction = edge_vector * (point - a) / square;
  if (!(square > 0.))
    return {};
  if (fraction > 0. && fraction < 1.)
    return FacetGap<2>{fraction, normals[facet] * (point - a), normals[facet]};
  const bool is_at_end = fraction >= 1.;
  const unsigned int corner = is_at_end ? f.end : f.begin;
  const unsigned int neighbour =
      is_at_end ? facets.nodes[corner].next_facet : facets.nodes[corner].previous_facet;
  const Tensor corner_offset = point - positions[corner];
  const bool is_end = neighbour == no_neighbour;
  // Across a sharp hollow, the next facet is another side to touch.
  const auto is_hollow = [&](const Facet<2> &next) {
    const unsigned int far_node = is_at_end ? next.end : next.begin;
    return next.chain != f.chain && normals[facet] * (positions[far_node] - a) > 0.;
  };
  if (is_end || is_hollow(facets.facets[neighbour])) {
    const double length = std::sqrt(square),
                 past = (is_at_end ? fraction - 1. : -fraction) * length;
    if (past > std::min(reach_along * length, is_end ? length : reach(neighbour)))
      return {};
    return FacetGap<2>{fraction, normals[facet] * corner_offset, normals[facet]};
  }
  const Facet<2> &next = facets.facets[neighbour];
  const Tensor into_next = is_at_end ? positions[next.end] - positions[next.begin]
                                     : positions[next.begin] - positions[next.end];
  if (into_next * corner_offset > 0.)
    return {}; // the point is nearer to the neighbour
  const Tensor &first = normals[is_at_end ? facet : neighbour];
  const Tensor &second = normals[is_at_end ? neighbour : facet];
  const double side = (first + second) * corner_offset >= 0. ? 1. : -1.;
  const Tensor normal = clamped(first, second, side * corner_offset, 1e-9 * std::sqrt(square));
  return FacetGap<2>{is_at_end ? 1. : 0., normal * corner_offset, normal};
}

template <>
Outward<2> FacetSearch<2>::outward(unsigned int node) const {
  const auto &[first, second] =
      std::pair(facets.nodes[node].previous_facet, facets.nodes[node].next_facet);
  if (first == no_neighbour || second == no_neighbour)
    return {normals[first == no_neighbour ? second : first], 0.};
  return Outward<2>::bisector(normals[first], normals[second]);
}

} // namespace percussion
