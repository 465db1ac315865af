#include <percussion/contact/polygons.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;

struct Corner {
  unsigned int vertex;
  Point x;
};

/// Edge from corner to corner, with any vertices in between.
struct Edge {
  Corner begin, end;
  Tensor direction; ///< unit vector, the polygon to its left
  Tensor normal;    ///< outward unit normal
  double length;
  double separation = 0; ///< separation of the polygon from another
};

/// Edges of a polygon; most polygons need no allocation.
using Edges = boost::container::small_vector<Edge, 8>;

Edge make_edge(const Outline &outline, unsigned int begin, unsigned int end) {
  const Tensor edge_vector = outline[end] - outline[begin];
  const double length = edge_vector.norm();
  const Tensor direction = edge_vector / length;
  return {
      {begin, outline[begin]}, {end, outline[end]}, direction, cross_product_2d(direction), length};
}

/// Returns the edges of an outline; a stick has two, in opposite directions.
Edges edges_of(const Outline &outline) {
  const auto n = static_cast<unsigned int>(outline.size());
  unsigned int first = 0;
  while (first + 1 < n && lies_on_edge(outline, first))
    ++first;
  Edges edges;
  unsigned int begin = first;
  for (unsigned int i = first + 1; i <= first + n; ++i)
    if (i == first + n || !lies_on_edge(outline, i % n)) {
      edges.push_back(make_edge(outline, begin, i % n));
      begin = i % n;
    }
  return edges;
}

/// Returns half of the perimeter; the length of a stick.
double size(const Edges &edges) {
  double perimeter = 0;
  for (const Edge &edge : edges)
    perimeter += edge.length;
  return perimeter / 2;
}

double height(const Point &x, const Edge &edge) { return edge.normal * (x - edge.begin.x); }

/// Computes the distance by which the line of each edge separates its polygon from the corners of
/// the other; negative if they penetrate. Returns the largest.
double separate(Edges &edges, const Edges &opposite_edges) {
  double largest = std::numeric_limits<double>::lowest();
  for (Edge &edge : edges) {
    edge.separation = std::numeric_limits<double>::max();
    for (const Edge &opposite_edge : opposite_edges)
      edge.separation = std::min(edge.separation, height(opposite_edge.begin.x, edge));
    largest = std::max(largest, edge.separation);
  }
  return largest;
}

/// Returns the edge of the other polygon that faces the reference edge. It contains the corner that
/// is lowest above the reference edge.
const Edge &facing_edge(const Edges &opposite_edges, const Edge &reference) {
  return *std::min_element(opposite_edges.begin(), opposite_edges.end(),
                           [&](const Edge &a, const Edge &b) {
                             return a.normal * reference.normal < b.normal * reference.normal;
                           });
}

/// True if a point is not farther past an edge's end than from the edge's line. Beyond the end of a
/// steep edge, a small distance to its line would be meaningless.
bool is_beside(const Point &x, const Edge &edge, double tolerance) {
  const double coordinate = edge.direction * (x - edge.begin.x);
  const double past = std::max(-coordinate, coordinate - edge.length);
  return past <= std::abs(height(x, edge)) + tolerance;
}

/// Reference edge, and the edge of the other polygon that faces it.
struct Meeting {
  const Edge &reference, &facing;
  bool reference_is_first;
  double tolerance; ///< distance up to which ends count as aligned [length]
};

/// Adds the end vertex of the facing edge if it is inside the reference edge, else the end vertex
/// of the reference edge.
void add_end(std::vector<VertexOnEdge> &touching, const Meeting &meeting, bool inside,
             const Corner &facing_end, const Corner &reference_end) {
  const auto &[reference, facing, reference_is_first, tolerance] = meeting;
  if (inside)
    touching.push_back({!reference_is_first, facing_end.vertex, height(facing_end.x, reference),
                        reference.normal});
  else if (is_beside(reference_end.x, facing, tolerance))
    touching.push_back(
        {reference_is_first, reference_end.vertex, height(reference_end.x, facing), facing.normal});
}

/// Returns the two ends of the overlap of both edges, seen along the reference edge.
std::vector<VertexOnEdge> ends_of_overlap(const Meeting &meeting) {
  const auto &[reference, facing, reference_is_first, tolerance] = meeting;
  // The edges run in opposite directions: the end of one is near the beginning of the other.
  const double low = reference.direction * (facing.end.x - reference.begin.x);
  const double high = reference.direction * (facing.begin.x - reference.begin.x);
  const bool low_inside = low >= -tolerance, high_inside = high <= reference.length + tolerance;
  const double overlap = std::min(high, reference.length) - std::max(low, 0.);
  std::vector<VertexOnEdge> touching;
  // Edges that meet only at their ends, corner at corner, do not support each other.
  if (low_inside != high_inside && overlap <= tolerance)
    return touching;
  touching.reserve(2);
  add_end(touching, meeting, low_inside, facing.end, reference.begin);
  add_end(touching, meeting, high_inside, facing.begin, reference.end);
  return touching;
}

