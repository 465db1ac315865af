#pragma once

#include <percussion/body/rigid_body.h>

#include <vector>

namespace percussion {

/// A convex shape where its body is.
struct PlacedShape {
  const ConvexShape *shape;
  std::vector<dealii::Point<3>> vertices;
  std::vector<dealii::Tensor<1, 3>> normals; ///< of the faces, outward
};

/// The shape as part of a body in this pose.
PlacedShape place(const ConvexShape &shape, const RigidBody<3> &body, const RigidPose<3> &pose);
/// The shape where it begins.
PlacedShape place(const ConvexShape &shape);

/// A place where two convex shapes touch or come near.
struct Touching {
  /// Which feature of the one meets which of the other, stable from step to step: a vertex of the
  /// first (its number) or of the second (following those) on a face, or two edges (following the
  /// vertices). A sphere's contact is 0.
  unsigned int feature;
  double gap;                  ///< along the normal; negative: penetration [length]
  dealii::Tensor<1, 3> normal; ///< unit length, from the second to the first
  dealii::Point<3> x;          ///< in the middle of the gap
};

/// The places where two convex shapes touch or come nearer than `reach` [length], by ascending
/// features.
///
/// Two polyhedra touch along the axis that separates them most, or lets them penetrate least: the
/// normal of a face of either, or one across an edge of each. Of equals it is a face, and the
/// first's.
///
/// Along the normal of a face the places are the corners of what this face and the other
/// polyhedron's most opposed one have in common, seen along the normal: vertices of the one within
/// the other, and crossings of their edges. Of those that coincide to 1e-9 of the size vertices
/// count, and what lies between its neighbours on a straight edge of the common polygon is left
/// out: it carries nothing that they cannot. The normal is that of the face; if both faces are
/// within 11° of being parallel a vertex has that of the face which it is in front of.
///
/// Across two edges the place is where they come nearest. Where the axis is within 11° of the
/// normal of a face at one of the edges, the other corners that this face and the most opposed one
/// at the other edge have in common are places, too: when the faces turn towards each other, these
/// close before they are deep. If there is no place the best face is tried.
///
/// Corners in front of each other have no normal and no place.
///
/// A sphere has one place: where its centre is nearest to the other shape.
std::vector<Touching> touching_places(const PlacedShape &first, const PlacedShape &second,
                                      double reach);

/// Number of features of two shapes: Touching::feature is less.
unsigned int n_features(const ConvexShape &first, const ConvexShape &second);

/// Gap of a point with respect to a convex polyhedron, and the outward normal there: the distance,
/// or minus the shortest way out; or of a sphere.
struct PolyhedronGap {
  double distance; ///< negative: penetration [length]
  dealii::Tensor<1, 3> normal;
};
/// See PolyhedronGap.
PolyhedronGap gap(const PlacedShape &shape, const dealii::Point<3> &x);

} // namespace percussion
