#include "search.h"
#include <limits>

namespace percussion {
namespace {

/// Adds the direction of two pieces, or a node and a body, unless they are far apart.
template <int dim>
void add_direction(Search<dim> &search, const ContactKey &key,
                   const dealii::Tensor<1, dim> &direction, bool overlapping) {
  if (direction.norm_square() > 0.)
    search.list.directions.push_back({key, direction, overlapping});
}

/// Adds the contact of a node at x with the nearest convex piece of a body, if there is one.
template <int dim>
void add_node_contact(Search<dim> &search, unsigned int pair, unsigned int i, unsigned int body,
                      const dealii::Point<dim> &x) {
  const ContactKey key{pair, i, body, 0};
  const EntryDirection<dim> *const entry = search.entry_of(key);
  const std::vector<dealii::Point<dim>> node = {x};
  dealii::Tensor<1, dim> direction, normal;
  double nearest = std::numeric_limits<double>::max();
  for (unsigned int k = 0; k < n_pieces(search, body); ++k) {
    const SeamsOfPair<dim> seams(search, pair, node, {body, k});
    const PairGuide<dim> guide{entry, search.memory.flush.has_neighbours(body) ? &seams : nullptr};
    dealii::Tensor<1, dim> piece_direction;
    if (const auto g = gap_of_node(piece(search, body, k), x, guide, piece_direction);
        g && g->distance < nearest) {
      nearest = g->distance;
      normal = g->normal;
      direction = piece_direction;
    }
  }
  if (normal.norm_square() == 0.)
    return;
  add_direction(search, key, direction, nearest < 0.);
  search.set_support(search.boundary.points[i], x);
  search.add_rigid_support(body, x, -1.);
  search.add({{key, i, body, normal}, nearest});
}

/// Pieces of two bodies, their contact pair, and the first feature of both.
struct PiecePair {
  unsigned int pair;
  PieceIndex first, second;
  unsigned int first_feature;

  ContactKey key(unsigned int feature = 0) const {
    return {pair, first.body, second.body, first_feature + feature};
  }
};

/// Calls a function with the guide of two pieces.
template <int dim, typename Function>
auto call_with_guide(Search<dim> &search, const PiecePair &pieces, const Function &function) {
  const SeamsOfPair<dim> seams(search, pieces.pair, pieces.first, pieces.second);
  const FlushPieces<dim> &flush = search.memory.flush;
  const bool may_have_seams =
      flush.has_neighbours(pieces.first.body) || flush.has_neighbours(pieces.second.body);
  return function(PairGuide<dim>{search.entry_of(pieces.key()), may_have_seams ? &seams : nullptr});
}

/// Adds the contacts between two pieces; `first_vertices` are the contact points of their first
/// vertices.
void add_piece_contacts(Search<2> &search, const PiecePair &pair,
                        const std::array<unsigned int, 2> &first_vertices) {
  const std::array<PieceIndex, 2> index = {pair.first, pair.second};
  const std::array<PlacedPiece, 2> pieces = {piece(search, index[0].body, index[0].piece),
                                             piece(search, index[1].body, index[1].piece)};
  const auto n_first = static_cast<unsigned int>(pieces[0].vertices.size());
  const auto feature = [&](const VertexOnEdge &touching) {
    return touching.is_first ? touching.vertex : n_first + touching.vertex;
  };
  TouchingPieces found = call_with_guide(search, pair, [&](const PairGuide<2> &guide) {
    return touching_pieces(pieces[0], pieces[1], guide);
  });
  auto &points = found.points;
  add_direction(search, pair.key(), found.direction, found.overlapping);
  std::sort(points.begin(), points.end(),
            [&](const auto &p, const auto &o) { return feature(p) < feature(o); });
  for (const VertexOnEdge &touching : points) {
    const unsigned int own = touching.is_first ? 0 : 1;
    const dealii::Point<2> x =
        pieces[own].vertices[touching.vertex] - pieces[own].radius * touching.normal;
    search.add_rigid({{pair.key(feature(touching)), first_vertices[own] + touching.vertex,
                       index[1 - own].body, touching.normal},
                      touching.gap},
                     index[own].body, x);
  }
}

/// Adds the contacts between all pieces of two bodies.
void add_contacts(Search<2> &search, unsigned int pair, unsigned int a, unsigned int b) {
  unsigned int first_feature = 0, vertex_of_a = search.boundary.first_vertex(pair, a);
  for (unsigned int i = 0; i < n_pieces(search, a); ++i) {
    const auto n_first = static_cast<unsigned int>(vertices_of(search, a, i).size());
    unsigned int vertex_of_b = search.boundary.first_vertex(pair, b);
    for (unsigned int k = 0; k < n_pieces(search, b); ++k) {
      const auto n_second = static_cast<unsigned int>(vertices_of(search, b, k).size());
      add_piece_contacts(search, {pair, {a, i}, {b, k}, first_feature}, {vertex_of_a, vertex_of_b});
      first_feature += n_first + n_second;
      vertex_of_b += n_second;
    }
    vertex_of_a += n_first;
  }
}

/// True if the first of two shapes touches with one of its vertices, or is a sphere.
bool touches_at_vertex(const PlacedShape &first, const PlacedShape &second,
                       const ShapeContact &touching) {
  const auto has_axis = [](const ConvexShape &s) { return s.is_round() && !s.is_sphere(); };
  if (has_axis(*first.shape) || has_axis(*second.shape))
    return false;
  return second.shape->is_sphere() ? first.shape->is_sphere()
                                   : touching.feature < first.vertices.size();
}

/// Adds the contacts between all convex shapes of two bodies. A contact that is not at a vertex of
/// the first shape has the properties of its first vertex, and its own material point.
void add_contacts(Search<3> &search, unsigned int pair, unsigned int a, unsigned int b) {
  const double reach = search.limits.margins[a] + search.limits.margins[b];
  unsigned int first_feature = 0, vertex = search.boundary.first_vertex(pair, a);
  for (unsigned int i = 0; i < n_pieces(search, a); ++i) {
    const PlacedShape &first = piece(search, a, i);
    for (unsigned int k = 0; k < n_pieces(search, b); ++k) {
      const PlacedShape &second = piece(search, b, k);
      const PiecePair pieces{pair, {a, i}, {b, k}, first_feature};
      const TouchingShapes found = call_with_guide(search, pieces, [&](const PairGuide<3> &guide) {
        return touching_shapes(first, second, reach, guide);
      });
      add_direction(search, pieces.key(), found.direction, found.overlapping);
      for (const ShapeContact &touching : found.points) {
        const bool is_vertex = touches_at_vertex(first, second, touching);
        const unsigned int point = vertex + (is_vertex ? touching.feature : 0);
        const dealii::Point<3> on_first = touching.x + 0.5 * touching.gap * touching.normal;
        search.add_rigid(
            {{pieces.key(touching.feature), point, b, touching.normal}, touching.gap}, a, on_first,
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
  memory.flush.find(search);
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
      add_node_contact(search, pair, i, body, x);
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
