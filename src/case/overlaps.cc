#include <percussion/base/format.h>
#include <percussion/body/boundary_of_body.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/contact/find.h>
#include <percussion/contact/side_geometry.h>

#include "parameter_sections.h"
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace percussion {
namespace {

/// Closed boundary of a connected component of an elastic body, for tests of points.
class Enclosure {
public:
  /// Collects the boundary of the component with this number (Space::component), displaced by q.
  Enclosure(const ElasticBody<2> &body, unsigned int component, const Vector &q) {
    const BoundaryOfBody<2> boundary(body.space, &q);
    for (const auto &face : boundary.faces)
      if (body.space.component[face[0]] == component) {
        edges.push_back({boundary.x(face[0]), boundary.x(face[1])});
        low = std::min({low, edges.back().a[1], edges.back().b[1]});
        high = std::max({high, edges.back().a[1], edges.back().b[1]});
      }
    level_edges.resize(edges.size());
    for (unsigned int e = 0; e < edges.size(); ++e) {
      const auto [first, last] = std::minmax({level_of(edges[e].a[1]), level_of(edges[e].b[1])});
      for (std::size_t level = first; level <= last; ++level)
        level_edges[level].push_back(e);
    }
  }

  /// True if x is inside: an odd number of edges lies to its right.
  bool contains(const dealii::Point<2> &x) const {
    if (!(x[1] >= low && x[1] <= high))
      return false;
    bool inside = false;
    for (const unsigned int e : level_edges[level_of(x[1])]) {
      const auto &[a, b] = edges[e];
      if ((a[1] > x[1]) != (b[1] > x[1]) &&
          x[0] < a[0] + (b[0] - a[0]) * (x[1] - a[1]) / (b[1] - a[1]))
        inside = !inside;
    }
    return inside;
  }
  /// Returns the distance of x from the boundary [length].
  double distance(const dealii::Point<2> &x) const {
    double smallest = std::numeric_limits<double>::max();
    for (const auto &[a, b] : edges) {
      const auto edge_vector = b - a;
      const double fraction = std::clamp(edge_vector * (x - a) / edge_vector.norm_square(), 0., 1.);
      smallest = std::min(smallest, x.distance(a + fraction * edge_vector));
    }
    return smallest;
  }

private:
  struct Edge {
    dealii::Point<2> a, b;
  };
  std::size_t level_of(double y) const {
    const double fraction = high > low ? (y - low) / (high - low) : 0.;
    const auto n = static_cast<double>(level_edges.size());
    return static_cast<std::size_t>(std::clamp(fraction * n, 0., n - 1.));
  }

  std::vector<Edge> edges;
  double low = std::numeric_limits<double>::max(),
         high = std::numeric_limits<double>::lowest(); ///< range of y
  std::vector<std::vector<unsigned int>>
      level_edges; ///< indices of the edges in each of equal intervals of y
};

/// Depth, relative to the shortest edge, by which bodies may overlap at the start: arcs meshed with
/// chords.
constexpr double edge_fraction = 0.05;
/// Depth, relative to the shortest edge or to the size of the body, up to which an overlap at the
/// start is ignored.
constexpr double ignored_fraction = 1e-6;

/// Depth, relative to the depth of a contact that bears a force, by which its pair may overlap: the
/// deepest point of a face is no contact.
constexpr double loaded_fraction = 1.5;

/// Returns the depth of the deepest contact of each pair that bears a force at the start, as
/// springs do that a static preload or an earlier run has compressed [length].
template <int dim>
std::vector<double> loaded_depths(const Case<dim> &c, const ContactList<dim> &found) {
  std::vector<double> depths(c.boundary->pairs.size(), 0.);
  for (const auto &contact : found.contacts) {
    const auto *const memory = c.initial.history.find(contact.key);
    if (memory != nullptr && memory->percussion[0] > 0.)
      depths[contact.key.pair] = std::max(depths[contact.key.pair], -contact.gap);
  }
  return depths;
}

/// Returns the depth by which the sides of a contact may overlap at a point at the start [length],
/// if its contacts that bear forces have this loaded depth.
template <int dim>
double allowed_depth(const ContactPair<dim> &pair, double edge, double loaded_depth) {
  if (pair.initial_overlap.is_reference())
    return std::numeric_limits<double>::max();
  const bool is_refused = pair.initial_overlap.treatment == InitialOverlap::Treatment::refused;
  return std::max({(is_refused ? ignored_fraction : edge_fraction) * edge,
                   pair.largest_reference_gap, loaded_fraction * loaded_depth});
}

/// Returns the local mesh size at a point on faces; at a point of a rigid body, the smallest mesh
/// size of the opposite side [length].
template <int dim>
double edge_at(const Boundary<dim> &boundary, const ContactPoint<dim> &point) {
  if (point.own_facets)
    return boundary.facets[point.own_facets->facets].nodes[point.own_facets->node].size;
  double size = std::numeric_limits<double>::max();
  for (const auto &node : boundary.facets[*point.opposite_facets].nodes)
    size = std::min(size, node.size);
  return size;
}

/// Point that is inside another body.
template <int dim>
struct Overlap {
  dealii::Point<dim> x;
  double allowed = 0; ///< largest accepted depth [length]
  double depth = 0;
};

/// Connected component of an elastic body: index of the body, number of the component.
using Component = std::pair<unsigned int, unsigned int>;
Component component_of(const System<2> &system, const FacetNode<2> &node) {
  return {node.elastic, system.elastic[node.elastic]->space.component[node.node]};
}

/// Replaces `found` by the deepest point of a side of this contact inside another body, if that is
/// deeper.
void find_deepest(const Case<2> &c, unsigned int pair, double loaded_depth, Overlap<2> &found) {
  const Boundary<2> &boundary = *c.boundary;
  const TraceField q = boundary.trace.gather(c.initial.q); // displacements
  std::set<unsigned int> sides;
  std::map<Component, Enclosure> enclosures; // of the bodies that the sides bound
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
    for (const unsigned int side : facets_of(boundary.points[i]))
      if (sides.insert(side).second)
        for (const auto &node : boundary.facets[side].nodes)
          if (const Component component = component_of(boundary.system, node);
              enclosures.count(component) == 0)
            enclosures.emplace(component, Enclosure(*boundary.system.elastic[component.first],
                                                    component.second, c.initial.q));
  const auto look_at = [&](const dealii::Point<2> &x, double edge, const Component *own_component) {
    const double allowed = allowed_depth(boundary.pairs[pair], edge, loaded_depth);
    for (const auto &[component, enclosure] : enclosures)
      if ((own_component == nullptr || component != *own_component) && enclosure.contains(x))
        if (const double depth = enclosure.distance(x); depth > std::max(allowed, found.depth))
          found = {x, allowed, depth};
  };
  for (const unsigned int side : sides)
    for (const auto &node : boundary.facets[side].nodes) {
      const Component own_component = component_of(boundary.system, node);
      dealii::Point<2> x = node.position;
      for (unsigned int d = 0; d < 2; ++d)
        x[d] += q[node.entry + d];
      look_at(x, node.size, &own_component);
    }
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
    if (const ContactPoint<2> &point = boundary.points[i]; point.rigid_point()) {
      const unsigned int index = point.rigid_point()->body;
      const RigidBody<2> &body = boundary.system.rigid[index];
      const RigidPose<2> pose(body, q.data() + boundary.trace.rigid_body_entry(index));
      look_at(pose.centre + pose.turned(point.position - body.centre), edge_at(boundary, point),
              nullptr);
    }
}

/// Reports the deepest overlap at the start for each contact on faces: among the contacts within
/// the reach of the search, and in 2D among all points inside of bodies.
template <int dim>
void refuse_overlapping_faces(const CaseInput &input, const Case<dim> &c,
                              const ContactList<dim> &found) {
  const Boundary<dim> &boundary = *c.boundary;
  std::map<unsigned int, Overlap<dim>> deepest; // by pairs
  const std::vector<double> loaded = loaded_depths(c, found);
  for (const Contact<dim> &contact : found.contacts) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    if (!point.opposite_facets || contact.opposite_body)
      continue;
    const double allowed = allowed_depth(boundary.pairs[contact.key.pair], edge_at(boundary, point),
                                         loaded[contact.key.pair]);
    if (Overlap<dim> &pair_overlap = deepest[contact.key.pair];
        - contact.gap > std::max(allowed, pair_overlap.depth))
      pair_overlap = {point.position, allowed, -contact.gap};
  }
  if constexpr (dim == 2)
    for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
      if (boundary.pairs[pair].is_on_faces())
        find_deepest(c, pair, loaded[pair], deepest[pair]);
  for (const auto &[pair, overlap] : deepest)
    if (overlap.depth > 0.)
      input.in(contact_section + "/" + boundary.pairs[pair].name)
          .report_section(
              format("the two sides begin inside of each other, %.3g deep at ", overlap.depth) +
              bracketed_point(overlap.x, 3) +
              format("; %.3g would count as an error of meshed curved faces. Move one side, let "
                     "faces that match begin closed (Begin closed up to), or keep or resolve the "
                     "overlap (Initial overlap)",
                     overlap.allowed));
}

/// Overlap of two sides that begin inside of each other by less than a refused depth.
template <int dim>
struct SlightOverlap {
  double volume = 0, area = 0; ///< sums over the contacts that begin inside
  Overlap<dim> deepest;
  std::set<unsigned int> facets; ///< indices of both sides in Boundary::facets
};

/// Returns the overlaps between regions that no entry treats, by pairs.
template <int dim>
std::map<unsigned int, SlightOverlap<dim>> slight_overlaps(const Boundary<dim> &boundary,
                                                           const ContactList<dim> &found) {
  std::map<unsigned int, SlightOverlap<dim>> overlaps;
  for (const Contact<dim> &contact : found.contacts) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    const ContactPair<dim> &pair = boundary.pairs[contact.key.pair];
    if (!point.opposite_facets || !point.own_facets || contact.opposite_body ||
        pair.initial_overlap.treatment != InitialOverlap::Treatment::automatic)
      continue;
    const auto &node = boundary.facets[point.own_facets->facets].nodes[point.own_facets->node];
    if (!(-contact.gap > std::max(ignored_fraction * node.size, pair.largest_reference_gap)))
      continue;
    SlightOverlap<dim> &overlap = overlaps[contact.key.pair];
    overlap.volume -= node.area * contact.gap;
    overlap.area += node.area;
    overlap.facets.insert({point.own_facets->facets, *point.opposite_facets});
    if (-contact.gap > overlap.deepest.depth)
      overlap.deepest = {point.position, 0., -contact.gap};
  }
  return overlaps;
}

