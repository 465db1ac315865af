// Search of contacts in one configuration.

#pragma once

#include <percussion/contact/contact_list.h>
#include <percussion/contact/facet_search.h>
#include <percussion/contact/mortar.h>

#include "flush_pieces.h"
#include "placed_bodies.h"
#include <algorithm>

namespace percussion {

/// All contacts in one configuration.
template <int dim>
struct FoundConfiguration {
  TraceField q;
  double t;
  ContactList<dim> contacts;
};

/// Data that a search leaves for the next one.
template <int dim>
struct SearchMemory {
  std::optional<FoundConfiguration<dim>> found; ///< result of ContactFinder::find_again()
  std::vector<FacetSearch<dim>> facets;         ///< one for each entry of Boundary::facets
  PlacedBodies<dim> placed;
  NearBodies<dim> near;
  std::vector<typename NearBodies<dim>::Box> boxes;              ///< boxes of rigid bodies
  std::vector<std::pair<unsigned int, unsigned int>> near_pairs; ///< pairs of near rigid bodies
  FlushPieces<dim> flush;
  /// Largest distance of a point of each rigid body from its centre of mass [length].
  std::vector<double> arms;
};

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
  /// Directions in the configuration before, by ascending keys.
  const std::vector<EntryDirection<dim>> &entries;
  GapGradients gradients; ///< gradients of mortar contacts

  /// True if a contact of a pair with these bodies, or this point, may be wanted.
  bool may_want(const ContactKey &first) const {
    if (wanted == nullptr)
      return true;
    const auto found = first_from(*wanted, first);
    return found != wanted->end() && found->key.pair == first.pair &&
           found->key.first == first.first && found->key.second == first.second;
  }
};

/// Search in one configuration: its input, the poses of the rigid bodies, and the contacts found.
template <int dim>
struct Search {
  Search(const Boundary<dim> &contact_boundary, const TraceField &displacements,
         std::optional<double> time, const SearchLimits<dim> &search_limits,
         SearchMemory<dim> &search_memory)
      : boundary(contact_boundary), system(contact_boundary.system), q(displacements), t(time),
        limits(search_limits), memory(search_memory), entry_cursor(search_limits.entries) {
    bodies->poses = boundary.trace.poses(displacements);
    bodies->first_entry = boundary.trace.rigid_body_entry(0);
  }

  bool is_present(unsigned int body) const { return limits.absent.empty() || !limits.absent[body]; }
  /// True if the body of a point is present.
  bool is_present(const ContactPoint<dim> &point) const {
    return !point.rigid_point() || is_present(point.rigid_point()->body);
  }

  /// True if any pair admits contact between two rigid bodies.
  bool admits_contact(unsigned int a, unsigned int b) const {
    for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
      if (boundary.admits_contact(pair, a, b))
        return true;
    return false;
  }

  dealii::Point<dim> position(const ContactPoint<dim> &point) const {
    dealii::Point<dim> x = point.position;
    if (const auto body = point.rigid_body())
      return bodies->poses[*body].position(system.rigid[*body], x);
    return x + boundary.value_at(point, q);
  }

  /// Adds the velocity of a node to the support, times a weight.
  void add_node_support(const FacetNode<dim> &node, double weight) {
    for (unsigned int d = 0; d < dim; ++d) {
      support.push_back({node.entry + d, {}});
      support.back().weight[d] = weight;
    }
  }

  /// Adds the velocity of the material point of a rigid body at x to the support, times `sign`.
  void add_rigid_support(unsigned int body, const dealii::Point<dim> &x, double sign) {
    ContactSupport<dim> body_support;
    body_support.add(*bodies, body, x, sign);
    support.insert(support.end(), body_support.begin(), body_support.end());
  }

  /// Sets the support to the velocity of a point, which is at x.
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

  /// Adds a contact with this support.
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
    contact.distance = contact.opposite_body ? contact.gap : 0.;
    contact.material_point = material_point;
    if (const std::size_t n = list.contacts.size(); n == list.contacts.capacity())
      list.contacts.reserve(n + std::max<std::size_t>(n / 8, 64)); // doubling takes more in crowds
    list.contacts.push_back(contact);
  }

  /// Returns the direction of two pieces, or a node and a piece, in the configuration before; null
  /// if there is none. Keys are requested in ascending order.
  const EntryDirection<dim> *entry_of(const ContactKey &key) { return entry_cursor.go_to(key); }

  void add_traction(Contact<dim> &contact) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    const auto [begin, end] = point.traction();
    for (unsigned int k = begin; k < end; ++k)
      support.push_back({boundary.supports[k].entry, boundary.supports[k].weight / -point.spring});
    contact.n_traction = end - begin;
    if (contact.n_traction > 0)
      contact.pressed = contact.normal * boundary.traction(point, q) / point.spring;
  }

  const Boundary<dim> &boundary;
  const System<dim> &system;
  const TraceField &q;
  std::optional<double> t; ///< time; none: surfaces in their initial positions
  SearchLimits<dim> limits;
  SearchMemory<dim> &memory;
  std::shared_ptr<RigidPoses<dim>> bodies = std::make_shared<RigidPoses<dim>>();
  ContactList<dim> list;
  Cursor<const std::vector<EntryDirection<dim>>> entry_cursor;
  std::vector<Support<dim>> support; ///< support of the contact to be added
  unsigned long n_compared = 0;      ///< number of compared points and facets
};

/// Moves the facets to the displacements of the search.
template <int dim>
void move_facets(Search<dim> &search);
/// Adds the contacts of the points of a pair with the nearest of their opposite facets.
template <int dim>
void find_points_on_facets(Search<dim> &search, unsigned int pair);
/// Adds the mortar contacts of a pair.
template <int dim>
void find_mortar_contacts(Search<dim> &search, unsigned int pair);

/// Places the rigid bodies, and finds the pairs of them that are near.
template <int dim>
void place_bodies(Search<dim> &search);
/// Adds the contacts of the nodes of a pair with rigid bodies.
template <int dim>
void find_nodes_on_bodies(Search<dim> &search, unsigned int pair);
/// Adds the contacts of a pair between rigid bodies.
template <int dim>
void find_bodies_on_bodies(Search<dim> &search, unsigned int pair);

/// Returns the number of convex pieces of a body.
inline unsigned int n_pieces(const Search<2> &search, unsigned int body) {
  return std::max(1u, static_cast<unsigned int>(search.memory.placed.pieces[body].size()));
}
/// Returns a piece of a body.
inline PlacedPiece piece(const Search<2> &search, unsigned int body, unsigned int k) {
  const auto &pieces = search.memory.placed.pieces[body];
  return pieces.empty() ? PlacedPiece{search.memory.placed.outlines[body], 0.}
                        : PlacedPiece{pieces[k], search.system.rigid[body].pieces[k].radius};
}
/// Returns the number of convex shapes of a body.
inline unsigned int n_pieces(const Search<3> &search, unsigned int body) {
  return static_cast<unsigned int>(search.memory.placed.shapes[body].size());
}
/// Returns a shape of a body.
inline const PlacedShape &piece(const Search<3> &search, unsigned int body, unsigned int k) {
  return search.memory.placed.shapes[body][k];
}
/// Returns the vertices of a piece.
template <int dim>
const std::vector<dealii::Point<dim>> &vertices_of(const Search<dim> &search, unsigned int body,
                                                   unsigned int k) {
  return piece(search, body, k).vertices;
}

} // namespace percussion
