#pragma once

#include <percussion/input/parameter_file.h>

#include <string>

namespace percussion {

/// The parameters of a case as they are in effect, as a parameter file with a mesh path that holds
/// wherever it is read. `with_documentation` precedes each entry by what it means, as comments.
/// Throws InputError where the file sets what does not exist or is not allowed.
std::string effective_parameters(ParameterFile file, bool with_documentation);

} // namespace percussion
