#include "capsule_contacts.h"

#include <percussion/contact/surface.h>

#include "found_contacts.h"

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

/// Returns the fraction of a segment at the point nearest to x, from 0 to 1.
double nearest_fraction(const PlacedShape &capsule, const SpacePoint &x) {
  const SpaceVector d = capsule.vertices[1] - capsule.vertices[0];
  return std::clamp(d * (x - capsule.vertices[0]) / d.norm_square(), 0., 1.);
}

SpacePoint point_at(const PlacedShape &capsule, double fraction) {
  return capsule.vertices[0] + fraction * (capsule.vertices[1] - capsule.vertices[0]);
}

/// Two capsules, and the contacts found between them.
struct CapsulePair {
  const PlacedShape &first, &second;
  const PairGuide<3> &guide;
  FoundContacts found;

  /// Returns the direction of a contact whose core points coincide.
  SpaceVector any_normal() const {
    const SpaceVector n = cross_product_3d(axis_of(first), axis_of(second));
    const SpaceVector perpendicular =
        n.norm() > parallel_sine ? n / n.norm() : local_frame<3>(axis_of(first))[1];
    return guide.admits(perpendicular) ? perpendicular : -perpendicular;
  }
  /// Returns the contact at points of both segments.
  ShapeContact contact(unsigned int feature, const SpacePoint &a, const SpacePoint &b) const {
    const SpaceVector arm = a - b;
    const double distance = arm.norm(), radii = first.shape->radius + second.shape->radius;
    ShapeContact touching{
        feature, distance - radii, distance > 0. ? arm / distance : any_normal(), {}};
    if (!found.admits(touching.normal, touching.gap)) {
      touching.normal *= -1.;
      touching.gap = -distance - radii;
    }
    touching.x =
        a + 0.5 * (b - a) + 0.5 * (second.shape->radius - first.shape->radius) * touching.normal;
    return touching;
  }
};

void add_ends(CapsulePair &pair) {
  for (unsigned int k = 0; k < 2; ++k) {
    const SpacePoint &end = pair.first.vertices[k];
    const double t = nearest_fraction(pair.second, end);
    const SpacePoint foot = point_at(pair.second, t);
    if (is_inside(t) || nearest_fraction(pair.first, foot) == k)
      pair.found.add(pair.contact(k, end, foot));
  }
  for (unsigned int k = 0; k < 2; ++k)
    if (const double s = nearest_fraction(pair.first, pair.second.vertices[k]); is_inside(s))
      pair.found.add(pair.contact(2 + k, point_at(pair.first, s), pair.second.vertices[k]));
}

/// Capsule and polyhedron, and the contacts found between them.
struct CapsuleAtPolyhedron {
  const PlacedShape &capsule, &polyhedron;
  bool capsule_is_first;
  const PairGuide<3> &guide;
  FoundContacts found;

  double radius() const { return capsule.shape->radius; }
  SpaceVector segment() const { return capsule.vertices[1] - capsule.vertices[0]; }
  /// Returns the direction from the second to the first shape.
  SpaceVector axis(const SpaceVector &outward) const {
    return capsule_is_first ? outward : -outward;
  }
  /// Returns the contact of a point of the segment along an outward normal of the polyhedron.
  ShapeContact contact(unsigned int feature, const SpacePoint &core, const SpaceVector &outward,
                       double distance) const {
    const double gap = distance - radius();
    return {feature, gap, axis(outward), core - (radius() + 0.5 * gap) * outward};
  }
  /// True if a flush neighbour covers the foot of a contact.
  bool is_at_seam(const SpacePoint &foot, const SpaceVector &outward) const {
    if (guide.seams == nullptr)
      return false;
    FaceIndices faces;
    guide.seams->add_continued_faces(!capsule_is_first, foot, outward, faces);
    return !faces.empty();
  }
};

