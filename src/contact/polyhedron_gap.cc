#include <percussion/contact/surface.h>

#include "placed_shape.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using SpaceVector = dealii::Tensor<1, 3>;

/// Returns the gap to a sphere or a capsule. At the centre of a sphere all directions are
/// equivalent; the normal is then upward.
PolyhedronGap gap_of_core(const PlacedShape &shape, const dealii::Point<3> &x) {
  const bool is_sphere = shape.shape->is_sphere();
  const SpaceVector arm =
      x -
      (is_sphere ? shape.vertices[0] : nearest_on_edge(x, shape.vertices[0], shape.vertices[1]));
  const double distance = arm.norm();
  const SpaceVector core_normal =
      is_sphere ? SpaceVector({0., 0., 1.}) : local_frame<3>(axis_of(shape))[1];
  return {distance - shape.shape->radius, distance > 0 ? arm / distance : core_normal};
}

/// Returns the gap to a cylinder with flat ends.
PolyhedronGap gap_of_cylinder(const PlacedShape &cylinder, const dealii::Point<3> &x) {
  const PositionAtCylinder position(cylinder, x);
  const double radial_gap = position.distance - cylinder.shape->radius,
               end_gap = position.beyond_end();
  if (radial_gap > 0. && end_gap > 0.) {
    const double distance = std::hypot(radial_gap, end_gap);
    return {distance, (radial_gap * position.radial + end_gap * position.end_normal()) / distance};
  }
  return radial_gap > end_gap ? PolyhedronGap{radial_gap, position.radial}
                              : PolyhedronGap{end_gap, position.end_normal()};
}

/// Returns the directions in which a point may leave a round shape, and its gaps in them, for a
/// point that entered in the direction `entry` from the shape.
std::array<PolyhedronGap, 4> exits(const PlacedShape &round, const dealii::Point<3> &x,
                                   const SpaceVector &entry) {
  const double radius = round.shape->radius;
  if (round.shape->is_cylinder()) {
    const PositionAtCylinder position(round, x);
    const double half = 0.5 * position.length;
    return {{{position.distance - radius, position.radial},
             {-position.distance - radius, -position.radial},
             {position.height - half, position.axis},
             {-position.height - half, -position.axis}}};
  }
  if (round.shape->is_sphere())
    return {{{entry * (x - round.vertices[0]) - radius, entry}}};
  const dealii::Point<3> core = nearest_on_edge(x, round.vertices[0], round.vertices[1]);
  SpaceVector normal = entry;
  if (core != round.vertices[0] && core != round.vertices[1]) {
    normal -= (entry * axis_of(round)) * axis_of(round);
    normal /= normal.norm() > 0. ? normal.norm() : 1.;
  }
  return {{{normal * (x - core) - radius, normal}}};
}

/// Returns the gap to a round shape on the side from which the point came.
PolyhedronGap gap_on_side_of_entry(const PointAtShape &point, const PolyhedronGap &nearest) {
  PolyhedronGap best{std::numeric_limits<double>::lowest(), {}};
  for (const PolyhedronGap &exit :
       exits(point.shape, point.x, point.axis(point.guide.entry->direction)))
    if (exit.normal.norm_square() > 0. && exit.distance > best.distance &&
        point.guide.admits(point.axis(exit.normal)))
      best = exit;
  return best.normal.norm_square() > 0. ? best : nearest;
}

/// Returns the gap on the side from which the point came.
PolyhedronGap gap_on_admitted_side(const PointAtShape &point, const PolyhedronGap &nearest) {
  const auto admits = [&](const dealii::Tensor<1, 3> &n) {
    return point.guide.admits(point.axis(n));
  };
  const bool is_apart = nearest.distance >= point.radius;
  if (admits(nearest.normal) || (is_apart && !point.guide.was_overlapping()))
    return nearest;
  if (point.shape.shape->is_round())
    return gap_on_side_of_entry(point, nearest);
  PolyhedronGap largest{std::numeric_limits<double>::lowest(), {}};
  unsigned int face = 0;
  for (unsigned int f = 0; f < point.shape.normals.size(); ++f)
    if (const double h = height(point.shape, f, point.x);
        h > largest.distance && admits(point.shape.normals[f])) {
      largest = {h, point.shape.normals[f]};
      face = f;
    }
  // Beside the face by which it entered, or apart from that face, the point is free.
  const bool is_free =
      is_apart && (largest.distance >= point.radius || !is_in_front(point.shape, face, point.x));
  return largest.normal.norm() > 0. && !is_free ? largest : nearest;
}

} // namespace

PositionAtCylinder::PositionAtCylinder(const PlacedShape &cylinder, const dealii::Point<3> &x) {
  const dealii::Point<3> &begin = cylinder.vertices[0], &end = cylinder.vertices[1];
  length = begin.distance(end);
  axis = (end - begin) / length;
  const dealii::Tensor<1, 3> arm = x - (begin + 0.5 * (end - begin));
  height = arm * axis;
  const dealii::Tensor<1, 3> radial_arm = arm - height * axis;
  distance = radial_arm.norm();
  radial = distance > 0. ? radial_arm / distance : local_frame<3>(axis)[1];
}