/// Angle up to which an axis counts as the normal of a continued edge [rad].
constexpr double flush_angle = 1e-6;

/// Two polygons, their edges with separations, and the data on both.
struct PolygonPair {
  PolygonPair(const Outline &first_outline, const Outline &second_outline,
              const PairGuide<2> &pair_guide)
      : first(first_outline), second(second_outline), edges(edges_of(first)),
        opposite_edges(edges_of(second)),
        tolerance(1e-9 * std::min(size(edges), size(opposite_edges))), guide(pair_guide) {
    largest = std::max(separate(edges, opposite_edges), separate(opposite_edges, edges));
    limit_axes();
  }

  const Edges &edges_of_side(bool is_first) const { return is_first ? edges : opposite_edges; }
  /// Returns the normal of an edge, from the second to the first polygon.
  static Tensor axis(const Edge &edge, bool is_first) {
    return is_first ? -edge.normal : edge.normal;
  }
  bool is_admitted(const Edge &edge, bool is_first) const {
    return !is_limited || guide.admits(axis(edge, is_first));
  }
  std::vector<VertexOnEdge> points_along(const Edge &edge, bool is_first) const {
    return ends_of_overlap(
        {edge, facing_edge(edges_of_side(!is_first), edge), is_first, tolerance});
  }

  /// Calls a function with each edge, first of the first polygon, until it returns true.
  template <typename Function>
  void each_edge(const Function &function) const {
    for (const bool is_first : {true, false})
      for (const Edge &edge : edges_of_side(is_first))
        if (function(edge, is_first))
          return;
  }

  const Outline &first, &second;
  Edges edges, opposite_edges;
  double tolerance; ///< distance up to which separations are equal [length]
  const PairGuide<2> &guide;
  double largest;           ///< largest separation of an admitted edge
  bool is_limited = false;  ///< true if some axes are not admitted
  bool have_passed = false; ///< true if the polygons have gone through each other

private:
  /// Leaves only axes on the side from which the polygons came, if they overlap or have gone
  /// through each other, and there are any.
  void limit_axes() {
    if (guide.entry == nullptr || (largest >= 0. && !guide.was_overlapping()))
      return;
    double largest_admitted = std::numeric_limits<double>::lowest();
    each_edge([&](const Edge &edge, bool is_first) {
      if (guide.admits(axis(edge, is_first)))
        largest_admitted = std::max(largest_admitted, edge.separation);
      return false;
    });
    const bool are_apart = largest >= 0. && largest_admitted >= 0.;
    if (are_apart || largest_admitted == std::numeric_limits<double>::lowest())
      return;
    have_passed = largest >= 0.;
    is_limited = true;
    largest = largest_admitted;
  }
};

/// Edge of a polygon that a flush neighbour continues.
struct ContinuedEdge {
  bool is_first;
  const Edge *edge;
};

/// Removes the points at seams. Returns the continued edge with the least overlap; no value if no
/// point was removed.
std::optional<ContinuedEdge> remove_seams(const PolygonPair &pair,
                                          std::vector<VertexOnEdge> &points) {
  std::optional<ContinuedEdge> best;
  FaceIndices faces;
  const auto look = [&](bool is_first, const Point &foot, const Tensor &outward) {
    faces.clear();
    pair.guide.seams->add_continued_faces(is_first, foot, outward, faces);
    for (const unsigned int f : faces)
      if (const Edge &edge = pair.edges_of_side(is_first)[f];
          !best || edge.separation > best->edge->separation)
        best = ContinuedEdge{is_first, &edge};
    return !faces.empty();
  };
  points.erase(std::remove_if(points.begin(), points.end(),
                              [&](const VertexOnEdge &p) {
                                const Point &x = (p.is_first ? pair.first : pair.second)[p.vertex];
                                const bool is_at_own = look(p.is_first, x, -p.normal);
                                return look(!p.is_first, x - p.gap * p.normal, p.normal) ||
                                       is_at_own;
                              }),
               points.end());
  return best;
}

