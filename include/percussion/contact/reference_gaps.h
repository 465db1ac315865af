#pragma once

#include <percussion/contact/find.h>

/// Reference gaps of initially closed contacts. Matching facets of curved surfaces have gaps and
/// overlaps of the order of (facet)² / (8 radius), which are errors of the meshes. Up to a length
/// given by the user, these gaps are the reference, and the law is posed for g − g_ref.
///
/// g_ref is a constant of the contact with a given key: g − g_ref and g have the same rate, so that
/// H and the ledger do not depend on g_ref. Only overlaps that are to be resolved
/// (InitialOverlap::Treatment::resolved) change: they shrink in proportion to the time. The point
/// keeps g_ref while it slides, and also if it opens and closes again elsewhere; the error of g −
/// g_ref there is at most |g_ref|.
namespace percussion {

/// Measures Boundary::reference_gaps: the gaps of the undeformed bodies, with surfaces in their
/// initial positions, of all contacts that are not farther from zero than
/// ContactPair::largest_reference_gap, and overlaps that ContactPair::initial_overlap makes
/// references. The gaps depend only on the case, so that a resumed run has
/// the same values.
template <int dim>
void measure_reference_gaps(Boundary<dim> &boundary);

/// Subtracts the reference gaps at time t from the gaps of a list.
template <int dim>
void subtract_reference_gaps(const Boundary<dim> &boundary, double t, ContactList<dim> &list);

/// Returns the change of the reference gap of a contact from time t0 to t1: an overlap that is
/// resolved shrinks, as if the opposite surface moved by this change along the normal [length].
template <int dim>
double reference_change(const Boundary<dim> &boundary, const ContactKey &key, double t0, double t1);

} // namespace percussion