void place_shape(const ConvexShape &shape, const RigidBody<3> &body, const RigidPose<3> &pose,
                 PlacedShape &placed) {
  placed.shape = &shape;
  placed.vertices.clear();
  placed.normals.clear();
  placed.vertices.reserve(shape.vertices.size());
  placed.normals.reserve(shape.normals.size());
  for (const dealii::Point<3> &x : shape.vertices)
    placed.vertices.push_back(pose.position(body, x));
  for (const dealii::Tensor<1, 3> &n : shape.normals)
    placed.normals.push_back(pose.turned(n));
}

PlacedShape place_shape(const ConvexShape &shape) {
  return {&shape, shape.vertices, shape.normals};
}

unsigned int n_features(const ConvexShape &first, const ConvexShape &second) {
  const std::size_t n_vertices = first.vertices.size() + second.vertices.size();
  const bool is_pair_of_edges = !first.is_round() && !second.is_round();
  return static_cast<unsigned int>(is_pair_of_edges || first.is_sphere() || second.is_sphere()
                                       ? n_vertices + first.edges.size() * second.edges.size()
                                       : most_round_features + n_vertices +
                                             8 * (first.edges.size() + second.edges.size() +
                                                  first.faces.size() + second.faces.size()));
}

PolyhedronGap gap(const PlacedShape &polyhedron, const dealii::Point<3> &x) {
  if (polyhedron.shape->is_cylinder())
    return gap_of_cylinder(polyhedron, x);
  if (polyhedron.shape->is_round())
    return gap_of_core(polyhedron, x);
  PolyhedronGap inside{std::numeric_limits<double>::lowest(), dealii::Tensor<1, 3>()};
  double nearest = std::numeric_limits<double>::max();
  dealii::Point<3> found;
  const auto look_at = [&](const dealii::Point<3> &touching_point) {
    if (const double square = (x - touching_point).norm_square(); square < nearest) {
      nearest = square;
      found = touching_point;
    }
  };
  for (unsigned int f = 0; f < polyhedron.normals.size(); ++f) {
    const double h = height(polyhedron, f, x);
    const dealii::Tensor<1, 3> &n = polyhedron.normals[f];
    if (h > inside.distance)
      inside = {h, n};
    if (h <= 0)
      continue;
    if (is_in_front(polyhedron, f, x))
      return {h, n};
    const auto &face = polyhedron.shape->faces[f];
    for (std::size_t i = 0; i < face.size(); ++i)
      look_at(nearest_on_edge(x, polyhedron.vertices[face[i]],
                              polyhedron.vertices[face[(i + 1) % face.size()]]));
  }
  if (inside.distance <= 0)
    return inside;
  const double distance = std::sqrt(nearest);
  return {distance, (x - found) / distance};
}

std::optional<PolyhedronGap> guided_gap(const PointAtShape &point,
                                        dealii::Tensor<1, 3> &direction) {
  const PolyhedronGap g = gap_on_admitted_side(point, gap(point.shape, point.x));
  direction = point.axis(g.normal);
  if (point.guide.seams == nullptr || point.shape.shape->is_round())
    return g;
  FaceIndices faces;
  point.guide.seams->add_continued_faces(
      point.shape_is_first, dealii::Point<3>(point.x - g.distance * g.normal), g.normal, faces);
  if (faces.empty())
    return g;
  const unsigned int face =
      *std::max_element(faces.begin(), faces.end(), [&](unsigned int a, unsigned int b) {
        return height(point.shape, a, point.x) < height(point.shape, b, point.x);
      });
  if (!is_in_front(point.shape, face, point.x))
    return {};
  direction = point.axis(point.shape.normals[face]);
  return PolyhedronGap{height(point.shape, face, point.x), point.shape.normals[face]};
}

std::optional<PolyhedronGap> gap_of_node(const PlacedShape &shape, const dealii::Point<3> &x,
                                         const PairGuide<3> &guide,
                                         dealii::Tensor<1, 3> &direction) {
  return guided_gap({shape, x, 0., false, guide}, direction);
}

FacePairs flush_faces(const PlacedShape &first, const PlacedShape &second, double tolerance) {
  FacePairs found;
  for (unsigned int f = 0; f < first.normals.size(); ++f)
    for (unsigned int g = 0; g < second.normals.size(); ++g)
      if ((first.normals[f] - second.normals[g]).norm_square() <
              flush_face_angle * flush_face_angle &&
          std::abs(height(first, f, second.vertices[second.shape->faces[g][0]])) <= tolerance)
        found.emplace_back(f, g);
  return found;
}

FacePlanes<3> face_planes(const PlacedShape &shape) {
  FacePlanes<3> planes;
  for (unsigned int f = 0; f < shape.normals.size(); ++f)
    planes.push_back({shape.normals[f], shape.vertices[shape.shape->faces[f][0]]});
  return planes;
}

} // namespace percussion
