#pragma once

#include <percussion/input/parameter_file.h>

#include <iosfwd>
#include <string>

namespace percussion {

enum class ReferenceFormat { parameter_file, markdown };

/// Writes the documented reference of all parameters.
void print_reference(std::ostream &stream, ReferenceFormat format);

/// Returns the parameters in effect as a parameter file whose mesh path is valid in any folder. If
/// `with_documentation`, a comment with the description of the entry precedes each entry. Throws
/// InputError if the file sets unknown entries or values that are not allowed.
std::string effective_parameters(ParameterFile file, bool with_documentation);

} // namespace percussion