/// Edge of a polyhedron that a segment crosses, seen along their common perpendicular.
struct Crossing {
  unsigned int edge;
  double s, t;         ///< fractions of the segment and of the edge
  SpaceVector outward; ///< common perpendicular, out of the polyhedron
  double distance;     ///< signed distance of the segment from the edge [length]
  /// Sine of the angle of the perpendicular beyond the normal of a face at the edge; negative:
  /// between both normals.
  double excess;
  unsigned int face; ///< this face
};

/// Returns the crossing of an edge; no value if the segment is parallel to it.
std::optional<Crossing> crossing(const CapsuleAtPolyhedron &pair, unsigned int edge) {
  const auto &e = pair.polyhedron.shape->edges[edge];
  const SpacePoint &a = pair.capsule.vertices[0], &b = pair.polyhedron.vertices[e.begin];
  const SpaceVector f = pair.polyhedron.vertices[e.end] - b;
  const auto lines = nearest_points(a, pair.segment(), b, f);
  if (!lines)
    return {};
  const SpaceVector &left_normal = pair.polyhedron.normals[e.left_face],
                    &right_normal = pair.polyhedron.normals[e.right_face];
  const SpaceVector outward =
      std::copysign(1., lines->normal * (left_normal + right_normal)) * lines->normal;
  const SpaceVector tangent = f / f.norm();
  const double left_excess = outward * cross_product_3d(left_normal, tangent),
               right_excess = outward * cross_product_3d(tangent, right_normal);
  const bool is_left = left_excess > right_excess;
  return Crossing{edge,
                  lines->s,
                  lines->t,
                  outward,
                  outward * (a - b),
                  std::max(left_excess, right_excess),
                  is_left ? e.left_face : e.right_face};
}

/// True if the capsule touches the polyhedron at an edge, or would if it turned by a few degrees.
/// Beyond the normal of the face, the end of the segment above the face is lower than the crossing;
/// if it is near, the sphere around it alone is in contact.
bool may_touch(const CapsuleAtPolyhedron &pair, const Crossing &c) {
  if (!is_inside(c.s) || !is_inside(c.t) || c.excess > small_slope)
    return false;
  if (c.excess <= 0.)
    return true;
  const SpaceVector &n = pair.polyhedron.normals[c.face];
  const double rise = std::max(c.s * (n * pair.segment()), (c.s - 1.) * (n * pair.segment()));
  return rise > pair.radius() * c.excess * c.excess;
}

/// Axis along which the segment of a capsule and a polyhedron are farthest apart or overlap least.
struct CoreAxis {
  double separation = std::numeric_limits<double>::lowest();
  SpaceVector outward;
  std::optional<Crossing> crossing; ///< no value for the normal of a face
};

CoreAxis core_axis(const CapsuleAtPolyhedron &pair, bool must_be_admitted) {
  CoreAxis best;
  const auto look_at = [&](double separation, const SpaceVector &outward,
                           const std::optional<Crossing> &edge_sphere) {
    if (separation > best.separation &&
        (!must_be_admitted || pair.guide.admits(pair.axis(outward))))
      best = {separation, outward, edge_sphere};
  };
  for (unsigned int f = 0; f < pair.polyhedron.normals.size(); ++f)
    look_at(std::min(height(pair.polyhedron, f, pair.capsule.vertices[0]),
                     height(pair.polyhedron, f, pair.capsule.vertices[1])),
            pair.polyhedron.normals[f], {});
  for (unsigned int e = 0; e < pair.polyhedron.shape->edges.size(); ++e)
    if (const auto edge_sphere = crossing(pair, e); edge_sphere && edge_sphere->excess <= 0.)
      look_at(edge_sphere->distance, edge_sphere->outward, edge_sphere);
  return best;
}

/// Adds the contacts of a capsule whose segment goes through the polyhedron.
void add_deep_contacts(CapsuleAtPolyhedron &pair) {
  CoreAxis axis = core_axis(pair, true);
  if (axis.outward.norm_square() == 0.)
    axis = core_axis(pair, false);
  const SpaceVector &n = axis.outward;
  if (axis.crossing)
    return pair.found.add(pair.contact(2 + axis.crossing->edge,
                                       point_at(pair.capsule, std::clamp(axis.crossing->s, 0., 1.)),
                                       n, axis.separation));
  double plane = std::numeric_limits<double>::lowest();
  for (const SpacePoint &x : pair.polyhedron.vertices)
    plane = std::max(plane, n * x);
  for (unsigned int k = 0; k < 2; ++k) {
    const SpacePoint &end = pair.capsule.vertices[k];
    pair.found.add(pair.contact(k, end, n, n * end - plane));
  }
}

