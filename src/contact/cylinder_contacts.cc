#include "cylinder_contacts.h"

#include "found_contacts.h"
#include "round_on_surface.h"
#include <array>
#include <boost/container/small_vector.hpp>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

/// Straight line of points near a cylinder: an edge, or the segment of a capsule.
struct Line {
  SpacePoint begin;
  SpaceVector vector; ///< from the beginning to the end

  SpacePoint point(double t) const { return begin + t * vector; }
};

/// Returns the slope of the gap of a cylinder along a line, over the length of the line.
double slope(const PlacedShape &cylinder, const Line &line, double t) {
  return gap(cylinder, line.point(t)).normal * line.vector / line.vector.norm();
}

/// Returns the fraction of the line at which the gap, which is convex along it, is smallest.
double nearest_fraction(const PlacedShape &cylinder, const Line &line) {
  return zero_of_ascending([&](double t) { return slope(cylinder, line, t); }, 0., 1.);
}

/// Returns the fractions at which a line passes the planes of both end faces and the surface around
/// the side; a fraction outside of the line for a plane or surface that it does not pass.
std::array<double, 4> borders(const PlacedShape &cylinder, const Line &line) {
  constexpr double none = -1.;
  const PositionAtCylinder begin(cylinder, line.begin);
  const double rise = line.vector * begin.axis, half = 0.5 * begin.length,
               r = cylinder.shape->radius;
  std::array<double, 4> fractions = {none, none, none, none};
  if (rise != 0.) {
    fractions[0] = (-half - begin.height) / rise;
    fractions[1] = (half - begin.height) / rise;
  }
  const SpaceVector radial_part = line.vector - rise * begin.axis;
  const double a = radial_part.norm_square(), b = begin.distance * (begin.radial * radial_part),
               root = b * b - a * (begin.distance - r) * (begin.distance + r);
  if (a > 0. && root > 0.) {
    fractions[2] = (-b - std::sqrt(root)) / a;
    fractions[3] = (-b + std::sqrt(root)) / a;
  }
  return fractions;
}

/// Cylinder and a second shape, and the contacts found between them.
struct CylinderPair {
  const PlacedShape &cylinder, &second;
  bool cylinder_is_first;
  const PairGuide<3> &guide;
  FoundContacts found;

  /// Returns the direction from the second to the first of both shapes.
  SpaceVector axis(const SpaceVector &towards_cylinder) const {
    return cylinder_is_first ? towards_cylinder : -towards_cylinder;
  }
  /// Returns the contact of a point of the second shape, or of a sphere around it, with an outward
  /// normal of the cylinder.
  ShapeContact contact(unsigned int feature, const SpacePoint &x, const PolyhedronGap &g,
                       double radius = 0.) const {
    const double gap_of_contact = g.distance - radius;
    return {feature, gap_of_contact, axis(-g.normal),
            x - (radius + 0.5 * gap_of_contact) * g.normal};
  }
};

/// Returns the tolerance of gaps and positions.
double tolerance_of(const PlacedShape &cylinder) {
  return gap_resolution *
         (cylinder.shape->radius + cylinder.vertices[0].distance(cylinder.vertices[1]));
}

/// Adds the contact of a sphere of a capsule.
void add_sphere(CylinderPair &pair, unsigned int feature, const SpacePoint &centre) {
  const double radius = pair.second.shape->radius;
  const PointAtShape point{pair.cylinder, centre, radius, pair.cylinder_is_first, pair.guide};
  SpaceVector direction;
  if (const auto g = guided_gap(point, direction))
    pair.found.add(pair.contact(feature, centre, *g, radius));
}

/// Cylinder and polyhedron.
struct CylinderAtPolyhedron : CylinderPair {
  double tolerance;    ///< [length]
  SpaceVector outward; ///< contact axis, from the polyhedron to the cylinder
  /// Edge that the contact axis belongs to, if the edge is within a rim.
  std::optional<unsigned int> rim_edge = {};

  /// True if a normal, from the polyhedron to the cylinder, is nearly along the axis.
  bool is_along_axis(const SpaceVector &normal) const { return normal * outward > along_cosine; }

