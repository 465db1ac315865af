#include <percussion/contact/facet_search.h>
#include <percussion/contact/find.h>
#include <percussion/contact/reference_gaps.h>

#include "mortar_search.h"
#include "placed_bodies.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace percussion {

template <int dim>
const Contact<dim> *ContactList<dim>::find(const ContactKey &key) const {
  const auto found =
      std::lower_bound(contacts.begin(), contacts.end(), key,
                       [](const Contact<dim> &c, const ContactKey &k) { return c.key < k; });
  return found != contacts.end() && found->key == key ? &*found : nullptr;
}

template <int dim>
void ContactSupport<dim>::add(const RigidPoses<dim> &bodies, unsigned int body,
                              const dealii::Point<dim> &x, double sign) {
  const RigidPose<dim> &pose = bodies.poses[body];
  unsigned int entry = bodies.first_entry + RigidBody<dim>::n_dofs * body;
  for (unsigned int d = 0; d < dim; ++d) {
    own[n_own] = {entry++, {}};
    own[n_own++].weight[d] = sign;
  }
  for (const auto &weight : pose.turning(x - pose.centre))
    own[n_own++] = {entry++, sign * weight};
}

template <int dim>
ContactSupport<dim> ContactList<dim>::support_of(const Contact<dim> &contact) const {
  if (contact.support_end > contact.support_begin)
    return {support.data() + contact.support_begin, support.data() + contact.support_end};
  ContactSupport<dim> of_bodies;
  of_bodies.add(*bodies, *contact.body, contact.x, 1.);
  if (contact.opposite_body)
    of_bodies.add(*bodies, *contact.opposite_body, contact.x, -1.);
  return of_bodies;
}

template <int dim>
void ContactList<dim>::add(Contact<dim> contact, const Support<dim> *first,
                           const Support<dim> *last) {
  contact.support_begin = static_cast<unsigned int>(support.size());
  support.insert(support.end(), first, last);
  contact.support_end = static_cast<unsigned int>(support.size());
  contacts.push_back(contact);
}

template <int dim>
struct SearchMemory {
  std::vector<FacetSearch<dim>> facets; ///< one for each entry of Boundary::facets
  PlacedBodies<dim> placed;
  NearBodies<dim> near;
  std::vector<typename NearBodies<dim>::Box> boxes; ///< boxes of rigid bodies
  /// Largest distance of a point of each rigid body from its centre of mass [length].
  std::vector<double> arms;
};

namespace {

/// Largest compression of a body, relative to the undeformed distance of its two sides.
constexpr double max_compression = 0.5;

/// Returns the outward direction of a polygon at a vertex; for a stick, its direction beyond this
/// end.
Outward<2> outward(const Outline &outline, unsigned int vertex) {
  const std::size_t n = outline.size();
  const dealii::Tensor<1, 2> incoming = outline[vertex] - outline[(vertex + n - 1) % n],
                             outgoing = outline[(vertex + 1) % n] - outline[vertex];
  if (n == 2)
    return {incoming / incoming.norm(), 0.};
  return Outward<2>::bisector(cross_product_2d(incoming) / incoming.norm(),
                              cross_product_2d(outgoing) / outgoing.norm());
}

/// Returns the direction from the middle of points to x.
dealii::Tensor<1, 3> away_from(const std::vector<dealii::Point<3>> &points,
                               const dealii::Point<3> &x) {
  dealii::Tensor<1, 3> direction;
  for (const auto &point : points)
    direction += x - point;
  return direction.norm() > 0. ? direction / direction.norm() : direction;
}

/// Limits of a search.
template <int dim>
struct SearchLimits {
  const std::vector<double> &margins; ///< margin of each rigid body [length]
  const std::vector<bool> &absent;    ///< true for excluded rigid bodies
  /// Distance from surfaces up to which points of rigid bodies are contacts, at least the size of
  /// their body [length].
  double travel;
  /// Contacts of rigid bodies to find again, by ascending keys; null: all contacts.
  const std::vector<Contact<dim>> *wanted;
  std::size_t n_expected; ///< expected number of contacts

