#pragma once

#include <map>
#include <string>

namespace percussion {

/// "size = 0.1, R = 10" as numbers by name.
/// Throws InputError for text of another form and for a repeated name.
std::map<std::string, double> geometry_parameters(const std::string &text);

/// Whether a geometry declares these parameters by DefineConstant, itself or in a file that it
/// includes: Gmsh ignores others silently. Nothing is checked where the file does not exist.
/// Throws InputError with the names that it declares and the nearest of them.
void check_geometry_parameters(const std::string &file,
                               const std::map<std::string, double> &parameters);

} // namespace percussion