/// Returns the mean of the normals of all edges that separate two polygons.
Tensor separating_direction(const PolygonPair &pair) {
  Tensor sum;
  pair.each_edge([&](const Edge &edge, bool is_first) {
    sum += std::max(edge.separation, 0.) * PolygonPair::axis(edge, is_first);
    return false;
  });
  return sum / sum.norm();
}

TouchingPieces touching_polygons(const PolygonPair &pair) {
  TouchingPieces touching;
  bool has_axis = false;
  // For parallel faces the first polygon's edge is used, regardless of round-off.
  pair.each_edge([&](const Edge &edge, bool is_first) {
    if (edge.separation < pair.largest - pair.tolerance || !pair.is_admitted(edge, is_first))
      return false;
    touching.points = pair.points_along(edge, is_first);
    if (!has_axis || !touching.points.empty())
      touching.direction = PolygonPair::axis(edge, is_first);
    has_axis = true;
    return !touching.points.empty();
  });
  // Beside the faces by which they entered each other they are free.
  if (pair.have_passed && touching.points.empty())
    return touching_polygons({pair.first, pair.second, {nullptr, pair.guide.seams}});
  if (pair.guide.seams != nullptr && !touching.points.empty())
    if (const auto continued = remove_seams(pair, touching.points)) {
      const Tensor axis = PolygonPair::axis(*continued->edge, continued->is_first);
      if ((axis - touching.direction).norm() > flush_angle) {
        touching.points = pair.points_along(*continued->edge, continued->is_first);
        remove_seams(pair, touching.points);
        touching.direction = axis;
      }
    }
  if (pair.largest > 0.)
    touching.direction = separating_direction(pair);
  touching.overlapping = pair.largest < 0.;
  return touching;
}

/// Returns the mean of the normals of all edges whose lines are on the inner side of a point.
Tensor normal_away_from(const Edges &edges, const Point &x) {
  Tensor sum;
  for (const Edge &edge : edges)
    sum += std::max(height(x, edge), 0.) * edge.normal;
  return sum / sum.norm();
}

/// Piece and a point near it, a node or the centre of a disc.
struct PointAtPiece {
  const PlacedPiece &piece;
  const Point &x;
  double radius;       ///< radius of the disc, or 0 [length]
  bool piece_is_first; ///< true if the piece is the first of the pair, and the point the second
  const PairGuide<2> &guide;

  bool admits(const Tensor &normal) const { return guide.admits(axis(normal)); }
  /// Returns the direction from the second to the first piece.
  Tensor axis(const Tensor &normal) const { return piece_is_first ? -normal : normal; }
};

/// Returns the gap on the side from which the point came.
PolygonGap gap_on_admitted_side(const PointAtPiece &point, const PolygonGap &nearest) {
  const bool is_apart = nearest.distance >= point.radius;
  if (point.admits(nearest.normal) || (is_apart && !point.guide.was_overlapping()))
    return nearest;
  if (point.piece.radius > 0.) {
    const Tensor normal = point.axis(point.guide.entry->direction);
    return {normal * (point.x - point.piece.vertices[0]) - point.piece.radius, normal};
  }
  PolygonGap largest{std::numeric_limits<double>::lowest(), Tensor()};
  bool is_in_front = false;
  for (const Edge &edge : edges_of(point.piece.vertices))
    if (const double h = height(point.x, edge); h > largest.distance && point.admits(edge.normal)) {
      const double coordinate = edge.direction * (point.x - edge.begin.x);
      is_in_front = coordinate >= 0. && coordinate <= edge.length;
      largest = {h, edge.normal};
    }
  // Beside the face by which it entered, or apart from that face, the point is free.
  const bool is_free = is_apart && (!is_in_front || largest.distance >= point.radius);
  return largest.normal.norm() > 0. && !is_free ? largest : nearest;
}

/// Returns the gap, with the continued edge in place of an edge at a seam; no value beside it.
std::optional<PolygonGap> gap_beside_seams(const PointAtPiece &point, const PolygonGap &g) {
  if (point.guide.seams == nullptr || point.piece.radius > 0.)
    return g;
  FaceIndices faces;
  point.guide.seams->add_continued_faces(point.piece_is_first, point.x - g.distance * g.normal,
                                         g.normal, faces);
  if (faces.empty())
    return g;
  const Edges edges = edges_of(point.piece.vertices);
  const Edge &edge =
      edges[*std::max_element(faces.begin(), faces.end(), [&](unsigned int a, unsigned int b) {
        return height(point.x, edges[a]) < height(point.x, edges[b]);
      })];
  const double coordinate = edge.direction * (point.x - edge.begin.x);
  if (coordinate < 0. || coordinate > edge.length)
    return {};
  return PolygonGap{height(point.x, edge), edge.normal};
}

} // namespace

