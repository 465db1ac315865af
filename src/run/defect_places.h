#pragma once

#include <percussion/case/case.h>
#include <percussion/output/summary.h>

namespace percussion {

/// Returns a defect with the names of its contact and body and the position of its point, without
/// the entry of its kind.
template <int dim>
DefectPlace defect_place(const Case<dim> &c, const Defect &defect);

/// Returns the defects of a run with the names of their contacts and the positions of their points.
template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects);

/// Returns the undeformed point of the contact as text: "the point at (0.5, 0) of 'block'".
std::string point_in_words(const DefectPlace &defect);

} // namespace percussion
