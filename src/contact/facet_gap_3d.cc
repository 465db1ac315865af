#include <percussion/contact/facet_search.h>

#include "patch.h"
#include <algorithm>
#include <cmath>
#include <vector>

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
SpaceVector clamped(const SpaceVector &first, const SpaceVector &second,
                    const SpaceVector &edge_direction, const SpaceVector &direction) {
  const auto turn = [&](const SpaceVector &a, const SpaceVector &b) {
    return edge_direction * cross_product_3d(a, b);
  };
  const double sign = turn(first, second) < 0. ? -1. : 1.;
  if (sign * turn(first, direction) <= 0.)
    return first;
  if (sign * turn(direction, second) <= 0.)
    return second;
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
SpaceVector normal_on_edge(const Patch &patch, unsigned int edge, double fraction) {
  const auto edge_begin = local_of_corner(patch, edge),
             edge_end = local_of_corner(patch, (edge + 1) % patch.n);
  return patch.normal({(1. - fraction) * edge_begin[0] + fraction * edge_end[0],
                       (1. - fraction) * edge_begin[1] + fraction * edge_end[1]});
}

/// Returns a facet in the current configuration.
Patch patch_of(const FacetSearch<3> &search, unsigned int facet) {
  std::vector<SpacePoint> corners;
  for (const unsigned int node : search.facets.facets[facet].nodes())
    corners.push_back(search.positions[node]);
  return Patch(corners);
}

/// True if two facets meet in a sharp hollow: each is another side to touch for the other.
bool are_in_hollow(const FacetSearch<3> &search, unsigned int facet, unsigned int neighbour) {
  const Facet<3> &first_facet = search.facets.facets[facet],
                 &second_facet = search.facets.facets[neighbour];
  if (first_facet.chain == second_facet.chain)
    return false;
  const Patch patch = patch_of(search, facet);
  const SpaceVector normal = patch.normal(patch.middle());
  double height = 0;
  for (const unsigned int node : second_facet.nodes())
    height += normal * (search.positions[node] - patch.corner[0]);
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

/// Gap of x to a facet whose nearest point is on its border: on an edge or at a corner.
class BorderGap {
public:
  BorderGap(const FacetSearch<3> &facet_search, const std::vector<SpaceVector> &facet_normals,
            unsigned int facet_number, const Patch &facet_patch, const NearestPoint &border_point,
            const SpacePoint &point)
      : search(facet_search), facets(facet_search.facets), normals(facet_normals),
        number(facet_number), facet(facets.facets[facet_number]), patch(facet_patch),
        nearest(border_point), x(point),
        is_at_corner(border_point.fraction == 0. || border_point.fraction == 1.),
        size(facet_patch.size()) {
    if (is_at_corner)
      find_around_corner();
    else
      find_around_edge();
  }

  /// Returns the gap, unless x is nearer to a neighbour or too far beyond the end of the surface.
  std::optional<FacetGap<3>> gap() const {
    if (is_nearer_to_neighbour())
      return {};
    if (surroundings.is_open)
      return gap_beyond_end();
    return is_at_corner ? gap_of_corner() : gap_of_edge();
  }

private:
  void find_around_corner() {
    const unsigned int node =
        facet.corners[nearest.fraction == 0. ? nearest.edge : (nearest.edge + 1) % patch.n];
    for (const unsigned int facet_number : facets.nodes[node].facets) {
      const Facet<3> &neighbour_facet = facets.facets[facet_number];
      if (facet_number != number && are_in_hollow(search, number, facet_number))
        continue;
      const Patch other_patch = patch_of(search, facet_number);
      for (unsigned int i = 0; i < other_patch.n; ++i)
        if (neighbour_facet.corners[i] == node) {
          surroundings.normal +=
              angle_at(other_patch, i) * other_patch.normal(local_of_corner(other_patch, i));
          surroundings.add_edge(search, facet_number, neighbour_facet.neighbours[i]);
          surroundings.add_edge(
              search, facet_number,
              neighbour_facet.neighbours[(i + other_patch.n - 1) % other_patch.n]);
        }
      if (facet_number != number)
        surroundings.facets.push_back(facet_number);
    }
  }

  void find_around_edge() {
    const unsigned int neighbour = facet.neighbours[nearest.edge];
    surroundings.add_edge(search, number, neighbour);
    surroundings.normal = normal_on_edge(patch, nearest.edge, nearest.fraction);
    if (!surroundings.is_open)
      surroundings.facets.push_back(neighbour);
  }

  bool is_nearer_to_neighbour() const {
    const double round_off = 1e-12 * size;
    return std::any_of(surroundings.facets.begin(), surroundings.facets.end(),
                       [&](unsigned int facet_number) {
                         return nearest_point(patch_of(search, facet_number), x).distance <
                                nearest.distance * (1. - 1e-9) - round_off;
                       });
  }

  /// Returns the gap to the continuation of the facet beyond the end of the surface.
  std::optional<FacetGap<3>> gap_beyond_end() const {
    const auto foot = patch.foot(x);
    if (!foot)
      return {};
    const auto weights = patch.weights(*foot);
    const SpacePoint outside = patch.position(weights);
    if (outside.distance(nearest.x) > std::min(reach_outside * size, surroundings.end))
      return {};
    const SpaceVector normal = patch.normal(*foot);
    return FacetGap<3>{weights, normal * (x - outside), normal};
  }

  FacetGap<3> gap_of_corner() const {
    return gap_along(unit_vector(surroundings.normal),
                     [](const SpaceVector &direction) { return direction; });
  }

  FacetGap<3> gap_of_edge() const {
    const SpaceVector second = normal_of_neighbour();
    const SpaceVector edge_direction =
        unit_vector(patch.corner[(nearest.edge + 1) % patch.n] - patch.corner[nearest.edge]);
    return gap_along(unit_vector(surroundings.normal + second), [&](const SpaceVector &direction) {
      return clamped(surroundings.normal, second, edge_direction, direction);
    });
  }

  /// Returns the normal at the nearest point of the facet on the other side of the edge.
  SpaceVector normal_of_neighbour() const {
    const Patch next = patch_of(search, surroundings.facets[0]);
    const Facet<3> &next_facet = facets.facets[surroundings.facets[0]];
    SpaceVector second = normals[surroundings.facets[0]];
    for (unsigned int i = 0; i < next.n; ++i)
      if (next_facet.neighbours[i] == number &&
          next_facet.corners[(i + 1) % next.n] == facet.corners[nearest.edge])
        second = normal_on_edge(next, i, 1. - nearest.fraction);
    return second;
  }

  /// Returns the gap along the line from the nearest point to x, limited by a function of its
  /// direction, or along the mean normal if x is on the border.
  template <typename Limit>
  FacetGap<3> gap_along(const SpaceVector &mean, const Limit &limit) const {
    const SpaceVector nearest_offset = x - nearest.x;
    const double side = mean * nearest_offset >= 0. ? 1. : -1.;
    const SpaceVector normal =
        nearest.distance > 1e-9 * size ? limit(side / nearest.distance * nearest_offset) : mean;
    return {nearest.weights, normal * nearest_offset, normal};
  }

  const FacetSearch<3> &search;
  const Facets<3> &facets;
  const std::vector<SpaceVector> &normals; ///< normals of all facets
  const unsigned int number;               ///< index of the facet
  const Facet<3> &facet;
  const Patch &patch;
  const NearestPoint &nearest; ///< point of the facet
  const SpacePoint &x;
  const bool is_at_corner;
  const double size;
  Around surroundings;
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
  const Patch patch(outline(number));
  const NearestPoint nearest = nearest_point(patch, x);
  if (nearest.inside) {
    const SpaceVector normal = patch.normal(*nearest.inside);
    return FacetGap<3>{nearest.weights, normal * (x - nearest.x), normal};
  }
  if (normals[number] == SpaceVector())
    return {};
  return BorderGap(*this, normals, number, patch, nearest, x).gap();
}

template <>
Outward<3> FacetSearch<3>::outward(unsigned int node) const {
  std::vector<SpaceVector> facet_normals;
  for (const unsigned int facet : facets.nodes[node].facets)
    facet_normals.push_back(normals[facet]);
  return Outward<3>::among(facet_normals);
}

} // namespace percussion