  /// True if a contact of a pair with these bodies, or this point, may be wanted.
  bool may_want(const ContactKey &first) const {
    if (wanted == nullptr)
      return true;
    const auto found =
        std::lower_bound(wanted->begin(), wanted->end(), first,
                         [](const Contact<dim> &c, const ContactKey &key) { return c.key < key; });
    return found != wanted->end() && found->key.pair == first.pair &&
           found->key.first == first.first && found->key.second == first.second;
  }
};

/// Search in one configuration, with the poses of the rigid bodies and the contacts found.
template <int dim>
class Search {
public:
  Search(const Boundary<dim> &contact_boundary, const TraceField &displacements,
         std::optional<double> time, const SearchLimits<dim> &search_limits,
         SearchMemory<dim> &search_memory)
      : boundary(contact_boundary), system(contact_boundary.system), q(displacements), t(time),
        limits(search_limits), memory(search_memory), searches(search_memory.facets) {
    bodies->poses = boundary.trace.poses(displacements);
    bodies->first_entry = boundary.trace.of_rigid_body(0);
    const std::vector<RigidPose<dim>> &poses = bodies->poses;
    for (FacetSearch<dim> &search : searches)
      search.move(positions_of(search.facets));
    const auto &pairs = boundary.pairs;
    if (poses.empty() || std::none_of(pairs.begin(), pairs.end(),
                                      [](const auto &pair) { return pair.is_between_bodies(); }))
      return;
    place_bodies();
    for (const auto &pair : memory.near.pairs())
      if (is_present(pair.first) && is_present(pair.second))
        near_bodies.push_back(pair);
  }

  ContactList<dim> result() {
    std::size_t n_on_surfaces = 0;
    for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
      if (boundary.pairs[pair].surface() && boundary.pairs[pair].region())
        n_on_surfaces += boundary.n_points(pair);
    list.reserve(std::max(n_on_surfaces, limits.n_expected), dim * n_on_surfaces);
    for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
      if (!boundary.pairs[pair].is_between_bodies())
        find_points_on_surface(pair);
      else
        find_between_bodies(pair);
    list.bodies = bodies;
    return std::move(list);
  }

  unsigned long n_compared = 0; ///< number of compared points and facets

private:
  bool is_present(unsigned int body) const { return limits.absent.empty() || !limits.absent[body]; }
  /// True if the body of a point is present.
  bool is_present(const ContactPoint<dim> &point) const {
    return !point.rigid_point() || is_present(point.rigid_point()->body);
  }

  /// Places the rigid bodies, and widens their boxes by the margins and largest radii.
  void place_bodies() {
    const std::size_t n = bodies->poses.size();
    memory.placed.resize(n);
    memory.boxes.resize(n);
    for (std::size_t b = 0; b < n; ++b)
      memory.boxes[b] = memory.placed.place(b, system.rigid[b], bodies->poses[b],
                                            limits.margins[b] + system.rigid[b].largest_radius());
    memory.near.move(memory.boxes);
  }
  unsigned int n_pieces(unsigned int b) const {
    return std::max(1u, static_cast<unsigned int>(memory.placed.pieces[b].size()));
  }
  PlacedPiece piece(unsigned int b, unsigned int k) const {
    const auto &pieces = memory.placed.pieces[b];
    return pieces.empty() ? PlacedPiece{memory.placed.outlines[b], 0.}
                          : PlacedPiece{pieces[k], system.rigid[b].pieces[k].radius};
  }

  std::vector<dealii::Point<dim>> positions_of(const Facets<dim> &facets) const {
    std::vector<dealii::Point<dim>> positions;
    positions.reserve(facets.nodes.size());
    for (const FacetNode<dim> &node : facets.nodes) {
      positions.push_back(node.position);
      for (unsigned int d = 0; d < dim; ++d)
        positions.back()[d] += q[node.entry + d];
    }
    return positions;
  }

  dealii::Point<dim> position(const ContactPoint<dim> &point) const {
    dealii::Point<dim> x = point.position;
    if (const auto body = point.rigid_body())
      return bodies->poses[*body].position(system.rigid[*body], x);
    return x + boundary.value_at(point, q);
  }

  /// Adds the velocity of the material point of a rigid body at x, times `sign`.
  void add_rigid_support(unsigned int body, const dealii::Point<dim> &x, double sign) {
    ContactSupport<dim> of_body;
    of_body.add(*bodies, body, x, sign);
    support.insert(support.end(), of_body.begin(), of_body.end());
  }

