#pragma once

#include "parameter_sections.h"

namespace percussion {

/// Kinds of links, by their names in an entry, whose coordinates may have limits and friction.
struct BoundedKinds {
  std::string entry;                 ///< "Kind" or "Type"
  std::vector<std::string> sliding;  ///< with a displacement along an axis
  std::vector<std::string> lengths;  ///< with a distance between two points
  std::vector<std::string> turning;  ///< with an angle
  std::vector<std::string> two_axes; ///< with angles about two axes
};

/// Declares the limits of coordinates and friction against their rates.
void declare_bounds(ParameterDeclarations &declarations, const BoundedKinds &kinds);

/// Reads limits and friction of a link whose kind, ends, axes and motors are known; mistakes are
/// reported.
template <int dim>
void read_bounds(const CaseInput &section, Case<dim> &c, Link<dim> &link);

/// Reports limits that the coordinates of a complete link do not meet at the start, and warns of
/// restitutions that the time integration cannot have.
template <int dim>
void check_bounds(const CaseInput &section, Case<dim> &c, const Link<dim> &link);

} // namespace percussion
