#include "capsule_contacts.h"
#include "clipped.h"
#include "cylinder_contacts.h"
#include "cylinder_pairs.h"
#include "placed_shape.h"
#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;
/// Fraction of the size up to which points coincide and separations count as equal.
constexpr double coincident = 1e-9;
/// Cosine of the angle up to which a direction counts as the normal of a face.
constexpr double nearly_parallel = 0.98;

/// Face of either shape whose normal separates both.
struct FaceAxis {
  double separation = std::numeric_limits<double>::lowest();
  bool is_first = true;
  unsigned int face = none;
  SpaceVector separating; ///< sum of the separations times the normals from the second shape
};

/// Edge of the first and edge of the second shape, and the axis perpendicular to both.
struct EdgeAxis {
  double separation;
  unsigned int edge = none, other_edge = none;
  SpaceVector normal; ///< unit vector from the first to the second shape
};

double size(const PlacedShape &s) {
  double largest = 0;
  for (const SpacePoint &x : s.vertices)
    largest = std::max(largest, (x - s.vertices[0]).norm_square());
  return std::sqrt(largest);
}

/// Returns the distance by which a face separates its shape from the other.
double separation(const PlacedShape &s, unsigned int face, const PlacedShape &opposite) {
  const SpaceVector &n = s.normals[face];
  double lowest = std::numeric_limits<double>::max();
  for (const SpacePoint &x : opposite.vertices)
    lowest = std::min(lowest, n * x);
  return lowest - n * s.vertices[s.shape->faces[face][0]];
}

/// Returns the face of either shape that separates most, along an admitted axis; if faces are
/// equal, the first of them, beginning with the first shape.
FaceAxis best_face(const PlacedShape &first, const PlacedShape &second, double tolerance,
                   const PairGuide<3> &guide) {
  FaceAxis best;
  for (const bool is_first : {true, false}) {
    const PlacedShape &first_shape = is_first ? first : second,
                      &opposite = is_first ? second : first;
    const double sign = is_first ? -1. : 1.;
    for (unsigned int f = 0; f < first_shape.normals.size(); ++f) {
      const double s = separation(first_shape, f, opposite);
      if (s > 0.)
        best.separating += sign * s * first_shape.normals[f];
      if (s > best.separation + tolerance && guide.admits(sign * first_shape.normals[f])) {
        best.separation = s;
        best.is_first = is_first;
        best.face = f;
      }
    }
  }
  return best;
}

/// True if two edges form a face of the Minkowski difference of the shapes: the arcs between the
/// normals of their faces cross on the sphere of directions (Gregorius 2013).
bool arcs_cross(const SpaceVector &a, const SpaceVector &b, const SpaceVector &along_ab,
                const SpaceVector &c, const SpaceVector &d, const SpaceVector &along_cd) {
  const double c_ab = c * along_ab, d_ab = d * along_ab, a_cd = a * along_cd, b_cd = b * along_cd;
  return c_ab * d_ab < 0 && a_cd * b_cd < 0 && c_ab * b_cd > 0;
}

/// Returns the edges that separate most along an admitted axis, if they do so by more than
/// `separation`; if pairs of edges are equal, the first.
EdgeAxis best_edges(const PlacedShape &first, const PlacedShape &second, double separation,
                    double tolerance, const PairGuide<3> &guide) {
  EdgeAxis axis;
  axis.separation = separation;
  for (unsigned int i = 0; i < first.shape->edges.size(); ++i) {
    const auto &e = first.shape->edges[i];
    const SpaceVector &a = first.normals[e.left_face], &b = first.normals[e.right_face];
    // In the direction of b × a.
    const SpaceVector edge_vector = first.vertices[e.begin] - first.vertices[e.end];
    for (unsigned int j = 0; j < second.shape->edges.size(); ++j) {
      const auto &o = second.shape->edges[j];
      const SpaceVector &minus_c = second.normals[o.left_face],
                        &minus_d = second.normals[o.right_face];
      const SpaceVector opposite = second.vertices[o.begin] - second.vertices[o.end];
      if (!arcs_cross(a, b, edge_vector, -minus_c, -minus_d, opposite))
        continue;
      SpaceVector n = cross_product_3d(edge_vector, opposite);
      if (n.norm() <= coincident * edge_vector.norm() * opposite.norm())
        continue;
      n /= std::copysign(n.norm(), n * (a + b));
      if (const double s = n * (second.vertices[o.begin] - first.vertices[e.begin]);
          s > axis.separation + tolerance && guide.admits(-n))
        axis = {s, i, j, n};
    }
  }
  return axis;
}