  void set_support(const ContactPoint<dim> &point, const dealii::Point<dim> &x) {
    support.clear();
    if (const auto body = point.rigid_body())
      return add_rigid_support(*body, x, 1.);
    const auto first = boundary.supports.begin();
    if (const SupportRange shape = point.shape(); !shape.empty())
      return support.assign(first + shape.begin, first + shape.end);
    for (unsigned int d = 0; d < dim; ++d) {
      support.push_back({point.entry + d, {}});
      support.back().weight[d] = 1.;
    }
  }

  void add(const Contact<dim> &contact) { add(contact, boundary.points[contact.point].area); }
  void add(Contact<dim> contact, double area) {
    contact.area = area;
    contact.material_point = boundary.points[contact.point].position;
    add_traction(contact);
    list.add(contact, support.data(), support.data() + support.size());
  }

  /// Adds a contact at x of a rigid body with a surface or another rigid body; the contact point is
  /// the material point in contact.
  void add_rigid(const Contact<dim> &contact, unsigned int body, const dealii::Point<dim> &x) {
    add_rigid(contact, body, x, boundary.points[contact.point].position);
  }
  void add_rigid(Contact<dim> contact, unsigned int body, const dealii::Point<dim> &x,
                 const dealii::Point<dim> &material_point) {
    contact.body = body;
    contact.x = x;
    contact.material_point = material_point;
    if (const std::size_t n = list.contacts.size(); n == list.contacts.capacity())
      list.contacts.reserve(n + std::max<std::size_t>(n / 8, 64)); // doubling takes more in crowds
    list.contacts.push_back(contact);
  }

  void add_traction(Contact<dim> &contact) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    const auto [begin, end] = point.traction();
    for (unsigned int k = begin; k < end; ++k)
      support.push_back({boundary.supports[k].entry, boundary.supports[k].weight / -point.spring});
    contact.n_traction = end - begin;
    if (contact.n_traction > 0)
      contact.pressed = contact.normal * boundary.traction(point, q) / point.spring;
  }

