#pragma once

#include <percussion/contact/find.h>

/// Contacts that begin closed. Facets of curved surfaces that match do not: between them are gaps
/// and overlaps of the order of (facet)² / (8 radius), which are errors of the meshes. Up to a
/// length that the user gives they are taken for the reference, and the law is posed for g − g_ref.
///
/// g_ref is a constant of the contact, by its key: the rate of g − g_ref is that of g, so that
/// neither H nor the ledger knows of it. It stays with the point wherever it slides, and where it
/// lands after it has parted; there g − g_ref is wrong by |g_ref| at most.
namespace percussion {

/// Measures Boundary::reference_gaps: the gaps of the undeformed bodies, and of surfaces where they
/// are given without their motion, of all contacts that are not farther from zero than
/// ContactPair::largest_reference_gap. They depend on the case alone, so that a run that is resumed
/// has the same.
template <int dim>
void measure_reference_gaps(Boundary<dim> &boundary);

/// Subtracts the reference gaps from the gaps of a list.
template <int dim>
void subtract_reference_gaps(const Boundary<dim> &boundary, ContactList<dim> &list);

} // namespace percussion
