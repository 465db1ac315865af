#include <percussion/contact/facet_search.h>

#include "cross_product.h"

namespace percussion {
namespace {

using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;
constexpr unsigned int no_neighbour = Facets<2>::none;

/// A point past an end of a line by this share of the facet still counts as in front of it: bodies
/// of the same width meet at their corners, which move to and fro.
constexpr double reach_along = 0.1;
/// By so much of its reach a facet may move before its box is left.
constexpr double slack = 0.5;

/// The unit vector along `direction` as far as it lies between two normals that follow each other;
/// their mean where there is no direction.
Tensor between(const Tensor &before, const Tensor &after, const Tensor &direction,
               double least_length) {
  const double length = direction.norm(), turn = cross_product(before, after) < 0. ? -1. : 1.;
  if (length <= least_length) {
    const Tensor sum = before + after;
    return sum.norm() > 0. ? sum / sum.norm() : before;
  }
  if (turn * cross_product(before, direction) <= 0.)
    return before;
  if (turn * cross_product(direction, after) <= 0.)
    return after;
  return direction / length;
}

/// See FacetSearch::reach().
std::vector<double> reaches_of(const Facets<2> &facets) {
  std::vector<Outline> lines;
  for (const Facet &f : facets.facets)
    lines.push_back({facets.nodes[f.begin].position, facets.nodes[f.end].position});
  const BroadPhase tree(lines, std::vector<double>(lines.size(), 0.));
  const auto normal = [&](std::size_t f) {
    const Tensor along = lines[f][1] - lines[f][0];
    return cross_product_2d(along) / along.norm();
  };
  std::vector<double> reaches;
  std::vector<unsigned int> behind;
  for (std::size_t f = 0; f < lines.size(); ++f) {
    const Tensor n = normal(f);
    const Point middle = lines[f][0] + 0.5 * (lines[f][1] - lines[f][0]);
    double reach = lines[f][0].distance(lines[f][1]);
    tree.near(middle, middle - 2. * reach * n, behind);
    for (const unsigned int other : behind) {
      const double thickness = (middle - lines[other][0]) * n;
      const bool is_neighbour = facets.facets[other].begin == facets.facets[f].end ||
                                facets.facets[other].end == facets.facets[f].begin;
      if (normal(other) * n < 0. && thickness > 0. && !is_neighbour)
        reach = std::min(reach, 0.5 * thickness);
    }
    reaches.push_back(reach);
  }
  return reaches;
}

} // namespace

FacetSearch::FacetSearch(const Facets<2> &f)
    : facets(f), positions(f.nodes.size()), reaches(reaches_of(f)) {
  normals.resize(facets.facets.size());
}

void FacetSearch::move(const Vector &q) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (unsigned int d = 0; d < 2; ++d)
      positions[i][d] = facets.nodes[i].position[d] + entries(q)[facets.nodes[i].dofs[d]];
  for (std::size_t f = 0; f < normals.size(); ++f) {
    const Tensor along = positions[facets.facets[f].end] - positions[facets.facets[f].begin];
    const double length = along.norm();
    normals[f] = length > 0. ? cross_product_2d(along) / length : Tensor();
  }
  if (tree == nullptr || has_left_boxes())
    make_tree();
}

bool FacetSearch::has_left_boxes() const {
  for (unsigned int f = 0; f < facets.facets.size(); ++f)
    for (const unsigned int node : {facets.facets[f].begin, facets.facets[f].end})
      if (!((positions[node] - x_of_tree[node]).norm() <= slack * reach(f)))
        return true;
  return false;
}

void FacetSearch::make_tree() {
  std::vector<Outline> lines;
  std::vector<double> margins;
  for (unsigned int f = 0; f < facets.facets.size(); ++f) {
    lines.push_back({positions[facets.facets[f].begin], positions[facets.facets[f].end]});
    margins.push_back((1. + slack) * reach(f));
  }
  tree = std::make_unique<BroadPhase<2>>(lines, margins);
  x_of_tree = positions;
  ++n_trees;
}

std::optional<FacetGap> FacetSearch::gap(unsigned int facet, const Point &point) const {
  const Facet &f = facets.facets[facet];
  const Point &a = positions[f.begin], &b = positions[f.end];
  const Tensor along = b - a;
  const double square = along.norm_square(), share = along * (point - a) / square;
  if (!(square > 0.))
    return {};
  if (share > 0. && share < 1.)
    return FacetGap{share, normals[facet] * (point - a), normals[facet]};
  const bool at_end = share >= 1.;
  const unsigned int corner = at_end ? f.end : f.begin;
  const unsigned int neighbour = at_end ? facets.nodes[corner].after : facets.nodes[corner].before;
  const Tensor from_corner = point - positions[corner];
  if (neighbour == no_neighbour) {
    if (share < -reach_along || share > 1. + reach_along)
      return {};
    return FacetGap{share, normals[facet] * from_corner, normals[facet]};
  }
  const Facet &next = facets.facets[neighbour];
  const Tensor into_next = at_end ? positions[next.end] - positions[next.begin]
                                  : positions[next.begin] - positions[next.end];
  if (into_next * from_corner > 0.)
    return {}; // it is nearer to the neighbour
  const Tensor &before = normals[at_end ? facet : neighbour];
  const Tensor &after = normals[at_end ? neighbour : facet];
  const double side = (before + after) * from_corner >= 0. ? 1. : -1.;
  const Tensor normal = between(before, after, side * from_corner, 1e-9 * std::sqrt(square));
  return FacetGap{at_end ? 1. : 0., normal * from_corner, normal};
}

Outward FacetSearch::outward(unsigned int node) const {
  const auto &[before, after] = std::pair(facets.nodes[node].before, facets.nodes[node].after);
  if (before == no_neighbour || after == no_neighbour)
    return {normals[before == no_neighbour ? after : before], 0.};
  return Outward::between(normals[before], normals[after]);
}

Outward Outward::between(const Tensor &before, const Tensor &after) {
  const Tensor sum = before + after;
  if (!(sum.norm() > 0.))
    return {before, 0.}; // a crack has no outside
  const Tensor normal = sum / sum.norm();
  return {normal, 0.5 * (normal * before)};
}

} // namespace percussion