/// Returns the largest mean depth of chords of curved faces: two thirds of the sagitta of one side,
/// if the other is fine.
template <int dim>
double chord_depth(const Boundary<dim> &boundary, const SlightOverlap<dim> &overlap) {
  constexpr double fraction = 0.8;
  double depth = 0;
  for (const unsigned int side : overlap.facets)
    depth = std::max(depth, fraction * largest_sagitta(boundary.facets[side]));
  return depth;
}

/// Warns of overlaps that the laws of velocities keep without a force, if the mean depth of the
/// contacts that begin inside is not that of chords. Pairs with forces at the start press already.
template <int dim>
void warn_of_kept_overlaps(const CaseInput &input, Case<dim> &c, const ContactList<dim> &found) {
  if (input.get("Time/Inertia") == "none" || c.choices.gap != GapLaw::rate)
    return;
  const Boundary<dim> &boundary = *c.boundary;
  const std::vector<double> loaded = loaded_depths(c, found);
  for (const auto &[pair, overlap] : slight_overlaps(boundary, found))
    if (overlap.volume > chord_depth(boundary, overlap) * overlap.area && loaded[pair] == 0.)
      c.warnings.push_back(
          "the sides of contact '" + boundary.pairs[pair].name +
          format("' begin inside of each other, %.3g deep at ", overlap.deepest.depth) +
          bracketed_point(overlap.deepest.x, 3) +
          "; this overlap stays and does not press: Initial overlap resolves it over a time, or "
          "keeps it without this warning");
}

