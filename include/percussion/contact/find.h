#pragma once

#include <percussion/contact/boundary.h>

#include <memory>

namespace percussion {

/// A point that is near to what it may touch.
template <int dim>
struct Contact {
  ContactKey key;
  unsigned int point = 0; ///< of the Boundary
  unsigned int obstacle =
      ContactPoint<dim>::none; ///< rigid body; none: the pair's surface or faces
  double gap = 0; ///< from the reference gap, if there is one; negative: penetration [length]
  dealii::Tensor<1, dim> normal;                   ///< unit length, away from what is touched
  unsigned int support_begin = 0, support_end = 0; ///< in ContactList::support
  double area = 0; ///< that its pressure is on [length^(dim−1) × thickness]; none of rigid bodies'
  /// Of Nitsche's method: the last entries of the support, −γ times the traction by displacement,
  /// and by what it closes the gap for the law, γ n·σN [length].
  unsigned int n_traction = 0;
  double pressed = 0;

  /// What the law of contact takes for the gap.
  double gap_of_law() const { return gap - pressed; }
};

/// The contacts at one configuration, by ascending keys.
template <int dim>
struct ContactList {
  std::vector<Contact<dim>> contacts;
  std::vector<Support<dim>> support;

  /// The contact with a key; null if there is none.
  const Contact<dim> *find(const ContactKey &key) const;
  /// Make room for so many contacts and entries of supports.
  void reserve(std::size_t n_contacts, std::size_t n_supports) {
    contacts.reserve(n_contacts);
    support.reserve(n_supports);
  }
  /// Add one with this support.
  void add(Contact<dim> contact, const Support<dim> *first, const Support<dim> *last);
  /// Add one as it is in another list.
  void add(const Contact<dim> &contact, const ContactList &from) {
    add(contact, from.support.data() + contact.support_begin,
        from.support.data() + contact.support_end);
  }
};

/// One FacetSearch for each of the boundary's facets.
template <int dim>
struct FacetSearches;

/// Finds the contacts of a boundary: every point against surfaces, however far; what is between
/// bodies only where they are near (a tenth of the sizes of rigid bodies, the shortest edge at a
/// facet: farther than a step can see).
///
/// On faces each point has one contact with each line or surface of facets: with the nearest whose
/// normal is opposed to its own. Two parts of one body are not near where the place is next to the
/// point along the boundary, or where the body has only been compressed: the penetration is less
/// than half of what is between them in the undeformed body.
template <int dim>
class ContactFinder {
public:
  /// The boundary must live as long.
  explicit ContactFinder(const Boundary<dim> &boundary);
  ContactFinder(ContactFinder &&) noexcept;
  ~ContactFinder();

  /// From now on nothing touches the rigid bodies for which this is true; empty: all are there.
  void leave_out(std::vector<bool> bodies) { absent = std::move(bodies); }

  /// All contacts of the displaced bodies at time t. Throws RunError where a formula has no value.
  ContactList<dim> find(const Vector &q, double t) const;

  /// Returns all contacts of the undeformed bodies with surfaces where they are given, without
  /// their motion; gaps are measured from zero.
  ContactList<dim> find_undeformed() const;

  /// How many points and facets the last search has compared.
  unsigned long n_compared() const { return compared; }

private:
  const Boundary<dim> &boundary;
  std::vector<double> margins; ///< of the broad phase, for each rigid body [length]
  /// Of all facets: what it keeps saves time only.
  std::unique_ptr<FacetSearches<dim>> searches;
  std::vector<bool> absent; ///< rigid bodies
  mutable unsigned long compared = 0;
};

} // namespace percussion