  void find_points_on_surface(unsigned int pair) {
    const Surface<dim> &surface = *boundary.pairs[pair].surface();
    const auto moved = t ? displacement(surface, *t) : dealii::Tensor<1, dim>();
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
      const ContactPoint<dim> &point = boundary.points[i];
      const auto body = point.rigid_body();
      if (!is_present(point) || (body && !limits.may_want({pair, i, 0, 0})))
        continue;
      const dealii::Point<dim> x = position(point);
      const double radius = point.radius();
      const Gap<dim> g = gap(surface, x - moved);
      const Contact<dim> contact{{{pair, i, 0, 0}, i, {}, g.normal}, g.distance - radius};
      if (body) {
        if (contact.gap <= std::max(boundary.sizes[*body], limits.travel))
          add_rigid(contact, *body, radius > 0. ? x - radius * g.normal : x);
        continue;
      }
      set_support(point, x);
      add(contact);
    }
  }

  /// Returns the gap of a point to the nearest of a body's convex shapes.
  auto gap_of_body(unsigned int body, const dealii::Point<dim> &x) const {
    if constexpr (dim == 2) {
      const auto &pieces = memory.placed.pieces[body];
      if (pieces.empty())
        return gap(memory.placed.outlines[body], x);
      PolygonGap nearest{std::numeric_limits<double>::max(), {}};
      for (unsigned int k = 0; k < n_pieces(body); ++k)
        if (const PolygonGap g =
                piece(body, k).radius > 0. ? distance(piece(body, k), x) : gap(pieces[k], x);
            g.distance < nearest.distance)
          nearest = g;
      return nearest;
    } else {
      PolyhedronGap nearest{std::numeric_limits<double>::max(), {}};
      for (const PlacedShape &shape : memory.placed.shapes[body])
        if (const PolyhedronGap g = gap(shape, x); g.distance < nearest.distance)
          nearest = g;
      return nearest;
    }
  }

  void find_between_bodies(unsigned int pair) {
    if (boundary.pairs[pair].is_mortar())
      return find_mortar_contacts(pair);
    if (boundary.pairs[pair].is_on_faces())
      find_points_on_facets(pair);
    if (boundary.pairs[pair].is_between_rigid_bodies())
      find_bodies_on_bodies(pair);
    else
      find_nodes_on_bodies(pair);
  }

  void find_nodes_on_bodies(unsigned int pair) {
    const auto &opposite_bodies = boundary.pairs[pair].bodies_opposite_to_nodes();
    if (opposite_bodies.empty())
      return;
    std::vector<unsigned int> candidates;
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
      if (boundary.points[i].rigid_point())
        continue;
      const dealii::Point<dim> x = position(boundary.points[i]);
      memory.near.find_near(x, candidates);
      for (const unsigned int body : candidates) {
        if (!std::binary_search(opposite_bodies.begin(), opposite_bodies.end(), body) ||
            !is_present(body))
          continue;
        const auto g = gap_of_body(body, x);
        set_support(boundary.points[i], x);
        add_rigid_support(body, x, -1.);
        add({{{pair, i, body, 0}, i, body, g.normal}, g.distance});
      }
    }
  }

  Outward<dim> outward_of(const ContactPoint<dim> &point, const dealii::Point<dim> &x) const {
    if (point.own_facets)
      return searches[point.own_facets->facets].outward(point.own_facets->node);
    const auto &[body, radius, vertex] = *point.rigid_point();
    if constexpr (dim == 2) {
      (void)x;
      unsigned int first = 0;
      for (unsigned int k = 0;;
           first += static_cast<unsigned int>(piece(body, k++).vertices.size()))
        if (const Outline &vertices = piece(body, k).vertices; vertex < first + vertices.size())
          return outward(vertices, vertex - first);
    } else // direction away from the convex shape
      return {away_from(memory.placed.shapes[body][vertex].vertices, x), 0.};
  }

  /// True if a point may touch a facet at this distance. It may not if both belong to one body and
  /// are adjacent along the boundary, or if the facet is seen through the body.
  bool are_apart(const ContactPoint<dim> &point, const Facets<dim> &facets, unsigned int number,
                 double distance) const {
    const FacetNode<dim> &begin = facets.nodes[facets.facets[number].nodes()[0]];
    const MeshNode *const own = point.mesh_node();
    if (!own || begin.elastic != own->elastic)
      return true;
    if (facets.is_next_to(number, own->node))
      return false;
    const auto &component = system.elastic[own->elastic]->space.component;
    return distance >= 0. || component[own->node] != component[begin.node] ||
           -distance < max_compression * undeformed_distance(point.position, facets, number);
  }

  /// Nearest facet of a line or surface.
  struct Nearest {
    unsigned int chain, facet;
    FacetGap<dim> gap;
  };
  void find_nearest(const ContactPoint<dim> &point, const dealii::Point<dim> &x,
                    std::vector<Nearest> &nearest) {
    const FacetSearch<dim> &search = searches[*point.opposite_facets];
    const double radius = point.radius();
    const Outward<dim> outward = radius > 0. ? Outward<dim>() : outward_of(point, x);
    if (radius > 0.)
      search.near_ball(x, radius, near_facets);
    else
      search.find_near(x, near_facets);
    n_compared += near_facets.size();
    nearest.clear();
    for (const unsigned int f : near_facets) {
      auto g = search.gap(f, x);
      if (g)
        g->distance -= radius;
      if (!g || !(std::abs(g->distance) <= search.reach(f)) ||
          !(radius > 0. || outward.faces(g->normal)) ||
          !are_apart(point, search.facets, f, g->distance))
        continue;
      const unsigned int chain = search.facets.facets[f].chain;
      const auto of_chain = std::find_if(nearest.begin(), nearest.end(),
                                         [&](const Nearest &n) { return n.chain == chain; });
      if (of_chain == nearest.end())
        nearest.push_back({chain, f, *g});
      else if (std::abs(g->distance) < std::abs(of_chain->gap.distance))
        *of_chain = {chain, f, *g};
    }
    keep_sides_of_hollows(search, x, radius, nearest);
    std::sort(nearest.begin(), nearest.end(),
              [](const Nearest &a, const Nearest &b) { return a.chain < b.chain; });
  }

  /// Keeps two facets of one body if each is in front of the other; else keeps the nearer one.
  void keep_sides_of_hollows(const FacetSearch<dim> &search, const dealii::Point<dim> &x,
                             double radius, std::vector<Nearest> &nearest) const {
    if (nearest.size() < 2)
      return;
    const auto &facets = search.facets;
    const auto body = [&](const Nearest &n) {
      return facets.nodes[facets.facets[n.facet].nodes()[0]].elastic;
    };
    const auto is_in_front = [&](const Nearest &first, const Nearest &searched) {
      double height = 0;
      for (const unsigned int node : facets.facets[first.facet].nodes())
        height +=
            searched.gap.normal * (search.positions[node] - x) + searched.gap.distance + radius;
      return height > 0.;
    };
    std::sort(nearest.begin(), nearest.end(), [](const Nearest &a, const Nearest &b) {
      return std::abs(a.gap.distance) < std::abs(b.gap.distance);
    });
    std::vector<Nearest> front_facets;
    for (const Nearest &next : nearest)
      if (std::all_of(front_facets.begin(), front_facets.end(), [&](const Nearest &second) {
            return body(next) != body(second) ||
                   (is_in_front(next, second) && is_in_front(second, next));
          }))
        front_facets.push_back(next);
    nearest = std::move(front_facets);
  }

  /// Adds the velocity of a node of the opposite side, times −weight.
  void add_opposite_support(const FacetNode<dim> &node, double weight) {
    for (unsigned int d = 0; d < dim && weight != 0.; ++d) {
      support.push_back({node.entry + d, {}});
      support.back().weight[d] = -weight;
    }
  }

  /// Sets the support to the mean velocity of nodes of facets.
  void set_carrier_support(const Facets<dim> &carrier,
                           const std::vector<std::pair<unsigned int, double>> &nodes) {
    support.clear();
    for (const auto &[node, weight] : nodes)
      for (unsigned int d = 0; d < dim; ++d) {
        support.push_back({carrier.nodes[node].entry + d, {}});
        support.back().weight[d] = weight;
      }
  }

  void find_points_on_facets(unsigned int pair) {
    std::vector<Nearest> nearest;
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
      const ContactPoint<dim> &point = boundary.points[i];
      if (!point.opposite_facets || !is_present(point))
        continue;
      const dealii::Point<dim> x = position(point);
      const double radius = point.radius();
      find_nearest(point, x, nearest);
      for (const auto &[chain, f, g] : nearest) {
        const Facets<dim> &facets = boundary.facets[*point.opposite_facets];
        const dealii::Point<dim> on_surface = radius > 0. ? x - radius * g.normal : x;
        set_support(point, on_surface);
        const auto weights = g.weights();
        const double *weight = weights.data();
        for (const unsigned int node : facets.facets[f].nodes())
          add_opposite_support(facets.nodes[node], *weight++);
        Contact<dim> contact{{{pair, i, chain, 0}, i, {}, g.normal}, g.distance};
        contact.x = on_surface;
        add(contact);
      }
    }
  }

  void find_mortar_contacts(unsigned int pair) {
    const unsigned int first = boundary.first_point[pair];
    const FacetSearch<dim> &carrier = searches[boundary.points[first].own_facets->facets];
    const FacetSearch<dim> &opposite = searches[*boundary.points[first].opposite_facets];
    const MortarFunctions functions = boundary.pairs[pair].mortar_functions();
    for (const MortarContact<dim> &contact :
         mortar_contacts(carrier, opposite, functions, n_compared)) {
      const unsigned int i = first + contact.point;
      const double fraction =
          functions == MortarFunctions::dual ? covered_fraction(carrier, contact) : contact.cover;
      const double area = fraction * boundary.points[i].area;
      set_carrier_support(carrier.facets, contact.carrier);
      for (const auto &[node, weight] : contact.opposite)
        add_opposite_support(opposite.facets.nodes[node], weight);
      add({{{pair, i, contact.side, 0}, i, {}, contact.normal}, contact.gap}, area);
    }
  }

  void find_bodies_on_bodies(unsigned int pair) {
    for (const auto &[a, b] : near_bodies)
      if (boundary.admits_contact(pair, a, b) && limits.may_want({pair, a, b, 0})) {
        if constexpr (dim == 2)
          find_polygons(pair, a, b);
        else
          find_shapes(pair, a, b);
      }
  }

  /// Finds the contacts between all pieces of two bodies.
  void find_polygons(unsigned int pair, unsigned int a, unsigned int b) {
    unsigned int first_feature = 0, vertex_of_a = boundary.first_vertex(pair, a);
    for (unsigned int i = 0; i < n_pieces(a); ++i) {
      const PlacedPiece of_a = piece(a, i);
      unsigned int vertex_of_b = boundary.first_vertex(pair, b);
      for (unsigned int k = 0; k < n_pieces(b); ++k) {
        const PlacedPiece of_b = piece(b, k);
        const auto n_first = static_cast<unsigned int>(of_a.vertices.size()),
                   n_second = static_cast<unsigned int>(of_b.vertices.size());
        const auto feature = [&](const VertexOnEdge &touching) {
          return first_feature + (touching.of_first ? touching.vertex : n_first + touching.vertex);
        };
        auto touching_vertices_found = touching_pieces(of_a, of_b);
        std::sort(touching_vertices_found.begin(), touching_vertices_found.end(),
                  [&](const auto &p, const auto &o) { return feature(p) < feature(o); });
        for (const VertexOnEdge &touching : touching_vertices_found) {
          const unsigned int own_body = touching.of_first ? a : b,
                             opposite_body = touching.of_first ? b : a;
          const PlacedPiece &of_own = touching.of_first ? of_a : of_b;
          const dealii::Point<dim> x =
              of_own.vertices[touching.vertex] - of_own.radius * touching.normal;
          add_rigid({{{pair, a, b, feature(touching)},
                      (touching.of_first ? vertex_of_a : vertex_of_b) + touching.vertex,
                      opposite_body,
                      touching.normal},
                     touching.gap},
                    own_body, x);
        }
        first_feature += n_first + n_second;
        vertex_of_b += n_second;
      }
      vertex_of_a += static_cast<unsigned int>(of_a.vertices.size());
    }
  }

  /// True if the first of two shapes touches with one of its vertices, or is a sphere.
  static bool touches_at_vertex(const PlacedShape &first, const PlacedShape &second,
                                const ShapeContact &touching) {
    return second.shape->is_sphere() ? first.shape->is_sphere()
                                     : touching.feature < first.vertices.size();
  }

  /// Finds the contacts between all convex shapes of two bodies. A contact that is not at a vertex
  /// of the first shape has the properties of its first vertex, and its own material point.
  void find_shapes(unsigned int pair, unsigned int a, unsigned int b) {
    const double reach = limits.margins[a] + limits.margins[b];
    unsigned int first_feature = 0, vertex = boundary.first_vertex(pair, a);
    for (const PlacedShape &first_body : memory.placed.shapes[a]) {
      for (const PlacedShape &second : memory.placed.shapes[b]) {
        for (const ShapeContact &touching : contact_points_of(first_body, second, reach)) {
          const bool is_vertex = touches_at_vertex(first_body, second, touching);
          const unsigned int point = vertex + (is_vertex ? touching.feature : 0);
          const dealii::Point<dim> on_first = touching.x + 0.5 * touching.gap * touching.normal;
          add_rigid({{{pair, a, b, first_feature + touching.feature}, point, b, touching.normal},
                     touching.gap},
                    a, touching.x,
                    is_vertex ? boundary.points[point].position
                              : bodies->poses[a].initial_position(system.rigid[a], on_first));
        }
        first_feature += n_features(*first_body.shape, *second.shape);
      }
      vertex += static_cast<unsigned int>(first_body.vertices.size());
    }
  }

  const Boundary<dim> &boundary;
  const System<dim> &system;
  const TraceField &q;
  std::optional<double> t; ///< time; none: surfaces in their initial positions
  std::shared_ptr<RigidPoses<dim>> bodies = std::make_shared<RigidPoses<dim>>();
  SearchLimits<dim> limits;
  std::vector<std::pair<unsigned int, unsigned int>> near_bodies;
  SearchMemory<dim> &memory;
  std::vector<FacetSearch<dim>> &searches;
  ContactList<dim> list;
  std::vector<Support<dim>> support; ///< support of the current contact
  std::vector<unsigned int> near_facets;
};

