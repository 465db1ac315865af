#include "enclosure.h"
#include "parameter_sections.h"
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace percussion {
namespace {

/// Depth, relative to the shortest edge, by which bodies may overlap at the start: arcs meshed with
/// chords.
constexpr double edge_fraction = 0.05;

/// Returns the depth by which the sides of a contact may overlap at a point at the start [length].
template <int dim>
double allowed_depth(const ContactPair<dim> &pair, double edge) {
  return std::max(edge_fraction * edge, pair.largest_reference_gap);
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

/// Point that may be inside another body, with its depth.
struct Point {
  dealii::Point<2> x;
  double allowed; ///< largest accepted depth [length]
  double depth = 0;
};

/// Connected component of an elastic body: index of the body, number of the component.
using Component = std::pair<unsigned int, unsigned int>;
Component component_of(const System<2> &system, const FacetNode<2> &node) {
  return {node.elastic, system.elastic[node.elastic]->space.component[node.node]};
}

/// The sides of a contact on faces, with the bodies that they bound.
class Sides {
public:
  Sides(const Case<2> &c, unsigned int p)
      : boundary(*c.boundary), q(boundary.trace.gather(c.initial.q)), pair(p) {
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
      for (const unsigned int side : facets_of(boundary.points[i]))
        if (sides.insert(side).second)
          for (const auto &node : boundary.facets[side].nodes)
            if (const Component component = component_of(boundary.system, node);
                enclosures.count(component) == 0)
              enclosures.emplace(component, Enclosure(*boundary.system.elastic[component.first],
                                                      component.second, c.initial.q));
  }

  /// Returns the deepest point of one side inside another body; its depth is 0 if no point is
  /// deeper than allowed.
  Point deepest() const {
    Point found{{}, 0., 0.};
    for (const unsigned int side : sides)
      for (const auto &node : boundary.facets[side].nodes) {
        const Component own_component = component_of(boundary.system, node);
        look_at(displaced(node), &own_component, found);
      }
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
      if (boundary.points[i].rigid_point())
        look_at(displaced(boundary.points[i]), nullptr, found);
    return found;
  }

  /// Returns the displaced position of a contact point.
  Point displaced(const ContactPoint<2> &point) const {
    if (point.own_facets)
      return displaced(boundary.facets[point.own_facets->facets].nodes[point.own_facets->node]);
    const unsigned int index = point.rigid_point()->body;
    const RigidBody<2> &body = boundary.system.rigid[index];
    const RigidPose<2> pose(body, q.data() + boundary.trace.of_rigid_body(index));
    return {pose.centre + pose.turned(point.position - body.centre),
            allowed_depth(boundary.pairs[pair], edge_at(boundary, point))};
  }

private:
  Point displaced(const FacetNode<2> &node) const {
    Point point{node.position, allowed_depth(boundary.pairs[pair], node.size)};
    for (unsigned int d = 0; d < 2; ++d)
      point.x[d] += q[node.entry + d];
    return point;
  }

  void look_at(Point point, const Component *own_component, Point &found) const {
    for (const auto &[component, enclosure] : enclosures)
      if ((own_component == nullptr || component != *own_component) &&
          enclosure.contains(point.x)) {
        point.depth = enclosure.distance(point.x);
        if (point.depth > point.allowed && point.depth > found.depth)
          found = point;
      }
  }

  const Boundary<2> &boundary;
  TraceField q; ///< displacements over the trace
  unsigned int pair;
  std::set<unsigned int> sides;
  std::map<Component, Enclosure> enclosures;
};

void report_depth(const CaseInput &input, const std::string &name, double depth, double allowed,
                  const std::string &point_text) {
  std::ostringstream reason;
  reason.precision(3);
  reason << "the two sides begin inside of each other, " << depth << " deep at (" << point_text
         << "); " << allowed
         << " would count as an error of meshed curved faces. Move one side, or "
         << "let faces that match begin closed (Begin closed up to)";
  input.report_subsection("Contact/" + name, reason.str());
}

template <int dim>
std::string written(const dealii::Point<dim> &x) {
  std::ostringstream text;
  text.precision(3);
  for (unsigned int d = 0; d < dim; ++d)
    text << (d == 0 ? "" : ", ") << x[d];
  return text.str();
}

} // namespace

void refuse_overlapping_faces(const CaseInput &input, const Case<2> &c,
                              const ContactList<2> &found) {
  for (unsigned int pair = 0; pair < c.boundary->pairs.size(); ++pair) {
    if (!c.boundary->pairs[pair].is_on_faces())
      continue;
    const Sides sides(c, pair);
    Point deepest = sides.deepest();
    for (const Contact<2> &contact : found.contacts) // self-contact inside the body
      if (contact.key.pair == pair && !contact.opposite_body && -contact.gap > deepest.depth)
        if (Point point = sides.displaced(c.boundary->points[contact.point]);
            - contact.gap > point.allowed) {
          deepest = point;
          deepest.depth = -contact.gap;
        }
    if (deepest.depth == 0.)
      continue;
    report_depth(input, c.boundary->pairs[pair].name, deepest.depth, deepest.allowed,
                 written(deepest.x));
  }
}

/// Reports overlaps in 3D among the contacts within the reach of the search.
void refuse_overlapping_faces(const CaseInput &input, const Case<3> &c,
                              const ContactList<3> &found) {
  const Boundary<3> &boundary = *c.boundary;
  const auto allowed = [&](const Contact<3> &contact) {
    return allowed_depth(boundary.pairs[contact.key.pair],
                         edge_at(boundary, boundary.points[contact.point]));
  };
  std::map<unsigned int, const Contact<3> *> deepest; // deepest contact of each pair
  for (const Contact<3> &contact : found.contacts) {
    const ContactPoint<3> &point = boundary.points[contact.point];
    if (!point.opposite_facets || contact.opposite_body || !(-contact.gap > allowed(contact)))
      continue;
    const Contact<3> *&of_pair = deepest[contact.key.pair];
    if (of_pair == nullptr || contact.gap < of_pair->gap)
      of_pair = &contact;
  }
  for (const auto &[pair, contact] : deepest) {
    const ContactPoint<3> &point = boundary.points[contact->point];
    report_depth(input, boundary.pairs[pair].name, -contact->gap, allowed(*contact),
                 written(point.position));
  }
}

} // namespace percussion
