#pragma once

#include <percussion/contact/boundary.h>
#include <percussion/contact/contact_site.h>
#include <percussion/contact/piece_pair.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace percussion {

/// Poses of the rigid bodies in one configuration, and the trace entry of the first body.
template <int dim>
struct RigidPoses {
  std::vector<RigidPose<dim>> poses;
  unsigned int first_entry = 0;
};

/// Contact, open or closed, of a point with an opposite surface, rigid body or face.
template <int dim>
struct Contact : ContactSite<dim> {
  /// Gap, relative to the reference gap if there is one; negative: penetration [length].
  double gap = 0;
  /// Range in ContactList::support; empty for a contact of rigid bodies alone in the list of a
  /// search, whose support follows from `body`, `opposite_body` and `x`.
  unsigned int support_begin = 0, support_end = 0;
  /// Number of the last entries of the support that hold −γ times the traction by displacement
  /// (Nitsche's method), and the length γ n·σN by which the traction closes the gap for the law
  /// [length].
  unsigned int n_traction = 0;
  std::optional<unsigned int> body{}; ///< set in contacts of rigid bodies alone
  double pressed = 0;
  /// Position of a contact of rigid bodies alone, or of a point with faces or a surface; else not
  /// set. Between two rigid bodies it is the point of `body`.
  dealii::Point<dim> x{};
  /// Distance along the normal from the point of the opposite rigid body to x, without a reference
  /// gap; set in contacts between two rigid bodies [length].
  double distance = 0;

  /// Returns the gap that enters the contact law: the geometric gap less the length γ n·σN by which
  /// the traction closes it in Nitsche's method [length].
  double gap_of_law() const { return gap - pressed; }
  /// True for a contact of rigid bodies with each other or with a surface.
  bool is_of_rigid_bodies() const { return body.has_value(); }
};

/// Support of a contact: a range of a list, or the velocities of one or two rigid bodies.
///
/// Between rigid bodies, the percussion p acts on each body at the body's own point of contact, a
/// point on its surface; both points lie on the normal, at the distance of the gap g. Slip is
/// therefore the difference of the velocities of two surfaces, and a body that rolls without slip
/// has v = ω r at any depth, in whatever order the bodies are given. The resultant of a contact
/// vanishes, and so does the moment of the normal percussion; the friction percussions form a
/// couple g × p_T, which changes the angular momentum of both bodies by this product (zero for a
/// closed gap). The couple is no work beside the ledger: the works of a contact are p · u with the
/// velocity u of the same two points, in which the moment is contained, so that the energy balance
/// closes.
template <int dim>
class ContactSupport {
public:
  /// Refers to a range, which must outlive this object.
  ContactSupport(const Support<dim> *first, const Support<dim> *last)
      : range_begin(first), range_end(last) {}
  /// Creates an empty support of rigid bodies.
  ContactSupport() = default;

  /// Adds the velocity of the material point of a rigid body at x, times `sign`.
  void add(const RigidPoses<dim> &bodies, unsigned int body, const dealii::Point<dim> &x,
           double sign);

  const Support<dim> *begin() const { return range_begin ? range_begin : own.data(); }
  const Support<dim> *end() const { return range_begin ? range_end : own.data() + n_own; }

private:
  std::array<Support<dim>, 2 * RigidBody<dim>::n_dofs> own;
  unsigned int n_own = 0;
  const Support<dim> *range_begin = nullptr, *range_end = nullptr;
};

/// Returns the weight of a node in the tangential rows of a contact, which corrections and
/// gradients of the normal row leave as it is. `node` is the first of the dim entries of the node.
template <int dim>
double tangential_weight(const Contact<dim> &contact, const Support<dim> *node) {
  const dealii::Tensor<1, dim> tangent = local_frame<dim>(contact.normal)[1];
  double weight = 0;
  for (unsigned int d = 0; d < dim; ++d)
    weight += tangent[d] * (tangent * node[d].weight);
  return weight;
}

/// Contacts in one configuration, by ascending keys. A search stores no supports of rigid bodies:
/// in crowds, most contacts are open, and 12 entries for each of them would be most of the memory.
template <int dim>
struct ContactList {
  std::vector<Contact<dim>> contacts;
  std::vector<Support<dim>> support;
  std::shared_ptr<const RigidPoses<dim>> bodies; ///< poses of a search
  /// Directions of the near convex pieces, and of nodes and near bodies, by ascending keys.
  std::vector<EntryDirection<dim>> directions;

  /// Returns the contact with a key; null if there is none.
  const Contact<dim> *find(const ContactKey &key) const { return find_key(contacts, key); }
  /// Returns the support of a contact of this list.
  ContactSupport<dim> support_of(const Contact<dim> &contact) const;
  /// Returns u = Σ weight v of a contact of this list, relative to the opposite side but not to the
  /// motion of a surface; with or without the entries of tractions (Nitsche's method).
  dealii::Tensor<1, dim> velocity(const Contact<dim> &contact, const TraceField &v,
                                  bool has_traction = true) const {
    dealii::Tensor<1, dim> u;
    const ContactSupport<dim> contact_support = support_of(contact);
    const Support<dim> *const end = contact_support.end() - (has_traction ? 0 : contact.n_traction);
    for (const Support<dim> *s = contact_support.begin(); s != end; ++s)
      u += v[s->entry] * s->weight;
    return u;
  }
  /// Reserves memory for contacts and for entries of supports.
  void reserve(std::size_t n_contacts, std::size_t n_supports) {
    contacts.reserve(n_contacts);
    support.reserve(n_supports);
  }
  /// Adds a contact with the given support.
  void add(Contact<dim> contact, const Support<dim> *first, const Support<dim> *last);
  /// Adds a contact of another list, and stores its support.
  void add(const Contact<dim> &contact, const ContactList &source) {
    const ContactSupport<dim> contact_support = source.support_of(contact);
    add(contact, contact_support.begin(), contact_support.end());
  }
};

/// True if a contact, its record or its account is at its contact point, not elsewhere on the body
/// of the point, see Contact::material_point.
template <int dim, typename ContactType>
bool is_at_point(const Boundary<dim> &boundary, const ContactType &contact) {
  return contact.material_point == boundary.points[contact.point].position;
}

/// Cursor over a list with ascending keys, which are requested in this order.
template <typename List>
class Cursor {
public:
  explicit Cursor(List &entries) : list(entries) {}

  /// Returns the entry with the key, or null.
  auto *go_to(const ContactKey &key) {
    while (index < list.size() && list[index].key < key)
      ++index;
    return index < list.size() && list[index].key == key ? &list[index] : nullptr;
  }

private:
  List &list;
  std::size_t index = 0;
};

} // namespace percussion