/// Returns the number of points of rigid bodies that may touch surfaces.
template <int dim>
std::size_t n_rigid_points_on_surfaces(const Boundary<dim> &boundary) {
  std::size_t n = 0;
  for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
    if (!boundary.pairs[pair].region() && !boundary.pairs[pair].is_between_bodies())
      n += boundary.n_points(pair);
  return n;
}

/// Returns true if a formula moves a surface or a body: the velocity at the beginning of a step
/// does not tell how far, since the motion may begin or jump in this step.
template <int dim>
bool has_given_motion(const Boundary<dim> &boundary) {
  const auto moves = [](const ContactPair<dim> &pair) {
    const Surface<dim> *const surface = pair.surface();
    return surface &&
           std::any_of(surface->motion.begin(), surface->motion.end(),
                       [](const Expression &formula) { return formula.depends_on_time(); });
  };
  return !boundary.system.motion.is_at_rest() ||
         std::any_of(boundary.pairs.begin(), boundary.pairs.end(), moves);
}

/// Returns the largest distance of a point of a rigid body from its centre of mass.
template <int dim>
double arm(const RigidBody<dim> &body) {
  double largest = 0;
  for (const dealii::Point<dim> &x : body.outline)
    largest = std::max(largest, x.distance(body.centre));
  return largest + body.largest_radius();
}