  /// Returns the gap of a point of the polyhedron along a normal of the cylinder near the axis. At
  /// the border of an end face or of the side the normal is theirs, to the tolerance.
  std::optional<PolyhedronGap> gap_along_axis(const SpacePoint &x) const {
    const PositionAtCylinder position(cylinder, x);
    const SpaceVector end = (outward * position.axis > 0. ? -1. : 1.) * position.axis;
    if (is_along_axis(-end) && position.distance <= cylinder.shape->radius + tolerance)
      return PolyhedronGap{position.height * (end * position.axis) - 0.5 * position.length, end};
    if (is_along_axis(-position.radial) && position.beyond_end() <= tolerance)
      return PolyhedronGap{position.distance - cylinder.shape->radius, position.radial};
    const PolyhedronGap g = gap(cylinder, x);
    return is_along_axis(-g.normal) ? std::optional(g) : std::nullopt;
  }
  Line edge(unsigned int e) const {
    const auto &properties = second.shape->edges[e];
    return {second.vertices[properties.begin],
            second.vertices[properties.end] - second.vertices[properties.begin]};
  }
  /// True if a flush neighbour of the polyhedron covers a point of it.
  bool is_at_seam(const SpacePoint &foot, const SpaceVector &normal) const {
    if (guide.seams == nullptr)
      return false;
    FaceIndices faces;
    guide.seams->add_continued_faces(!cylinder_is_first, foot, normal, faces);
    return !faces.empty();
  }
  /// Adds the contact of a point of the polyhedron, unless it is at a seam.
  void add(unsigned int feature, const SpacePoint &x, const PolyhedronGap &g) {
    if (!is_at_seam(x, -g.normal))
      found.add(contact(feature, x, g));
  }
};

/// Returns the distance by which a direction, from the polyhedron to the cylinder, separates both.
double separation(const CylinderAtPolyhedron &pair, const SpaceVector &n) {
  const SpacePoint &begin = pair.cylinder.vertices[0], &end = pair.cylinder.vertices[1];
  const SpaceVector a = axis_of(pair.cylinder), radial_part = n - (n * a) * a;
  double highest = std::numeric_limits<double>::lowest();
  for (const SpacePoint &x : pair.second.vertices)
    highest = std::max(highest, n * (x - begin));
  return std::min(0., n * (end - begin)) - pair.cylinder.shape->radius * radial_part.norm() -
         highest;
}

/// Returns the direction across an edge, between the normals of its faces, that separates most or
/// has the least penetration. At the edge the normal of the cylinder is this direction as long as
/// both are apart: the nearest point of the cylinder is then on a rim, inside of it on its side or
/// end face.
SpaceVector direction_at_edge(const CylinderAtPolyhedron &pair, unsigned int e) {
  constexpr unsigned int n_intervals = 12;
  const auto &edge = pair.second.shape->edges[e];
  const SpaceVector &left = pair.second.normals[edge.left_face],
                    tangent = pair.edge(e).vector / pair.edge(e).vector.norm();
  SpaceVector side = cross_product_3d(tangent, left);
  if (side * pair.second.normals[edge.right_face] < 0.)
    side *= -1.;
  const double last = std::acos(std::clamp(left * pair.second.normals[edge.right_face], -1., 1.));
  const auto direction = [&](double angle) {
    return std::cos(angle) * left + std::sin(angle) * side;
  };
  // The derivative of minus the separation: it ascends from one side of a maximum to the other.
  const auto descent = [&](double angle) {
    const SpaceVector turned = std::cos(angle) * side - std::sin(angle) * left;
    return -turned * (highest_point(pair.cylinder, -direction(angle)) - pair.edge(e).begin);
  };
  unsigned int best = 0;
  double greatest = std::numeric_limits<double>::lowest();
  for (unsigned int k = 0; k <= n_intervals; ++k)
    if (const double s = separation(pair, direction(last * k / n_intervals)); s > greatest) {
      greatest = s;
      best = k;
    }
  return direction(zero_of_ascending(descent, last * (best - std::min(best, 1u)) / n_intervals,
                                     last * std::min(best + 1, n_intervals) / n_intervals));
}

