#pragma once

#include <percussion/body/rigid_body.h>

#include <utility>
#include <vector>

namespace percussion {

/// A vertex of one convex polygon against an edge of another.
struct VertexOnEdge {
  bool of_first;               ///< whether the vertex is the first polygon's
  unsigned int vertex;         ///< its number in its polygon
  double gap;                  ///< to the edge's line; negative: penetration [length]
  dealii::Tensor<1, 2> normal; ///< unit length, out of the other polygon
};

/// The at most two places where two convex polygons touch or come nearest, each a vertex of one
/// against an edge of the other; sticks count as polygons with two edges.
///
/// Two faces touch at the ends of what they have in common, as if edges were slightly concave
/// (JM91). The faces are the edge that separates the polygons most, or lets them penetrate least,
/// and the other polygon's edge that faces it. Of equals it is the first polygon's edge; where both
/// faces end at the same place, the second polygon's vertex is held against it. Vertices on an edge
/// play no part.
///
/// Where a vertex is nearest to an edge, or is deepest, it is one of the places and its gap is the
/// distance, or minus the shortest way out. Corners in front of each other have no normal and no
/// place. A gap is negative only where the polygons overlap, and no deeper than the shortest way
/// out. The vertex is inside then or, at a pointed corner, outside by less than that way: faces
/// that are as good as aligned must not lose the contact there.
std::vector<VertexOnEdge> touching_vertices(const Outline &first, const Outline &second);

/// A convex part of a body where it is: a polygon, a stick, or a disc about its only vertex.
struct PlacedPart {
  const Outline &vertices;
  double radius; ///< of a disc, else 0 [length]
};

/// The same of parts that may be discs. A disc has one place, where its centre is nearest to the
/// other part; `vertex` is 0 then, and of two discs the first's.
std::vector<VertexOnEdge> touching_parts(const PlacedPart &first, const PlacedPart &second);

/// Gap of a point with respect to a convex polygon, and the polygon's outward normal there: the
/// largest of the distances from its edges' lines. Exact inside and in front of an edge; in front
/// of a corner no more than the distance. A stick has no inside: never negative.
struct PolygonGap {
  double distance; ///< negative: penetration [length]
  dealii::Tensor<1, 2> normal;
};
/// See PolygonGap.
PolygonGap gap(const Outline &polygon, const dealii::Point<2> &x);
/// The distance of a point from a part, in front of corners too, or minus the shortest way out, and
/// the direction away from the part.
PolygonGap distance(const PlacedPart &part, const dealii::Point<2> &x);

} // namespace percussion
