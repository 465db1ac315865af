#pragma once

#include <percussion/body/rigid_body.h>
#include <percussion/contact/piece_pair.h>

#include <optional>
#include <utility>
#include <vector>

namespace percussion {

/// Contact of a vertex of one convex polygon with an edge of another.
struct VertexOnEdge {
  bool is_first;       ///< true if the vertex belongs to the first polygon
  unsigned int vertex; ///< index of the vertex in its polygon
  double gap;          ///< distance from the line of the edge; negative: penetration [length]
  dealii::Tensor<1, 2> normal; ///< outward unit normal of the other polygon
};

/// Returns the points at which two convex polygons touch or are nearest: at most two, each a vertex
/// of one polygon against an edge of the other. Sticks count as polygons with two edges.
///
/// Two faces touch at the ends of their overlap, as if edges were slightly concave (JM91). One face
/// is the edge that separates the polygons most or has the least penetration; the other face is the
/// edge of the other polygon that faces it. If two edges are equal, the edge of the first polygon
/// is used; if both faces end at the same point, the vertex of the facing edge is used. Vertices in
/// the interior of an edge have no effect.
///
/// The vertex that is nearest to an edge, or is deepest, is one of the points; its gap is the
/// distance, or minus the shortest displacement that separates the polygons. Corners in front of
/// each other have no normal and no contact point. A gap is negative only if the polygons overlap,
/// and is no deeper than this shortest displacement. The vertex is then inside or, at a pointed
/// corner, outside by less than the displacement: almost aligned faces must not lose the contact
/// there.
std::vector<VertexOnEdge> touching_vertices(const Outline &first, const Outline &second);

/// Contact points of two convex pieces, and the direction along which they are apart or overlap.
struct TouchingPieces {
  std::vector<VertexOnEdge> points;
  /// Unit vector from the second to the first piece: the normal of the axis if they overlap, else
  /// the mean of the normals of all separating edges, weighted with their separations.
  dealii::Tensor<1, 2> direction;
  bool overlapping = false; ///< true if they overlap, or have gone through each other
};

/// Convex piece of a body in the current configuration: a polygon, a stick, or a disc about its
/// only vertex.
struct PlacedPiece {
  const Outline &vertices;
  double radius; ///< radius of a disc, else 0 [length]
};

/// Returns the contact points of two pieces, which may be discs. A disc has one contact point, on
/// the line from its centre to the nearest point of the other piece; `vertex` is then 0, and of two
/// discs the first has the vertex.
///
/// Overlapping pieces are separated on the side from which they came (PairGuide::admits), so that a
/// piece that is more than half of the way through a thin one does not leave it on the far side,
/// not even if it has gone through it since it overlapped (PairGuide::was_overlapping). Contact
/// points at seams are left out. If the axis is not the normal of the face that the flush neighbour
/// continues, this face takes its place (of several, the face with the least overlap), so that
/// flush pieces have the contacts of one plane.
TouchingPieces touching_pieces(const PlacedPiece &first, const PlacedPiece &second,
                               const PairGuide<2> &guide = {});

/// Gap of a point to a convex polygon, and the outward normal of the polygon there: the largest of
/// the distances from the lines of its edges. The gap is exact inside and in front of an edge; in
/// front of a corner it is at most the distance. A stick has no interior: its gap is never
/// negative.
struct PolygonGap {
  double distance; ///< signed distance; negative: penetration [length]
  dealii::Tensor<1, 2> normal;
};
/// Returns the gap of a point to a polygon, see PolygonGap.
PolygonGap gap(const Outline &polygon, const dealii::Point<2> &x);
/// Returns the gap of a node to a polygon or disc, see touching_pieces(); its piece is the first.
/// For a polygon, this is gap(), else distance(). `direction` is the direction of TouchingPieces;
/// no value: the only contact is at a seam, and the node is beside the continued face.
std::optional<PolygonGap> gap_of_node(const PlacedPiece &piece, const dealii::Point<2> &x,
                                      const PairGuide<2> &guide, dealii::Tensor<1, 2> &direction);
/// Returns the distance of a point from a piece, also in front of corners, or minus the shortest
/// displacement out of it, and the direction away from the piece.
PolygonGap distance(const PlacedPiece &piece, const dealii::Point<2> &x);

/// Returns the edges of a piece that continue edges of another in the same line, to a tolerance
/// [length], with these edges: (edge of the first, edge of the second). None for discs and sticks.
FacePairs flush_faces(const PlacedPiece &first, const PlacedPiece &second, double tolerance);
/// Returns the lines of the edges of a piece; none for a disc. Edges are counted from the first
/// vertex that is a corner.
FacePlanes<2> face_planes(const PlacedPiece &piece);

} // namespace percussion
