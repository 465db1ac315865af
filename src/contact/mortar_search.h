#pragma once

#include <percussion/contact/facet_search.h>
#include <percussion/contact/mortar_3d.h>

namespace percussion {

/// Finds the mortar contacts between two lines or surfaces of facets in the current configuration;
/// the first is the carrier and carries the multipliers. Both arguments are the same object if a
/// boundary touches itself. Gaps and penetrations are found up to the shortest reach of all facets.
/// Point numbers are indices of the nodes of the carrier and of the opposite side; see also
/// MortarContact::point.
/// @param n_compared Counter to which the number of compared pairs of facets is added.
template <int dim>
std::vector<MortarContact<dim>>
mortar_contacts(const FacetSearch<dim> &carrier, const FacetSearch<dim> &opposite,
                MortarFunctions functions, GapGradients gradients, unsigned long &n_compared);

/// Returns the fraction of a carrier node's area that a contact with dual functions covers; 1 if
/// all its facets are covered completely.
template <int dim>
double covered_fraction(const FacetSearch<dim> &carrier, const MortarContact<dim> &contact);

} // namespace percussion
