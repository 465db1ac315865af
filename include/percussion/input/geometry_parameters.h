#pragma once

#include <map>
#include <string>
#include <vector>

namespace percussion {

/// Returns the numbers of "size = 0.1, R = 10*mm" by name; formulas may contain these constants.
/// Throws InputError if the text has another form, a formula is wrong or a name is repeated.
std::map<std::string, double>
geometry_parameters(const std::string &text, const std::map<std::string, double> &constants = {});

/// Checks that one of the geometries of a case declares each of these parameters by DefineConstant,
/// itself or in an included file, because Gmsh ignores other parameters silently. Not checked if a
/// file is missing. Throws InputError with the declared names and the nearest of them.
void check_geometry_parameters(const std::vector<std::string> &files,
                               const std::map<std::string, double> &parameters);

} // namespace percussion
