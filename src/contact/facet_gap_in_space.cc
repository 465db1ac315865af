#include <percussion/contact/facet_search.h>

#include "patch.h"
#include <cmath>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;
constexpr unsigned int open_edge = Facets<3>::none;

/// Fraction of a facet by which a point past the end of a surface still counts as in front of the
/// facet, as in 2D.
constexpr double reach_outside = 0.1;

SpaceVector unit_vector(const SpaceVector &v) {
  const double length = v.norm();
  return length > 0. ? v / length : v;
}

/// Returns a direction in the normal plane of an edge, limited to the angle between the normals of
/// both sides, as in 2D.
SpaceVector clamped(const SpaceVector &before, const SpaceVector &after, const SpaceVector &along,
                    const SpaceVector &direction) {
  const auto turn = [&](const SpaceVector &a, const SpaceVector &b) {
    return along * cross_product_3d(a, b);
  };
  const double sign = turn(before, after) < 0. ? -1. : 1.;
  if (sign * turn(before, direction) <= 0.)
    return before;
  if (sign * turn(direction, after) <= 0.)
    return after;
  return direction;
}

/// Returns the angle of a facet at one of its corners.
double angle_at(const Patch &patch, unsigned int corner) {
  const SpaceVector a = unit_vector(patch.corner[(corner + 1) % patch.n] - patch.corner[corner]),
                    b = unit_vector(patch.corner[(corner + patch.n - 1) % patch.n] -
                                    patch.corner[corner]);
  return std::atan2(cross_product_3d(a, b).norm(), a * b);
}

Patch::Local local_of_corner(const Patch &patch, unsigned int corner) {
  if (patch.n == 3)
    return {corner == 1 ? 1. : 0., corner == 2 ? 1. : 0.};
  return {corner == 1 || corner == 2 ? 1. : 0., corner >= 2 ? 1. : 0.};
}

/// Returns the normal of a facet at a point of one of its edges.
SpaceVector normal_on_edge(const Patch &patch, unsigned int edge, double share) {
  const auto from = local_of_corner(patch, edge), to = local_of_corner(patch, (edge + 1) % patch.n);
  return patch.normal(
      {(1. - share) * from[0] + share * to[0], (1. - share) * from[1] + share * to[1]});
}

/// True if two facets meet in a sharp hollow: each is another side to touch for the other.
bool are_in_hollow(const FacetSearch<3> &search, unsigned int facet, unsigned int neighbour) {
  const Facet<3> &own = search.facets.facets[facet], &other = search.facets.facets[neighbour];
  if (own.chain == other.chain)
    return false;
  std::vector<SpacePoint> corners;
  for (const unsigned int node : own.nodes())
    corners.push_back(search.positions[node]);
  const Patch patch(corners);
  const SpaceVector normal = patch.normal(patch.middle());
  double height = 0;
  for (const unsigned int node : other.nodes())
    height += normal * (search.positions[node] - corners[0]);
  return height > 0.;
}

/// Surroundings of the nearest point of a facet if it is on an edge or a corner.
struct Around {
  std::vector<unsigned int> facets; ///< adjacent facets
  SpaceVector normal;   ///< sum of normals weighted by angles (Bærentzen and Aanæs 2005)
  bool is_open = false; ///< true if the surface ends there
  double end = 0;       ///< distance past the end up to which a point is in front of the surface

  void add_edge(const FacetSearch<3> &search, unsigned int facet, unsigned int neighbour) {
    if (neighbour != open_edge && !are_in_hollow(search, facet, neighbour))
      return;
    const double reach = search.reach(neighbour == open_edge ? facet : neighbour);
    end = is_open ? std::min(end, reach) : reach;
    is_open = true;
  }
};

} // namespace

template <>
void FacetSearch<3>::find_normals() {
  for (unsigned int f = 0; f < normals.size(); ++f) {
    const Patch patch(outline(f));
    normals[f] = patch.normal(patch.middle());
  }
}