/// Returns the largest velocity of a node of an elastic body on the trace, or of a point of a rigid
/// body.
template <int dim>
double fastest(const Boundary<dim> &boundary, const std::vector<double> &arms,
               const TraceField &v) {
  const auto norm = [&](unsigned int first, unsigned int n) {
    const double *const begin = v.data() + first;
    return std::sqrt(std::inner_product(begin, begin + n, begin, 0.));
  };
  double largest = 0;
  for (unsigned int entry = 0; entry < boundary.trace.n_elastic(); entry += dim)
    largest = std::max(largest, norm(entry, dim));
  for (std::size_t b = 0; b < arms.size(); ++b) {
    const unsigned int entry = boundary.trace.of_rigid_body(b);
    largest = std::max(largest, norm(entry, dim) +
                                    norm(entry + dim, RigidBody<dim>::n_dofs - dim) * arms[b]);
  }
  return largest;
}

} // namespace

template <int dim>
ContactFinder<dim>::ContactFinder(const Boundary<dim> &b)
    : boundary(b), memory(std::make_unique<SearchMemory<dim>>()) {
  constexpr std::size_t max_points = 20000; // of rigid bodies on surfaces, unless in a crowd
  for (const double size : boundary.sizes)
    margins.push_back(0.1 * size);
  is_crowd = n_rigid_points_on_surfaces(boundary) > max_points && !has_given_motion(boundary);
  for (const Facets<dim> &facets : boundary.facets)
    memory->facets.emplace_back(facets);
  for (const RigidBody<dim> &body : boundary.system.rigid)
    memory->arms.push_back(arm(body));
}

