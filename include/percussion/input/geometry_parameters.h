#pragma once

#include <map>
#include <string>

namespace percussion {

/// "size = 0.1, R = 10*mm" as numbers by name, with formulas of these constants.
/// Throws InputError for text of another form, a wrong formula and a repeated name.
std::map<std::string, double>
geometry_parameters(const std::string &text, const std::map<std::string, double> &constants = {});

/// Whether a geometry declares these parameters by DefineConstant, itself or in a file that it
/// includes: Gmsh ignores others silently. Nothing is checked where the file does not exist.
/// Throws InputError with the names that it declares and the nearest of them.
void check_geometry_parameters(const std::string &file,
                               const std::map<std::string, double> &parameters);

} // namespace percussion