template <>
std::optional<FacetGap<3>> FacetSearch<3>::gap(unsigned int number, const SpacePoint &x) const {
  const Facet<3> &facet = facets.facets[number];
  const Patch patch(outline(number));
  const NearestPlace place = nearest_place(patch, x);
  if (place.inside) {
    const SpaceVector normal = patch.normal(*place.inside);
    return FacetGap<3>{place.weights, normal * (x - place.x), normal};
  }
  if (normals[number] == SpaceVector())
    return {};
  const double size = patch.size();
  Around around;
  const bool at_corner = place.share == 0. || place.share == 1.;
  if (at_corner) {
    const unsigned int node =
        facet.corners[place.share == 0. ? place.edge : (place.edge + 1) % patch.n];
    for (const unsigned int other : facets.nodes[node].facets) {
      const Facet<3> &at = facets.facets[other];
      if (other != number && are_in_hollow(*this, number, other))
        continue;
      const Patch of_other(outline(other));
      for (unsigned int i = 0; i < of_other.n; ++i)
        if (at.corners[i] == node) {
          around.normal += angle_at(of_other, i) * of_other.normal(local_of_corner(of_other, i));
          around.add_edge(*this, other, at.neighbours[i]);
          around.add_edge(*this, other, at.neighbours[(i + of_other.n - 1) % of_other.n]);
        }
      if (other != number)
        around.facets.push_back(other);
    }
  } else {
    const unsigned int neighbour = facet.neighbours[place.edge];
    around.add_edge(*this, number, neighbour);
    around.normal = normal_on_edge(patch, place.edge, place.share);
    if (!around.is_open)
      around.facets.push_back(neighbour);
  }
  const double round_off = 1e-12 * size;
  for (const unsigned int other : around.facets)
    if (nearest_place(Patch(outline(other)), x).distance < place.distance * (1. - 1e-9) - round_off)
      return {}; // x is nearer to the neighbour
  if (around.is_open) {
    const auto foot = patch.foot(x);
    if (!foot)
      return {};
    const auto weights = patch.weights(*foot);
    const SpacePoint outside = patch.position(weights);
    if (outside.distance(place.x) > std::min(reach_outside * size, around.end))
      return {};
    const SpaceVector normal = patch.normal(*foot);
    return FacetGap<3>{weights, normal * (x - outside), normal};
  }
  const SpaceVector from_place = x - place.x;
  if (at_corner) {
    const SpaceVector mean = unit_vector(around.normal);
    const double side = mean * from_place >= 0. ? 1. : -1.;
    const SpaceVector normal =
        place.distance > 1e-9 * size ? side / place.distance * from_place : mean;
    return FacetGap<3>{place.weights, normal * from_place, normal};
  }
  const Patch next(outline(around.facets[0]));
  const Facet<3> &of_next = facets.facets[around.facets[0]];
  SpaceVector after = normals[around.facets[0]];
  for (unsigned int i = 0; i < next.n; ++i)
    if (of_next.neighbours[i] == number &&
        of_next.corners[(i + 1) % next.n] == facet.corners[place.edge])
      after = normal_on_edge(next, i, 1. - place.share);
  const SpaceVector mean = unit_vector(around.normal + after);
  const double side = mean * from_place >= 0. ? 1. : -1.;
  const SpaceVector along =
      unit_vector(patch.corner[(place.edge + 1) % patch.n] - patch.corner[place.edge]);
  const SpaceVector normal =
      place.distance > 1e-9 * size
          ? clamped(around.normal, after, along, side / place.distance * from_place)
          : mean;
  return FacetGap<3>{place.weights, normal * from_place, normal};
}

template <>
Outward<3> FacetSearch<3>::outward(unsigned int node) const {
  std::vector<SpaceVector> around;
  for (const unsigned int facet : facets.nodes[node].facets)
    around.push_back(normals[facet]);
  return Outward<3>::among(around);
}

} // namespace percussion
