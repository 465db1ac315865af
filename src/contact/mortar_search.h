#pragma once

#include <percussion/contact/facet_search.h>
#include <percussion/contact/mortar.h>

namespace percussion {

/// Mortar contacts between two lines of facets where they are; the first is the slave and carries
/// the multipliers. Both are the same object where a boundary touches itself. Gaps and penetrations
/// are found up to the shortest reach of both's facets. Points are numbers of the slave's nodes,
/// and of the master's.
/// @param n_compared The number of pairs of facets compared is added to it.
std::vector<MortarContact> mortar_contacts(const FacetSearch &slave, const FacetSearch &master,
                                           unsigned long &n_compared);

/// Share of a slave's node, all its facets wholly covered, that a contact covers.
double covered_share(const FacetSearch &slave, const MortarContact &contact);

} // namespace percussion
