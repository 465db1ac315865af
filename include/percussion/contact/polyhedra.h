#pragma once

#include <percussion/body/rigid_body.h>
#include <percussion/contact/piece_pair.h>

#include <optional>
#include <utility>
#include <vector>

namespace percussion {

/// Convex shape in the current configuration of its body.
struct PlacedShape {
  const ConvexShape *shape;
  std::vector<dealii::Point<3>> vertices;
  std::vector<dealii::Tensor<1, 3>> normals; ///< outward normals of the faces
};

/// Writes a shape of a body in the given pose.
void place_shape(const ConvexShape &shape, const RigidBody<3> &body, const RigidPose<3> &pose,
                 PlacedShape &placed);
/// Returns the shape in its initial configuration.
PlacedShape place_shape(const ConvexShape &shape);

/// Contact point of two convex shapes that touch or are near.
struct ShapeContact {
  /// Index of the pair of features that meet, stable from step to step: a vertex of the first shape
  /// (its index) or of the second (following the first shape's) on a face, or two edges (following
  /// the vertices). The contact of a sphere has index 0.
  unsigned int feature;
  double gap;                  ///< gap along the normal; negative: penetration [length]
  dealii::Tensor<1, 3> normal; ///< unit normal from the second to the first shape
  dealii::Point<3> x;          ///< point in the middle of the gap
};

/// Returns the points at which two convex shapes touch or are nearer than `reach` [length], by
/// ascending features.
///
/// Two polyhedra touch along the axis that separates them most or has the least penetration: the
/// normal of a face of either, or the common perpendicular of an edge of each. If axes are equal, a
/// face precedes edges, and the first shape precedes the second.
///
/// Along the normal of a face, the contact points are the corners of the polygon that this face and
/// the most opposed face of the other polyhedron have in common, seen along the normal: vertices of
/// one face within the other, and crossings of their edges. If corners coincide to 1e-9 of the
/// size, vertices take precedence. A corner on the straight line between its neighbours is left
/// out, because it carries no load that they cannot carry. The normal is the normal of the
/// reference face; if both faces are within 11° of being parallel, a vertex has the normal of the
/// face in front of it.
///
/// For two edges, the contact point is at their smallest distance. If the axis is within 11° of the
/// normal of a face at one of the edges, the other corners that this face and the most opposed face
/// at the other edge have in common are contact points, too: if the faces turn towards each other,
/// these contacts close before they are deep. If there is no contact point, the face that separates
/// most is tried.
///
/// Corners in front of each other have no normal and no contact point.
///
/// A sphere has one contact point, on the line from its centre to the nearest point of the other
/// shape. A capsule has several, see capsule_contacts.h, and so has a cylinder, see
/// cylinder_contacts.h and cylinder_pairs.h.
std::vector<ShapeContact> contact_points_of(const PlacedShape &first, const PlacedShape &second,
                                            double reach);

/// Contact points of two convex shapes, and the direction along which they are apart or overlap.
struct TouchingShapes {
  std::vector<ShapeContact> points;
  /// Unit vector from the second to the first shape: the normal of the axis if they overlap, else
  /// the mean of the normals of all separating faces, weighted with their separations. Zero if they
  /// are farther apart than the reach.
  dealii::Tensor<1, 3> direction;
  bool overlapping = false; ///< true if they overlap, or have gone through each other
};

/// Returns the points of contact_points_of() and the direction of both shapes.
///
/// Overlapping shapes are separated on the side from which they came (PairGuide::admits), so that a
/// shape that is more than half of the way through a thin one does not leave it on the far side,
/// not even if it has gone through it since it overlapped (PairGuide::was_overlapping). Contact
/// points at seams are left out. If the axis is not the normal of the face that the flush neighbour
/// continues, this face takes its place (of several, the face with the least overlap), so that
/// flush shapes have the contacts of one plane.
TouchingShapes touching_shapes(const PlacedShape &first, const PlacedShape &second, double reach,
                               const PairGuide<3> &guide = {});

/// Returns the faces of a shape that continue faces of another in the same plane, to a tolerance
/// [length], with these faces: (face of the first, face of the second). None for round shapes.
FacePairs flush_faces(const PlacedShape &first, const PlacedShape &second, double tolerance);
/// Returns the planes of the faces of a shape; none for a round shape.
FacePlanes<3> face_planes(const PlacedShape &shape);

/// Returns the number of features of two shapes, greater than any ShapeContact::feature.
unsigned int n_features(const ConvexShape &first, const ConvexShape &second);

/// Gap of a point to a convex shape, and the outward normal there: the distance,
/// or minus the shortest displacement out of the shape.
struct PolyhedronGap {
  double distance; ///< signed distance; negative: penetration [length]
  dealii::Tensor<1, 3> normal;
};
/// Returns the gap of a point to a shape, see PolyhedronGap.
PolyhedronGap gap(const PlacedShape &shape, const dealii::Point<3> &x);
/// Returns the gap of a node to a shape, see touching_shapes(), and writes the direction; the node
/// is the first shape. No value: the only contact is at a seam, and the node is beside the
/// continued face.
std::optional<PolyhedronGap> gap_of_node(const PlacedShape &shape, const dealii::Point<3> &x,
                                         const PairGuide<3> &guide,
                                         dealii::Tensor<1, 3> &direction);

} // namespace percussion