/// Corner of a polygon during clipping, and the edge from it to the next corner.
struct Corner {
  SpacePoint x;
  unsigned int side; ///< side of the opposite face or, following those, of the reference face
  unsigned int feature = none;
};
using Corners = boost::container::small_vector<Corner, 16>;

/// Face of one shape, and the face of the other that faces it.
struct Meeting {
  const PlacedShape &reference, &facing;
  unsigned int face, opposite;
  bool reference_is_first;
  double tolerance; ///< tolerance of positions [length]
};

/// Returns the most opposed of the faces with a vertex that is deepest below the reference face.
unsigned int opposite_face(const PlacedShape &facing, const SpaceVector &normal, double tolerance) {
  double lowest = std::numeric_limits<double>::max();
  for (const SpacePoint &x : facing.vertices)
    lowest = std::min(lowest, normal * x);
  unsigned int best = 0;
  double cosine = 2;
  for (unsigned int f = 0; f < facing.normals.size(); ++f) {
    const auto &face = facing.shape->faces[f];
    if (normal * facing.normals[f] < cosine &&
        std::any_of(face.begin(), face.end(), [&](unsigned int v) {
          return normal * facing.vertices[v] <= lowest + tolerance;
        })) {
      best = f;
      cosine = normal * facing.normals[f];
    }
  }
  return best;
}

/// Returns the piece of a polygon on the inner side of a plane, whose edge on it has this side.
Corners inner_piece(const Corners &polygon, const SpaceVector &outward, const SpacePoint &origin,
                    unsigned int side, double tolerance) {
  return clipped(
      polygon, tolerance, [&](const Corner &corner) { return outward * (corner.x - origin); },
      [&](const Corner &corner, bool begins_cut) {
        return Corner{corner.x, begins_cut ? side : corner.side, none};
      },
      [&](const Corner &corner, const Corner &next, double fraction, bool begins_cut) {
        return Corner{corner.x + fraction * (next.x - corner.x), begins_cut ? side : corner.side,
                      none};
      });
}

/// Returns the intersection of the reference face and the opposite face, on the opposite face.
Corners common_polygon(const Meeting &m) {
  const auto &first_shape = m.reference.shape->faces[m.face];
  const auto &opposite = m.facing.shape->faces[m.opposite];
  Corners polygon;
  for (std::size_t i = 0; i < opposite.size(); ++i)
    polygon.push_back({m.facing.vertices[opposite[i]], static_cast<unsigned int>(i), none});
  for (std::size_t i = 0; i < first_shape.size() && !polygon.empty(); ++i) {
    const SpacePoint &begin = m.reference.vertices[first_shape[i]];
    const SpaceVector edge_vector =
        m.reference.vertices[first_shape[(i + 1) % first_shape.size()]] - begin;
    const SpaceVector outward =
        cross_product_3d(edge_vector, m.reference.normals[m.face]) / edge_vector.norm();
    polygon = inner_piece(polygon, outward, begin, static_cast<unsigned int>(opposite.size() + i),
                          m.tolerance);
  }
  return polygon;
}

double distance_across(const SpaceVector &x, const SpaceVector &normal) {
  return (x - (normal * x) * normal).norm();
}

