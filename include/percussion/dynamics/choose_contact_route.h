#pragma once

#include <percussion/balance/contact_route.h>
#include <percussion/body/system.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/scheme.h>

namespace percussion {

/// Returns an estimate of the entries of a factor: in 3D, a fit of nested dissection of hexahedra
/// between 9e4 and 1e6 unknowns.
double entries_of_factor(double n_unknowns, unsigned int dim);

/// Returns the route by an estimate of the time of a step, in multiplications: factor, products of
/// the iterations (as many as the Courant number requires), and dense operator of the contacts.
/// Few contacts, and cases in 2D, keep the dense operator unless a choice demands projection.
/// Contacts may act on `n_contact_entries` entries of the trace that belong to elastic bodies.
/// Contacts with springs or at quadrature points of faces are condensed, unless a choice demands
/// projection for the others. The factor is left out only if all contacts are projectable. Contacts
/// beside links are condensed. If the balance is not linear, the solver is never `automatic`:
/// factors that change cost more, and iterations then replace them also if they would be too large.
template <int dim>
ContactRoute choose_contact_route(const System<dim> &system, const StepChoices &choices,
                                  std::size_t n_contact_entries, Projectable projectable);

} // namespace percussion