/// Finds the contact axis; returns its separation. If axes are equal, faces of the polyhedron
/// precede end faces of the cylinder, and these precede edges.
double find_axis(CylinderAtPolyhedron &pair, bool must_be_admitted) {
  double best = std::numeric_limits<double>::lowest();
  const auto look_at = [&](const SpaceVector &n, std::optional<unsigned int> rim_edge = {}) {
    if (must_be_admitted && !pair.guide.admits(pair.axis(n)))
      return;
    if (const double s = separation(pair, n); s > best + pair.tolerance) {
      best = s;
      pair.outward = n;
      pair.rim_edge = rim_edge;
    }
  };
  for (const SpaceVector &n : pair.second.normals)
    look_at(n);
  const SpaceVector a = axis_of(pair.cylinder);
  look_at(a);
  look_at(-a);
  for (unsigned int e = 0; e < pair.second.shape->edges.size(); ++e) {
    const Line line = pair.edge(e);
    look_at(-gap(pair.cylinder, line.point(nearest_fraction(pair.cylinder, line))).normal);
  }
  for (unsigned int e = 0; best < 0. && e < pair.second.shape->edges.size(); ++e)
    look_at(direction_at_edge(pair, e), e);
  return best;
}

void add_vertices(CylinderAtPolyhedron &pair) {
  for (unsigned int v = 0; v < pair.second.vertices.size(); ++v)
    if (const auto g = pair.gap_along_axis(pair.second.vertices[v]);
        g && is_out_of_edges(pair.second, v, -g->normal, small_slope))
      pair.add(v, pair.second.vertices[v], *g);
}

/// True if a direction is between the normals of the faces at an edge, or nearly so.
bool is_out_of_faces(const CylinderAtPolyhedron &pair, unsigned int e, const SpaceVector &n) {
  const auto &edge = pair.second.shape->edges[e];
  const SpaceVector vector = pair.edge(e).vector, tangent = vector / vector.norm();
  return n * cross_product_3d(pair.second.normals[edge.left_face], tangent) <= small_slope &&
         n * cross_product_3d(tangent, pair.second.normals[edge.right_face]) <= small_slope;
}

void add_edge(CylinderAtPolyhedron &pair, unsigned int e, unsigned int first_feature) {
  const Line line = pair.edge(e);
  double smallest = std::min(gap(pair.cylinder, line.point(0.)).distance,
                             gap(pair.cylinder, line.point(1.)).distance);
  const auto look_at = [&](double t, unsigned int feature, double limit) {
    const auto g = pair.gap_along_axis(line.point(t));
    if (!g || !is_inside(t) || !is_out_of_faces(pair, e, -g->normal) ||
        std::abs(g->normal * line.vector) > small_slope * line.vector.norm() ||
        !(g->distance < limit))
      return;
    smallest = std::min(smallest, g->distance);
    pair.add(feature, line.point(t), *g);
  };
  const auto fractions = borders(pair.cylinder, line);
  for (unsigned int k = 0; k < fractions.size(); ++k)
    look_at(fractions[k], first_feature + 1 + k, std::numeric_limits<double>::max());
  look_at(nearest_fraction(pair.cylinder, line), first_feature, smallest - pair.tolerance);
}

/// Adds the contact of an edge that is within a rim: its normal is across both.
void add_edge_in_rim(CylinderAtPolyhedron &pair, unsigned int feature) {
  const Line line = pair.edge(*pair.rim_edge);
  const SpacePoint lowest = highest_point(pair.cylinder, -pair.outward);
  const double t = (lowest - line.begin) * line.vector / line.vector.norm_square();
  if (is_inside(t))
    pair.add(feature, line.point(t), {pair.outward * (lowest - line.point(t)), -1. * pair.outward});
}

/// Adds a contact along the contact axis to shapes that overlap without any: the lowest point of
/// the cylinder is in front of no face, and no edge or vertex is at the cylinder.
void add_lowest_point(CylinderAtPolyhedron &pair, unsigned int feature) {
  const double depth = separation(pair, pair.outward);
  if (depth < 0. && pair.found.empty())
    pair.found.add({feature, depth, pair.axis(pair.outward),
                    highest_point(pair.cylinder, -pair.outward) - 0.5 * depth * pair.outward});
}

