#pragma once

#include <map>
#include <string>
#include <vector>

namespace percussion {

/// "size = 0.1, R = 10" as numbers by name.
/// Throws InputError for what is not of this form and for a name that stands twice.
std::map<std::string, double> geometry_parameters(const std::string &text);

/// The names that a geometry (.geo) declares by DefineConstant, in its order, and those of the
/// files that it includes. None where it cannot be read.
std::vector<std::string> constants_of_geometry(const std::string &file);

/// Gmsh itself would take any name and let it have no effect.
/// Throws InputError that says which names there are and which is nearest.
void check_geometry_parameters(const std::string &file,
                               const std::map<std::string, double> &parameters);

} // namespace percussion
