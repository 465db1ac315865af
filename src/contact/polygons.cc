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

} // namespace

std::vector<VertexOnEdge> touching_vertices(const Outline &first, const Outline &second) {
  Edges edges = edges_of(first), opposite_edges = edges_of(second);
  const double tolerance = 1e-9 * std::min(size(edges), size(opposite_edges));
  const double largest = std::max(separate(edges, opposite_edges), separate(opposite_edges, edges));
  // For parallel faces the first polygon's edge is used, regardless of round-off.
  for (const bool by_first : {true, false})
    for (const Edge &edge : by_first ? edges : opposite_edges)
      if (edge.separation >= largest - tolerance) {
        const Edge &facing = facing_edge(by_first ? opposite_edges : edges, edge);
        auto touching = ends_of_overlap({edge, facing, by_first, tolerance});
        if (!touching.empty())
          return touching;
      }
  return {};
}

std::vector<VertexOnEdge> touching_pieces(const PlacedPiece &first, const PlacedPiece &second) {
  if (first.radius == 0. && second.radius == 0.)
    return touching_vertices(first.vertices, second.vertices);
  const bool of_first = first.radius > 0.;
  const PlacedPiece &disc = of_first ? first : second;
  const PolygonGap g = distance(of_first ? second : first, disc.vertices[0]);
  return {{of_first, 0, g.distance - disc.radius, g.normal}};
}

PolygonGap distance(const PlacedPiece &piece, const dealii::Point<2> &x) {
  if (piece.radius > 0.) {
    const Tensor from_centre = x - piece.vertices[0];
    const double r = from_centre.norm(); // at the centre all directions are equivalent
    return {r - piece.radius, r > 0. ? from_centre / r : Tensor({0., 1.})};
  }
  const PolygonGap by_lines = gap(piece.vertices, x);
  if (by_lines.distance < 0.)
    return by_lines;
  PolygonGap nearest{std::numeric_limits<double>::max(), Tensor()};
  for (const Edge &edge : edges_of(piece.vertices)) {
    const double coordinate = edge.direction * (x - edge.begin.x), line_distance = height(x, edge);
    const bool is_beside = coordinate >= 0. && coordinate <= edge.length;
    const Tensor away = x - (coordinate < 0. ? edge.begin.x : edge.end.x);
    const PolygonGap of_edge = is_beside ? PolygonGap{line_distance, edge.normal}
                                         : PolygonGap{away.norm(), away / away.norm()};
    if (line_distance >= 0. && of_edge.distance < nearest.distance)
      nearest = of_edge;
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

} // namespace percussion