/// Adds the points of both rims at a face.
void add_rims(CylinderAtPolyhedron &pair, unsigned int face, unsigned int first_feature) {
  constexpr unsigned int n_quarters = 4;
  const SpaceVector &n = pair.second.normals[face];
  const SpaceVector a = axis_of(pair.cylinder);
  const bool stands = std::abs(a * n) > along_cosine;
  for (unsigned int k = 0; k < 2; ++k)
    for (unsigned int quarter = 0; quarter < (stands ? n_quarters : 1); ++quarter) {
      const Rim rim{pair.cylinder.vertices[k], a, pair.cylinder.shape->radius};
      const SpacePoint x = lowest_on_rim(rim, n, quarter);
      if (!is_in_front(pair.second, face, x, 2. * pair.tolerance))
        continue;
      const double h = height(pair.second, face, x);
      pair.found.add({first_feature + n_quarters * k + quarter, h, pair.axis(n), x - 0.5 * h * n});
    }
}

} // namespace

TouchingShapes between_cylinder_and_capsule(const PlacedShape &cylinder, const PlacedShape &capsule,
                                            double reach, bool cylinder_is_first,
                                            const PairGuide<3> &guide) {
  CylinderPair pair{cylinder, capsule, cylinder_is_first, guide, FoundContacts(reach, guide)};
  const Line line{capsule.vertices[0], capsule.vertices[1] - capsule.vertices[0]};
  add_sphere(pair, 0, capsule.vertices[0]);
  add_sphere(pair, 1, capsule.vertices[1]);
  const auto fractions = borders(cylinder, line);
  for (unsigned int k = 0; k < fractions.size(); ++k)
    if (is_inside(fractions[k]) && std::abs(slope(cylinder, line, fractions[k])) <= small_slope)
      add_sphere(pair, 3 + k, line.point(fractions[k]));
  const double t = nearest_fraction(cylinder, line);
  if (is_inside(t) && gap(cylinder, line.point(t)).distance - capsule.shape->radius <
                          pair.found.smallest_gap() - tolerance_of(cylinder))
    add_sphere(pair, 2, line.point(t));
  return pair.found.sorted(same_point * tolerance_of(cylinder));
}

TouchingShapes between_cylinder_and_polyhedron(const PlacedShape &cylinder,
                                               const PlacedShape &polyhedron, double reach,
                                               bool cylinder_is_first, const PairGuide<3> &guide) {
  CylinderAtPolyhedron pair{
      {cylinder, polyhedron, cylinder_is_first, guide, FoundContacts(reach, guide)},
      tolerance_of(cylinder),
      {}};
  const double distance = find_axis(pair, false);
  if (distance > reach && !guide.was_overlapping())
    return {};
  if ((distance < 0. || guide.was_overlapping()) && !guide.admits(pair.axis(pair.outward))) {
    const SpaceVector nearest = pair.outward;
    const auto nearest_edge = pair.rim_edge;
    const double admitted = find_axis(pair, true);
    if (admitted == std::numeric_limits<double>::lowest() || admitted >= 0.) {
      pair.outward = nearest;
      pair.rim_edge = nearest_edge;
    }
  }
  const auto &shape = *polyhedron.shape;
  const auto n_vertices = static_cast<unsigned int>(shape.vertices.size()),
             n_edges = static_cast<unsigned int>(shape.edges.size());
  add_vertices(pair);
  for (unsigned int e = 0; e < n_edges; ++e)
    if (pair.rim_edge == e)
      add_edge_in_rim(pair, n_vertices + 5 * e);
    else
      add_edge(pair, e, n_vertices + 5 * e);
  for (unsigned int f = 0; f < shape.faces.size(); ++f)
    if (pair.is_along_axis(polyhedron.normals[f]))
      add_rims(pair, f, n_vertices + 5 * n_edges + 8 * f);
  add_lowest_point(pair,
                   n_vertices + 5 * n_edges + 8 * static_cast<unsigned int>(shape.faces.size()));
  return pair.found.sorted(same_point * pair.tolerance);
}

} // namespace percussion