void add_spheres(CapsuleAtPolyhedron &pair) {
  for (unsigned int k = 0; k < 2; ++k) {
    const SpacePoint &end = pair.capsule.vertices[k];
    const PointAtShape point{pair.polyhedron, end, pair.radius(), !pair.capsule_is_first,
                             pair.guide};
    SpaceVector direction;
    if (const auto g = guided_gap(point, direction))
      pair.found.add(pair.contact(k, end, g->normal, g->distance));
  }
}

void add_crossings(CapsuleAtPolyhedron &pair) {
  for (unsigned int e = 0; e < pair.polyhedron.shape->edges.size(); ++e) {
    const auto c = crossing(pair, e);
    if (!c || !(c->distance > 0.) || !may_touch(pair, *c))
      continue;
    const SpacePoint core = point_at(pair.capsule, c->s);
    if (pair.found.admits(pair.axis(c->outward), c->distance - pair.radius()) &&
        !pair.is_at_seam(SpacePoint(core - c->distance * c->outward), c->outward))
      pair.found.add(pair.contact(2 + e, core, c->outward, c->distance));
  }
}

void add_vertices(CapsuleAtPolyhedron &pair) {
  const auto first_feature = static_cast<unsigned int>(2 + pair.polyhedron.shape->edges.size());
  for (unsigned int v = 0; v < pair.polyhedron.vertices.size(); ++v) {
    const SpacePoint &vertex = pair.polyhedron.vertices[v];
    const double s = nearest_fraction(pair.capsule, vertex);
    const SpacePoint core = point_at(pair.capsule, s);
    const double distance = core.distance(vertex);
    if (!is_inside(s) || distance == 0.)
      continue;
    const SpaceVector outward = (core - vertex) / distance;
    if (is_out_of_edges(pair.polyhedron, v, outward, small_slope) &&
        pair.found.admits(pair.axis(outward), distance - pair.radius()) &&
        !pair.is_at_seam(vertex, outward))
      pair.found.add(pair.contact(first_feature + v, core, outward, distance));
  }
}

} // namespace

TouchingShapes between_capsules(const PlacedShape &first, const PlacedShape &second, double reach,
                                const PairGuide<3> &guide) {
  CapsulePair pair{first, second, guide, FoundContacts(reach, guide)};
  add_ends(pair);
  const SpaceVector d = first.vertices[1] - first.vertices[0],
                    f = second.vertices[1] - second.vertices[0];
  const double size = std::min(d.norm() + first.shape->radius, f.norm() + second.shape->radius);
  const auto lines = nearest_points(first.vertices[0], d, second.vertices[0], f);
  if (lines && is_inside(lines->s) && is_inside(lines->t)) {
    const ShapeContact inner =
        pair.contact(4, point_at(first, lines->s), point_at(second, lines->t));
    if (inner.gap < pair.found.smallest_gap() - gap_resolution * size)
      pair.found.add(inner);
  }
  return pair.found.sorted();
}

TouchingShapes between_capsule_and_polyhedron(const PlacedShape &capsule,
                                              const PlacedShape &polyhedron, double reach,
                                              bool capsule_is_first, const PairGuide<3> &guide) {
  CapsuleAtPolyhedron pair{capsule, polyhedron, capsule_is_first, guide,
                           FoundContacts(reach, guide)};
  const double separation = core_axis(pair, false).separation;
  if (separation - capsule.shape->radius > reach && !guide.was_overlapping())
    return {};
  if (separation <= 0.) {
    add_deep_contacts(pair);
    return pair.found.sorted();
  }
  add_spheres(pair);
  add_crossings(pair);
  add_vertices(pair);
  return pair.found.sorted();
}

} // namespace percussion