template <int dim>
ContactFinder<dim>::ContactFinder(ContactFinder &&) noexcept = default;

template <int dim>
ContactFinder<dim>::~ContactFinder() = default;

template <int dim>
void ContactFinder<dim>::expect_motion(const TraceField &v, double h) {
  if (!is_crowd)
    return;
  travel = 4. * h * fastest(boundary, memory->arms, v);
  // Margins of two bodies add; beside a node there is one.
  const double share = boundary.system.elastic.empty() ? 0.5 : 1.;
  for (std::size_t b = 0; b < margins.size(); ++b)
    margins[b] = std::clamp(share * travel, 0.005 * boundary.sizes[b], 0.1 * boundary.sizes[b]);
}

template <int dim>
ContactList<dim> ContactFinder<dim>::search(const TraceField &q, std::optional<double> t,
                                            const std::vector<Contact<dim>> *wanted) const {
  const double reach = is_crowd ? travel : std::numeric_limits<double>::infinity();
  Search<dim> search(boundary, q, t,
                     {margins, absent, reach, wanted, wanted ? wanted->size() : n_found}, *memory);
  auto list = search.result();
  compared = search.n_compared;
  return list;
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find(const TraceField &q, double t) const {
  auto list = search(q, t, nullptr);
  n_found = list.contacts.size() + list.contacts.size() / 16;
  subtract_reference_gaps(boundary, list);
  return list;
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find_again(const std::vector<Contact<dim>> &contacts,
                                                const TraceField &q, double t) const {
  auto list = search(q, t, &contacts);
  subtract_reference_gaps(boundary, list);
  return list;
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find_undeformed() const {
  return search(TraceField(boundary.trace.size(), 0.), {}, nullptr);
}

template class ContactSupport<2>;
template class ContactSupport<3>;
template struct ContactList<2>;
template struct ContactList<3>;
template class ContactFinder<2>;
template class ContactFinder<3>;

} // namespace percussion
