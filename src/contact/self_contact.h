#pragma once

#include <percussion/contact/mortar.h>

#include "facet_distance.h"
#include <algorithm>
#include <deque>

namespace percussion {

/// Returns the pairs of self_contact_pairs(). The functions return the points, the normal, the
/// middle and the corners of a facet. Near pairs, found along the axes, are nearer than the reach
/// in any direction: which side becomes the carrier does not depend on the frame of reference.
template <typename Points, typename Normal, typename Middle, typename Corners>
std::vector<EdgePair>
pairs_of_sides(std::size_t n_points, std::size_t n_facets, const std::vector<EdgePair> &near_pairs,
               const MortarRange &range, double least_opposition, const Points &points,
               const Normal &normal, const Middle &middle, const Corners &corners) {
  std::vector<std::vector<unsigned int>> facing(n_facets), point_facets(n_points);
  for (unsigned int e = 0; e < n_facets; ++e)
    for (const unsigned int point : points(e))
      point_facets[point].push_back(e);
  const auto face_each_other = [&](unsigned int a, unsigned int b) {
    for (const unsigned int p : points(a))
      for (const unsigned int q : points(b))
        if (p == q)
          return false;
    const auto n = normal(a), m = normal(b);
    const auto d = middle(b) - middle(a);
    return n * m < -least_opposition && std::min(d * n, -(d * m)) >= -range.depth &&
           squared_distance(corners(a), corners(b), n, m) <= range.reach * range.reach;
  };
  for (const auto &[a, b] : near_pairs)
    if (face_each_other(a, b)) {
      facing[a].push_back(b);
      facing[b].push_back(a);
    }
  // Sides spread from the first facet: neighbours along the boundary are on the same side, facing
  // facets on the other side.
  enum Side { open, carrier, opposite };
  std::vector<Side> side(n_facets, open);
  std::deque<unsigned int> queue;
  const auto reach_facet = [&](unsigned int e, Side new_side) {
    if (side[e] != open || facing[e].empty())
      return;
    side[e] = new_side;
    queue.push_back(e);
  };
  for (unsigned int first = 0; first < n_facets; ++first)
    for (reach_facet(first, carrier); !queue.empty(); queue.pop_front()) {
      const unsigned int e = queue.front();
      for (const unsigned int point : points(e))
        for (const unsigned int neighbour : point_facets[point])
          reach_facet(neighbour, side[e]);
      for (const unsigned int facing_facet : facing[e])
        reach_facet(facing_facet, side[e] == carrier ? opposite : carrier);
    }
  std::vector<EdgePair> pairs;
  for (unsigned int e = 0; e < n_facets; ++e)
    for (const unsigned int facing_facet :
         facing[e]) // one pair if both are on the same side in a fold
      if (side[e] != side[facing_facet] ? side[e] == carrier : e < facing_facet)
        pairs.emplace_back(e, facing_facet);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

} // namespace percussion
