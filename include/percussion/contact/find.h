#pragma once

#include <percussion/contact/contact_list.h>
#include <percussion/contact/mortar.h>

#include <memory>
#include <optional>
#include <vector>

namespace percussion {

/// Data that a search leaves for the next one: trees and memory. They only save time.
template <int dim>
struct SearchMemory;

/// Finds the contacts of a boundary: points and surfaces at any distance; points and bodies only if
/// they are near (a tenth of the sizes of rigid bodies, the shortest edge at a facet: farther than
/// any motion within a step). In crowds, if rigid bodies have more than 20,000 points that may
/// touch surfaces, these are found up to the size of their bodies or the expected travel, and other
/// bodies up to the expected travel, at least a two-hundredth of the sizes. Cases in which a
/// formula of time moves a surface or a body leave nothing out.
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
  /// Expects bodies to move in a step of length h by at most four times the travel of the fastest
  /// point of any body with the velocities v.
  void expect_motion(const TraceField &v, double h);

  /// Makes the normal rows of mortar contacts the gradients of their gaps, or not (the default).
  /// Otherwise their rows are those of a motion along the normals with constant weights.
  void set_gradients(GapGradients choice) { gradients = choice; }

  /// Sets the directions of a configuration shortly before, from which overlapping pieces of bodies
  /// have come (ContactList::directions). Without them, pieces are separated on the side of the
  /// shortest displacement.
  void set_entries(std::vector<EntryDirection<dim>> directions) { entries = std::move(directions); }

  /// Returns all contacts of the bodies with the displacements q at time t; reference gaps are
  /// subtracted. Throws RunError if a formula has no value.
  ContactList<dim> find(const TraceField &q, double t) const;

  /// Returns the contacts that find() would return for the points, or pairs of rigid bodies, of the
  /// given contacts, and perhaps further ones. Without `has_gradients` mortar contacts have the
  /// normal and the weights as rows, not the gradients of their gaps, which saves time.
  ContactList<dim> find_again(const std::vector<Contact<dim>> &contacts, const TraceField &q,
                              double t, bool has_gradients = true) const;

  /// Returns all contacts of the undeformed bodies with surfaces in their initial positions; gaps
  /// are measured from zero.
  ContactList<dim> find_undeformed() const;

  /// Returns the number of points and facets that the last search has compared.
  unsigned long n_compared() const { return compared; }

private:
  ContactList<dim> search(const TraceField &q, std::optional<double> t,
                          const std::vector<Contact<dim>> *wanted, GapGradients choice) const;

  const Boundary<dim> &boundary;
  std::vector<double> margins; ///< margins of the broad phase for each rigid body [length]
  std::unique_ptr<SearchMemory<dim>> memory;
  std::vector<bool> absent; ///< true for excluded rigid bodies
  std::vector<EntryDirection<dim>> entries;
  GapGradients gradients = GapGradients::none;
  mutable unsigned long compared = 0;
  mutable std::size_t n_found = 0; ///< number of contacts of the last search
  double travel = 0;               ///< expected distance of a step [length]
  bool is_crowd = false;           ///< true if contacts with distant surfaces are left out
};

} // namespace percussion
