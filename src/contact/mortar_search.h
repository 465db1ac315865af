#pragma once

#include <percussion/contact/facet_search.h>
#include <percussion/contact/mortar_in_space.h>

namespace percussion {

/// Mortar contacts between two lines or surfaces of facets where they are; the first is the slave
/// and carries the multipliers. Both are the same object where a boundary touches itself. Gaps and
/// penetrations are found up to the shortest reach of both's facets. Points are numbers of the
/// slave's nodes, and of the master's.
/// @param n_compared The number of pairs of facets compared is added to it.
template <int dim>
std::vector<MortarContact<dim>> mortar_contacts(const FacetSearch<dim> &slave,
                                                const FacetSearch<dim> &master,
                                                unsigned long &n_compared);

/// Share of a slave's node, all its facets wholly covered, that a contact covers.
template <int dim>
double covered_share(const FacetSearch<dim> &slave, const MortarContact<dim> &contact);

} // namespace percussion