/// Returns the feature of a corner between two sides: a vertex of the first or second shape, or a
/// crossing of edges.
unsigned int feature_of(const Meeting &m, const Corner &previous, const Corner &corner) {
  const PlacedShape &first = m.reference_is_first ? m.reference : m.facing;
  const PlacedShape &second = m.reference_is_first ? m.facing : m.reference;
  const auto n_first = static_cast<unsigned int>(first.vertices.size());
  const auto n_second = static_cast<unsigned int>(second.vertices.size());
  const SpaceVector &n = m.reference.normals[m.face];
  for (const bool is_first : {true, false}) {
    const PlacedShape &s = is_first ? first : second;
    for (const unsigned int v :
         s.shape->faces[is_first == m.reference_is_first ? m.face : m.opposite])
      if (distance_across(corner.x - s.vertices[v], n) <= 2 * m.tolerance)
        return is_first ? v : n_first + v;
  }
  const auto &facing_sides = m.facing.shape->sides[m.opposite];
  const auto &own_sides = m.reference.shape->sides[m.face];
  const auto n_facing = static_cast<unsigned int>(facing_sides.size());
  const unsigned int low = std::min(previous.side, corner.side),
                     high = std::max(previous.side, corner.side);
  if (low >= n_facing || high < n_facing)
    return none; // two sides of one face that do not meet in a vertex
  const unsigned int facing_side = facing_sides[low], own_side = own_sides[high - n_facing];
  const unsigned int e = m.reference_is_first ? own_side : facing_side,
                     o = m.reference_is_first ? facing_side : own_side;
  return n_first + n_second + e * static_cast<unsigned int>(second.shape->edges.size()) + o;
}

/// True if a corner is on the straight line between its neighbours, seen along the normal.
bool is_redundant(const Corner &previous, const Corner &corner, const Corner &next,
                  const SpaceVector &n, double tolerance) {
  const SpaceVector edge_vector = next.x - previous.x, arm = corner.x - previous.x;
  const double length = distance_across(edge_vector, n);
  return length > tolerance &&
         std::abs(n * cross_product_3d(edge_vector, arm)) <= tolerance * length;
}

/// Returns the contact of a vertex of the reference shape with the opposite face, along the normal
/// of that face: the rate of the gap is then the velocity along the normal.
std::optional<ShapeContact> vertex_on_opposite_face(const Meeting &m, const SpacePoint &vertex,
                                                    unsigned int feature) {
  const SpaceVector &n = m.facing.normals[m.opposite];
  if (-(n * m.reference.normals[m.face]) < nearly_parallel ||
      !is_in_front(m.facing, m.opposite, vertex, 2 * m.tolerance))
    return {};
  const double g = height(m.facing, m.opposite, vertex);
  return ShapeContact{feature, g, m.reference_is_first ? n : -n, vertex - 0.5 * g * n};
}

/// Returns the contact at a corner of the common polygon.
ShapeContact touching_at(const Meeting &m, const Corner &corner) {
  const auto n_reference = static_cast<unsigned int>(m.reference.vertices.size());
  const unsigned int first_own =
      m.reference_is_first ? 0 : static_cast<unsigned int>(m.facing.vertices.size());
  if (corner.feature >= first_own && corner.feature < first_own + n_reference)
    if (const auto first_shape = vertex_on_opposite_face(
            m, m.reference.vertices[corner.feature - first_own], corner.feature))
      return *first_shape;
  const SpaceVector &n = m.reference.normals[m.face];
  const double g = height(m.reference, m.face, corner.x);
  return {corner.feature, g, m.reference_is_first ? -n : n, corner.x - 0.5 * g * n};
}

