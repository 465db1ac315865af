#pragma once

#include <percussion/output/summary.h>
#include <percussion/run/case.h>

namespace percussion {

/// Returns the defects of a run with the names of their contacts and the positions of their points.
template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects);

/// Returns "the point at (0.5, 0) of 'block'": the undeformed point of the contact.
std::string point_in_words(const DefectPlace &defect);

} // namespace percussion
