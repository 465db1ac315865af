#pragma once

#include <percussion/contact/boundary.h>

#include <memory>

namespace percussion {

/// Contact, open or closed, of a point with an opposite surface, rigid body or face.
template <int dim>
struct Contact {
  ContactKey key;
  unsigned int point = 0; ///< index in Boundary::points
  unsigned int obstacle =
      ContactPoint<dim>::none; ///< opposite rigid body; none: surface or faces of the pair
  /// Gap, relative to the reference gap if there is one; negative: penetration [length].
  double gap = 0;
  dealii::Tensor<1, dim> normal;                   ///< unit normal, away from the opposite side
  unsigned int support_begin = 0, support_end = 0; ///< range in ContactList::support
  double area = 0; ///< area of the pressure [length^(dim−1) × thickness]; zero for rigid bodies
  /// Number of the last entries of the support that hold −γ times the traction by displacement
  /// (Nitsche's method), and the length γ n·σN by which the traction closes the gap for the law
  /// [length].
  unsigned int n_traction = 0;
  double pressed = 0;

  /// Returns the gap that enters the contact law: the geometric gap less the length γ n·σN by which
  /// the traction closes it in Nitsche's method [length].
  double gap_of_law() const { return gap - pressed; }
};

/// Contacts in one configuration, by ascending keys.
template <int dim>
struct ContactList {
  std::vector<Contact<dim>> contacts;
  std::vector<Support<dim>> support;

  /// Returns the contact with a key; null if there is none.
  const Contact<dim> *find(const ContactKey &key) const;
  /// Returns u = Σ weight v of a contact of this list, relative to the opposite side but not to the
  /// motion of a surface; with or without the entries of tractions (Nitsche's method).
  dealii::Tensor<1, dim> velocity(const Contact<dim> &contact, const TraceField &v,
                                  bool has_traction = true) const {
    dealii::Tensor<1, dim> u;
    const unsigned int left_out = has_traction ? 0 : contact.n_traction;
    for (unsigned int k = contact.support_begin; k < contact.support_end - left_out; ++k)
      u += v[support[k].entry] * support[k].weight;
    return u;
  }
  /// Reserves memory for contacts and for entries of supports.
  void reserve(std::size_t n_contacts, std::size_t n_supports) {
    contacts.reserve(n_contacts);
    support.reserve(n_supports);
  }
  /// Adds a contact with the given support.
  void add(Contact<dim> contact, const Support<dim> *first, const Support<dim> *last);
  /// Adds a contact of another list with its support.
  void add(const Contact<dim> &contact, const ContactList &source) {
    add(contact, source.support.data() + contact.support_begin,
        source.support.data() + contact.support_end);
  }
};

/// Facet searches of a boundary, one for each entry of Boundary::facets.
template <int dim>
struct FacetSearches;

/// Finds the contacts of a boundary: points and surfaces at any distance; points and bodies only if
/// they are near (a tenth of the sizes of rigid bodies, the shortest edge at a facet: farther than
/// any motion within a step).
///
/// On faces, each point has at most one contact with each line or surface of facets: with the
/// nearest facet whose normal is opposed to the point's normal. Two sides of one body are not in
/// contact if they are adjacent along the boundary, or if the penetration is at least half of their
/// undeformed distance: the body between them has then only been compressed.
template <int dim>
class ContactFinder {
public:
  /// Stores a reference to the boundary, which must outlive the finder.
  explicit ContactFinder(const Boundary<dim> &boundary);
  ContactFinder(ContactFinder &&) noexcept;
  ~ContactFinder();

  /// Excludes the rigid bodies whose entry is true from all contacts; empty: no exclusion.
  void exclude(std::vector<bool> bodies) { absent = std::move(bodies); }

  /// Returns all contacts of the bodies with the displacements q at time t; reference gaps are
  /// subtracted. Throws RunError if a formula has no value.
  ContactList<dim> find(const TraceField &q, double t) const;

  /// Returns all contacts of the undeformed bodies with surfaces in their initial positions; gaps
  /// are measured from zero.
  ContactList<dim> find_undeformed() const;

  /// Returns the number of points and facets that the last search has compared.
  unsigned long n_compared() const { return compared; }

private:
  const Boundary<dim> &boundary;
  std::vector<double> margins; ///< margins of the broad phase for each rigid body [length]
  /// Searches of all facets; their stored trees only save time.
  std::unique_ptr<FacetSearches<dim>> searches;
  std::vector<bool> absent; ///< true for excluded rigid bodies
  mutable unsigned long compared = 0;
};

} // namespace percussion