/// Largest number of warnings; further ones are only counted.
constexpr std::size_t most_warnings = 5;

/// Returns the largest distance from the first point.
template <int dim, typename Points>
double extent(const Points &points) {
  double size = 0;
  for (const dealii::Point<dim> &x : points)
    size = std::max(size, x.distance(points.front()));
  return size;
}

/// Contact pair and rigid bodies of an overlap, ordered by pairs and bodies; sides without a rigid
/// body come last.
struct Encounter {
  unsigned int pair;
  std::optional<unsigned int> body, opposite_body;

  auto tied() const { return std::tuple(pair, !body, body, !opposite_body, opposite_body); }
  bool operator<(const Encounter &second) const { return tied() < second.tied(); }
};

template <int dim>
std::string warning(const Case<dim> &c, const Encounter &encounter, double depth) {
  const auto name = [&](std::optional<unsigned int> body) {
    return body ? "body '" + c.bodies->rigid[*body].name + "'" : "an elastic body";
  };
  return name(encounter.body) + " begins inside of " +
         (encounter.opposite_body
              ? name(encounter.opposite_body)
              : "the surface of contact '" + c.boundary->pairs[encounter.pair].name + "'") +
         format(", %.3g deep", depth);
}

} // namespace

template <int dim>
void check_overlaps(const CaseInput &input, Case<dim> &c) {
  double elastic_size = 0;
  for (const auto &body : c.bodies->elastic)
    elastic_size = std::max(elastic_size, extent<dim>(body->space.nodes));
  const auto size = [&](std::optional<unsigned int> body) {
    return body ? c.boundary->sizes[*body] : elastic_size;
  };

  std::map<Encounter, double> depths;
  ContactFinder<dim> finder(*c.boundary);
  finder.exclude(absent_bodies(*c.bodies, c.span.start));
  const auto found = finder.find(c.boundary->trace.gather(c.initial.q), c.span.start);
  refuse_overlapping_faces(input, c, found);
  warn_of_kept_overlaps(input, c, found);
  const std::vector<double> loaded = loaded_depths(c, found);
  for (const auto &contact : found.contacts) {
    const ContactPoint<dim> &point = c.boundary->points[contact.point];
    if (point.opposite_facets)
      continue; // refuse_overlapping_faces() reports these
    const auto body = point.rigid_body(), opposite_body = contact.opposite_body;
    const double allowed =
        ignored_fraction * std::min(size(body), size(opposite_body ? opposite_body : body));
    if (!(-contact.gap > std::max(allowed, loaded_fraction * loaded[contact.key.pair])))
      continue;
    // Either body may own the touching vertex: both cases count as one overlap.
    const bool swap = body && opposite_body && opposite_body < body;
    double &depth =
        depths[{contact.key.pair, swap ? opposite_body : body, swap ? body : opposite_body}];
    depth = std::max(depth, -contact.gap);
  }
  std::size_t n = 0;
  for (const auto &[encounter, depth] : depths)
    if (const ContactPair<dim> &pair = c.boundary->pairs[encounter.pair];
        pair.initial_overlap.treatment == InitialOverlap::Treatment::refused)
      input.in(contact_section)
          .in(pair.name)
          .report("Initial overlap", warning(c, encounter, depth));
    else if (n++ < most_warnings)
      c.warnings.push_back(warning(c, encounter, depth));
  if (n > most_warnings)
    c.warnings.push_back(std::to_string(n - most_warnings) + " more overlaps at the start");
}

PERCUSSION_INSTANTIATE(check_overlaps);

} // namespace percussion