void add_common_corners(const Meeting &m, double reach, std::vector<ShapeContact> &touching_list) {
  Corners polygon = common_polygon(m);
  const SpaceVector &n = m.reference.normals[m.face];
  const auto cyclic = [&](std::size_t i) -> Corner & { return polygon[i % polygon.size()]; };
  for (std::size_t i = 0; i < polygon.size(); ++i)
    polygon[i].feature = feature_of(m, cyclic(i + polygon.size() - 1), polygon[i]);
  for (std::size_t i = 0; i < polygon.size();) {
    const std::size_t last = polygon.size() - 1;
    const Corner &previous = cyclic(i + last);
    const bool coincides = polygon.size() > 1 &&
                           (distance_across(previous.x - polygon[i].x, n) <= m.tolerance ||
                            (previous.feature == polygon[i].feature && previous.feature != none));
    if (coincides ||
        (polygon.size() > 3 && is_redundant(previous, polygon[i], cyclic(i + 1), n, m.tolerance)))
      polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  for (const Corner &corner : polygon)
    if (corner.feature != none)
      if (const ShapeContact touching_point = touching_at(m, corner); touching_point.gap <= reach)
        touching_list.push_back(touching_point);
  std::sort(touching_list.begin(), touching_list.end(),
            [](const ShapeContact &a, const ShapeContact &b) { return a.feature < b.feature; });
}

/// Returns the contact of two edges at their nearest points, if these are between the ends of both.
std::optional<ShapeContact> touching_at(const PlacedShape &first, const PlacedShape &second,
                                        const EdgeAxis &axis, double tolerance) {
  const auto &e = first.shape->edges[axis.edge];
  const auto &o = second.shape->edges[axis.other_edge];
  const SpacePoint &a = first.vertices[e.begin], &b = second.vertices[o.begin];
  const SpaceVector d = first.vertices[e.end] - a, f = second.vertices[o.end] - b, r = b - a;
  const SpaceVector n = cross_product_3d(d, f);
  const double s = n * cross_product_3d(r, f) / n.norm_square(),
               t = n * cross_product_3d(r, d) / n.norm_square();
  const double slack_s = tolerance / d.norm(), slack_t = tolerance / f.norm();
  if (s < -slack_s || s > 1 + slack_s || t < -slack_t || t > 1 + slack_t)
    return {};
  const auto n_edges = static_cast<unsigned int>(second.shape->edges.size());
  const auto n_vertices = static_cast<unsigned int>(first.vertices.size() + second.vertices.size());
  return ShapeContact{n_vertices + axis.edge * n_edges + axis.other_edge, axis.separation,
                      -axis.normal, a + 0.5 * (s * d + (r + t * f))};
}

/// Returns the face whose normal nearly coincides with an axis across two edges, if any, and the
/// most opposed of the faces at the other edge.
std::optional<Meeting> nearly_facing(const PlacedShape &first, const PlacedShape &second,
                                     const EdgeAxis &axis, double tolerance) {
  const auto &e = first.shape->edges[axis.edge];
  const auto &o = second.shape->edges[axis.other_edge];
  const auto most_along = [](const PlacedShape &s, const auto &edge, const SpaceVector &n) {
    return n * s.normals[edge.left_face] >= n * s.normals[edge.right_face] ? edge.left_face
                                                                           : edge.right_face;
  };
  const unsigned int f = most_along(first, e, axis.normal), g = most_along(second, o, -axis.normal);
  const double first_alignment = axis.normal * first.normals[f],
               second_alignment = -(axis.normal * second.normals[g]);
  if (std::max(first_alignment, second_alignment) < nearly_parallel)
    return {};
  if (first_alignment >= second_alignment - coincident)
    return Meeting{first, second, f, most_along(second, o, -first.normals[f]), true, tolerance};
  return Meeting{second, first, g, most_along(first, e, -second.normals[g]), false, tolerance};
}

/// Inserts the nearest contact point, with its own normal, unless it coincides with a point of
/// another feature.
void insert_nearest(const ShapeContact &nearest, double tolerance,
                    std::vector<ShapeContact> &touching_list) {
  const auto found = std::lower_bound(
      touching_list.begin(), touching_list.end(), nearest,
      [](const ShapeContact &a, const ShapeContact &b) { return a.feature < b.feature; });
  if (found != touching_list.end() && found->feature == nearest.feature)
    *found = nearest;
  else if (std::all_of(
               touching_list.begin(), touching_list.end(), [&](const ShapeContact &touching_point) {
                 return distance_across(touching_point.x - nearest.x, nearest.normal) > tolerance;
               }))
    touching_list.insert(found, nearest);
}

/// Two polyhedra and the data on both.
struct PolyhedronPair {
  const PlacedShape &first, &second;
  const PairGuide<3> &guide;
  double reach, tolerance; ///< [length]

  const PlacedShape &shape(bool is_first) const { return is_first ? first : second; }
  /// Returns the normal of a face, from the second to the first shape.
  SpaceVector axis(bool is_first, unsigned int face) const {
    return is_first ? -first.normals[face] : second.normals[face];
  }
};

/// Axes of a face and of edges that separate most.
struct Axes {
  FaceAxis face_axis;
  EdgeAxis edge_axis;

  /// Returns the axis that separates more, from the second to the first shape.
  SpaceVector axis(const PolyhedronPair &pair) const {
    return edge_axis.edge != none ? -edge_axis.normal
                                  : pair.axis(face_axis.is_first, face_axis.face);
  }
  /// Returns the mean of the normals of all separating faces; the normal of the axis, if none does.
  SpaceVector direction(const PolyhedronPair &pair) const {
    return face_axis.separation > 0. ? face_axis.separating / face_axis.separating.norm()
                                     : axis(pair);
  }
};

/// Replaces the axes of polyhedra that overlap, or have gone through each other, by axes on the
/// side from which they came, if there are any.
void limit_axes(const PolyhedronPair &pair, Axes &axes) {
  const FaceAxis admitted = best_face(pair.first, pair.second, pair.tolerance, pair.guide);
  if (admitted.face == none)
    return;
  const EdgeAxis edge_axis =
      best_edges(pair.first, pair.second, admitted.separation, pair.tolerance, pair.guide);
  if (edge_axis.separation < 0.)
    axes = {admitted, edge_axis};
}

void add_points_of_face(const PolyhedronPair &pair, bool is_first, unsigned int face,
                        std::vector<ShapeContact> &touching_list) {
  const PlacedShape &reference = pair.shape(is_first), &facing = pair.shape(!is_first);
  add_common_corners({reference, facing, face,
                      opposite_face(facing, reference.normals[face], pair.tolerance), is_first,
                      pair.tolerance},
                     pair.reach, touching_list);
}

/// Face of a polyhedron that a flush neighbour continues.
struct ContinuedFace {
  bool is_first;
  unsigned int face;
  double separation;
};

/// Removes the points at seams. Returns the continued face with the least overlap; no value if no
/// point was removed.
std::optional<ContinuedFace> remove_seams(const PolyhedronPair &pair,
                                          std::vector<ShapeContact> &points) {
  std::optional<ContinuedFace> best;
  FaceIndices faces;
  const auto look = [&](bool is_first, const SpacePoint &foot, const SpaceVector &outward) {
    faces.clear();
    pair.guide.seams->add_continued_faces(is_first, foot, outward, faces);
    for (const unsigned int f : faces)
      if (const double s = separation(pair.shape(is_first), f, pair.shape(!is_first));
          !best || s > best->separation)
        best = ContinuedFace{is_first, f, s};
    return !faces.empty();
  };
  points.erase(std::remove_if(points.begin(), points.end(),
                              [&](const ShapeContact &p) {
                                const SpaceVector to_first = 0.5 * p.gap * p.normal;
                                const bool is_at_first = look(true, p.x + to_first, -p.normal);
                                return look(false, p.x - to_first, p.normal) || is_at_first;
                              }),
               points.end());
  return best;
}

TouchingShapes between_polyhedra(const PolyhedronPair &pair) {
  TouchingShapes touching;
  auto &points = touching.points;
  Axes axes{best_face(pair.first, pair.second, pair.tolerance, {}), {}};
  const bool may_have_passed = pair.guide.was_overlapping();
  if (axes.face_axis.separation > pair.reach && !may_have_passed)
    return touching;
  axes.edge_axis =
      best_edges(pair.first, pair.second, axes.face_axis.separation, pair.tolerance, {});
  const double separation = axes.edge_axis.separation;
  if ((separation < 0. || may_have_passed) &&
      !(pair.guide.admits(axes.axis(pair)) &&
        pair.guide.admits(pair.axis(axes.face_axis.is_first, axes.face_axis.face))))
    limit_axes(pair, axes);
  if (axes.edge_axis.separation > pair.reach)
    return touching;
  if (axes.edge_axis.edge != none) {
    if (const auto meeting = nearly_facing(pair.first, pair.second, axes.edge_axis, pair.tolerance))
      add_common_corners(*meeting, pair.reach, points);
    if (const auto crossing = touching_at(pair.first, pair.second, axes.edge_axis, pair.tolerance))
      insert_nearest(*crossing, pair.tolerance, points);
  }
  if (points.empty())
    add_points_of_face(pair, axes.face_axis.is_first, axes.face_axis.face, points);
  // Beside the faces by which they entered each other they are free.
  if (points.empty() && separation >= 0. && axes.edge_axis.separation < 0.)
    return between_polyhedra(
        {pair.first, pair.second, {nullptr, pair.guide.seams}, pair.reach, pair.tolerance});
  touching.direction = axes.direction(pair);
  touching.overlapping = axes.edge_axis.separation < 0.;
  if (pair.guide.seams == nullptr || points.empty())
    return touching;
  if (const auto continued = remove_seams(pair, points)) {
    const SpaceVector axis = pair.axis(continued->is_first, continued->face);
    if ((axis - axes.axis(pair)).norm() > flush_face_angle) {
      points.clear();
      add_points_of_face(pair, continued->is_first, continued->face, points);
      remove_seams(pair, points);
      if (axes.edge_axis.separation <= 0.)
        touching.direction = axis;
    }
  }
  return touching;
}

/// Returns the only contact point of a sphere, which may be the first or the second shape.
TouchingShapes touching_sphere(const PlacedShape &sphere, const PlacedShape &opposite, double reach,
                               bool sphere_is_first, const PairGuide<3> &guide) {
  TouchingShapes touching;
  const SpacePoint &centre = sphere.vertices[0];
  const PointAtShape point{opposite, centre, sphere.shape->radius, !sphere_is_first, guide};
  const auto g = guided_gap(point, touching.direction);
  if (!g)
    return touching;
  const double gap_to_sphere = g->distance - point.radius;
  touching.overlapping = gap_to_sphere < 0.;
  if (gap_to_sphere <= reach)
    touching.points.push_back({0, gap_to_sphere, point.axis(g->normal),
                               centre - (point.radius + 0.5 * gap_to_sphere) * g->normal});
  return touching;
}

/// Returns the contacts of two shapes, of which one or both are capsules or cylinders, and none is
/// a sphere.
TouchingShapes touching_round_shapes(const PlacedShape &first, const PlacedShape &second,
                                     double reach, const PairGuide<3> &guide) {
  const ConvexShape &a = *first.shape, &b = *second.shape;
  if (a.is_cylinder() && b.is_cylinder())
    return between_cylinders(first, second, reach, guide);
  if (a.is_capsule() && b.is_capsule())
    return between_capsules(first, second, reach, guide);
  const bool round_is_first = a.is_cylinder() || (a.is_capsule() && !b.is_cylinder());
  const PlacedShape &round = round_is_first ? first : second,
                    &opposite = round_is_first ? second : first;
  const auto contacts = round.shape->is_capsule()      ? between_capsule_and_polyhedron
                        : opposite.shape->is_capsule() ? between_cylinder_and_capsule
                                                       : between_cylinder_and_polyhedron;
  return contacts(round, opposite, reach, round_is_first, guide);
}

} // namespace

TouchingShapes touching_shapes(const PlacedShape &first, const PlacedShape &second, double reach,
                               const PairGuide<3> &guide) {
  if (first.shape->is_sphere())
    return touching_sphere(first, second, reach, true, guide);
  if (second.shape->is_sphere())
    return touching_sphere(second, first, reach, false, guide);
  if (first.shape->is_round() || second.shape->is_round())
    return touching_round_shapes(first, second, reach, guide);
  return between_polyhedra(
      {first, second, guide, reach, coincident * std::min(size(first), size(second))});
}

std::vector<ShapeContact> contact_points_of(const PlacedShape &first, const PlacedShape &second,
                                            double reach) {
  return touching_shapes(first, second, reach).points;
}

} // namespace percussion