std::vector<VertexOnEdge> touching_vertices(const Outline &first, const Outline &second) {
  return touching_polygons(PolygonPair(first, second, {})).points;
}

TouchingPieces touching_pieces(const PlacedPiece &first, const PlacedPiece &second,
                               const PairGuide<2> &guide) {
  if (first.radius == 0. && second.radius == 0.)
    return touching_polygons(PolygonPair(first.vertices, second.vertices, guide));
  const bool is_first = first.radius > 0.;
  const PlacedPiece &disc = is_first ? first : second, &opposite = is_first ? second : first;
  const PointAtPiece point{opposite, disc.vertices[0], disc.radius, !is_first, guide};
  const PolygonGap nearest = gap_on_admitted_side(point, distance(opposite, point.x));
  const auto g = gap_beside_seams(point, nearest);
  const bool overlapping = nearest.distance < disc.radius;
  if (!g)
    return {{}, point.axis(nearest.normal), overlapping};
  return {
      {{is_first, 0, g->distance - disc.radius, g->normal}}, point.axis(g->normal), overlapping};
}

std::optional<PolygonGap> gap_of_node(const PlacedPiece &piece, const dealii::Point<2> &x,
                                      const PairGuide<2> &guide, dealii::Tensor<1, 2> &direction) {
  const PointAtPiece point{piece, x, 0., false, guide};
  const PolygonGap nearest =
      gap_on_admitted_side(point, piece.radius > 0. ? distance(piece, x) : gap(piece.vertices, x));
  const auto g = gap_beside_seams(point, nearest);
  direction = g ? g->normal : nearest.normal;
  if (piece.radius == 0. && nearest.distance > 0.)
    direction = normal_away_from(edges_of(piece.vertices), x);
  return g;
}

PolygonGap distance(const PlacedPiece &piece, const dealii::Point<2> &x) {
  if (piece.radius > 0.) {
    const Tensor radius_vector = x - piece.vertices[0];
    const double r = radius_vector.norm(); // at the centre all directions are equivalent
    return {r - piece.radius, r > 0. ? radius_vector / r : Tensor({0., 1.})};
  }
  const PolygonGap line_gap = gap(piece.vertices, x);
  if (line_gap.distance < 0.)
    return line_gap;
  PolygonGap nearest{std::numeric_limits<double>::max(), Tensor()};
  for (const Edge &edge : edges_of(piece.vertices)) {
    const double coordinate = edge.direction * (x - edge.begin.x), line_distance = height(x, edge);
    const bool is_beside = coordinate >= 0. && coordinate <= edge.length;
    const Tensor away = x - (coordinate < 0. ? edge.begin.x : edge.end.x);
    const PolygonGap edge_gap = is_beside ? PolygonGap{line_distance, edge.normal}
                                          : PolygonGap{away.norm(), away / away.norm()};
    if (line_distance >= 0. && edge_gap.distance < nearest.distance)
      nearest = edge_gap;
  }
  return nearest;
}

PolygonGap gap(const Outline &polygon, const dealii::Point<2> &x) {
  PolygonGap largest{std::numeric_limits<double>::lowest(), Tensor()};
  for (const Edge &edge : edges_of(polygon))
    if (const double distance = height(x, edge); distance > largest.distance)
      largest = {distance, edge.normal};
  return largest;
}

FacePairs flush_faces(const PlacedPiece &first, const PlacedPiece &second, double tolerance) {
  FacePairs found;
  if (std::min(first.vertices.size(), second.vertices.size()) < 3)
    return found;
  const Edges edges = edges_of(first.vertices), opposite_edges = edges_of(second.vertices);
  for (unsigned int e = 0; e < edges.size(); ++e)
    for (unsigned int o = 0; o < opposite_edges.size(); ++o)
      if ((edges[e].normal - opposite_edges[o].normal).norm_square() < flush_angle * flush_angle &&
          std::abs(height(opposite_edges[o].begin.x, edges[e])) <= tolerance)
        found.emplace_back(e, o);
  return found;
}

FacePlanes<2> face_planes(const PlacedPiece &piece) {
  FacePlanes<2> planes;
  if (piece.radius == 0.)
    for (const Edge &edge : edges_of(piece.vertices))
      planes.push_back({edge.normal, edge.begin.x});
  return planes;
}

} // namespace percussion
