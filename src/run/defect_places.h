#pragma once

#include <percussion/output/summary.h>
#include <percussion/run/case.h>

namespace percussion {

/// Returns the defects of a run with the names of their contacts and the positions of their points.
template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects);

/// Returns "contact 'ground' at (0.5, 0) of 'block'": the contact that has a defect, and its point.
std::string place_in_words(const DefectPlace &defect);

} // namespace percussion
