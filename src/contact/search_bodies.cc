#include "search.h"
#include <limits>

namespace percussion {
namespace {

/// Returns the gap of a point to the nearest convex piece of a body.
PolygonGap gap_of_body(const Search<2> &search, unsigned int body, const dealii::Point<2> &x) {
  const auto &pieces = search.memory.placed.pieces[body];
  if (pieces.empty())
    return gap(search.memory.placed.outlines[body], x);
  PolygonGap nearest{std::numeric_limits<double>::max(), {}};
  for (unsigned int k = 0; k < pieces.size(); ++k) {
    const PlacedPiece placed = piece(search, body, k);
    if (const PolygonGap g = placed.radius > 0. ? distance(placed, x) : gap(pieces[k], x);
        g.distance < nearest.distance)
      nearest = g;
  }
  return nearest;
}

/// Returns the gap of a point to the nearest convex shape of a body.
PolyhedronGap gap_of_body(const Search<3> &search, unsigned int body, const dealii::Point<3> &x) {
  PolyhedronGap nearest{std::numeric_limits<double>::max(), {}};
  for (const PlacedShape &shape : search.memory.placed.shapes[body])
    if (const PolyhedronGap g = gap(shape, x); g.distance < nearest.distance)
      nearest = g;
  return nearest;
}

/// Adds the contacts between two pieces; `first_vertices` are the contact points of their first
/// vertices.
void add_piece_contacts(Search<2> &search, const ContactKey &key,
                        const std::array<PlacedPiece, 2> &pieces,
                        const std::array<unsigned int, 2> &first_vertices) {
  const auto n_first = static_cast<unsigned int>(pieces[0].vertices.size());
  const auto feature = [&](const VertexOnEdge &touching) {
    return key.feature + (touching.of_first ? touching.vertex : n_first + touching.vertex);
  };
  auto touching_vertices_found = touching_pieces(pieces[0], pieces[1]);
  std::sort(touching_vertices_found.begin(), touching_vertices_found.end(),
            [&](const auto &p, const auto &o) { return feature(p) < feature(o); });
  for (const VertexOnEdge &touching : touching_vertices_found) {
    const unsigned int own = touching.of_first ? 0 : 1;
    const std::array<unsigned int, 2> bodies = {key.first, key.second};
    const dealii::Point<2> x =
        pieces[own].vertices[touching.vertex] - pieces[own].radius * touching.normal;
    search.add_rigid({{{key.pair, key.first, key.second, feature(touching)},
                       first_vertices[own] + touching.vertex,
                       bodies[1 - own],
                       touching.normal},
                      touching.gap},
                     bodies[own], x);
  }
}

/// Adds the contacts between all pieces of two bodies.
void add_contacts(Search<2> &search, unsigned int pair, unsigned int a, unsigned int b) {
  unsigned int first_feature = 0, vertex_of_a = search.boundary.first_vertex(pair, a);
  for (unsigned int i = 0; i < n_pieces(search, a); ++i) {
    const PlacedPiece of_a = piece(search, a, i);
    unsigned int vertex_of_b = search.boundary.first_vertex(pair, b);
    for (unsigned int k = 0; k < n_pieces(search, b); ++k) {
      const PlacedPiece of_b = piece(search, b, k);
      const auto n_first = static_cast<unsigned int>(of_a.vertices.size()),
                 n_second = static_cast<unsigned int>(of_b.vertices.size());
      add_piece_contacts(search, {pair, a, b, first_feature}, {of_a, of_b},
                         {vertex_of_a, vertex_of_b});
      first_feature += n_first + n_second;
      vertex_of_b += n_second;
    }
    vertex_of_a += static_cast<unsigned int>(of_a.vertices.size());
  }
}

/// True if the first of two shapes touches with one of its vertices, or is a sphere.
bool touches_at_vertex(const PlacedShape &first, const PlacedShape &second,
                       const ShapeContact &touching) {
  return second.shape->is_sphere() ? first.shape->is_sphere()
                                   : touching.feature < first.vertices.size();
}

/// Adds the contacts between all convex shapes of two bodies. A contact that is not at a vertex of
/// the first shape has the properties of its first vertex, and its own material point.
void add_contacts(Search<3> &search, unsigned int pair, unsigned int a, unsigned int b) {
  const double reach = search.limits.margins[a] + search.limits.margins[b];
  unsigned int first_feature = 0, vertex = search.boundary.first_vertex(pair, a);
  const auto &shapes = search.memory.placed.shapes;
  for (const PlacedShape &first : shapes[a]) {
    for (const PlacedShape &second : shapes[b]) {
      for (const ShapeContact &touching : contact_points_of(first, second, reach)) {
        const bool is_vertex = touches_at_vertex(first, second, touching);
        const unsigned int point = vertex + (is_vertex ? touching.feature : 0);
        const dealii::Point<3> on_first = touching.x + 0.5 * touching.gap * touching.normal;
        search.add_rigid(
            {{{pair, a, b, first_feature + touching.feature}, point, b, touching.normal},
             touching.gap},
            a, touching.x,
            is_vertex ? search.boundary.points[point].position
                      : search.bodies->poses[a].initial_position(search.system.rigid[a], on_first));
      }
      first_feature += n_features(*first.shape, *second.shape);
    }
    vertex += static_cast<unsigned int>(first.vertices.size());
  }
}

} // namespace

/// The boxes of the bodies are widened by the margins and largest radii.
template <int dim>
void place_bodies(Search<dim> &search) {
  SearchMemory<dim> &memory = search.memory;
  const auto &poses = search.bodies->poses;
  const auto &rigid = search.system.rigid;
  memory.placed.resize(poses.size());
  memory.boxes.resize(poses.size());
  for (std::size_t b = 0; b < poses.size(); ++b)
    memory.boxes[b] = memory.placed.place(b, rigid[b], poses[b],
                                          search.limits.margins[b] + rigid[b].largest_radius());
  memory.near.move(memory.boxes);
  memory.near_pairs.clear();
  for (const auto &pair : memory.near.pairs())
    if (search.is_present(pair.first) && search.is_present(pair.second))
      memory.near_pairs.push_back(pair);
}

template <int dim>
void find_nodes_on_bodies(Search<dim> &search, unsigned int pair) {
  const Boundary<dim> &boundary = search.boundary;
  const auto &opposite_bodies = boundary.pairs[pair].bodies_opposite_to_nodes();
  if (opposite_bodies.empty())
    return;
  std::vector<unsigned int> candidates;
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
    if (boundary.points[i].rigid_point())
      continue;
    const dealii::Point<dim> x = search.position(boundary.points[i]);
    search.memory.near.find_near(x, candidates);
    for (const unsigned int body : candidates) {
      if (!std::binary_search(opposite_bodies.begin(), opposite_bodies.end(), body) ||
          !search.is_present(body))
        continue;
      const auto g = gap_of_body(search, body, x);
      search.set_support(boundary.points[i], x);
      search.add_rigid_support(body, x, -1.);
      search.add({{{pair, i, body, 0}, i, body, g.normal}, g.distance});
    }
  }
}

template <int dim>
void find_bodies_on_bodies(Search<dim> &search, unsigned int pair) {
  for (const auto &[a, b] : search.memory.near_pairs)
    if (search.boundary.admits_contact(pair, a, b) && search.limits.may_want({pair, a, b, 0}))
      add_contacts(search, pair, a, b);
}

template void place_bodies(Search<2> &);
template void place_bodies(Search<3> &);
template void find_nodes_on_bodies(Search<2> &, unsigned int);
template void find_nodes_on_bodies(Search<3> &, unsigned int);
template void find_bodies_on_bodies(Search<2> &, unsigned int);
template void find_bodies_on_bodies(Search<3> &, unsigned int);

} // namespace percussion
