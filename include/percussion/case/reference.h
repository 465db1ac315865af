#pragma once

#include <percussion/input/parameter_file.h>

#include <iosfwd>
#include <string>

namespace percussion {

enum class ReferenceFormat { parameter_file, markdown, json };

/// Writes the documented reference of all parameters. In JSON, `parameters` is a list of objects
/// with path, name, default, allowed, documentation and, where an entry has an effect with some
/// values of another one only, used_if.
void print_reference(std::ostream &stream, ReferenceFormat format);

/// Writes the parameters of a case in JSON, likewise, and with the value of each.
void print_json(std::ostream &stream, const ParameterFile &file);

/// Writes the documentation of the entries that a path names: the path of an entry or of a
/// subsection, as in the reference or in a case, or the end of such a path. Throws InputError if
/// there is none.
void explain(std::ostream &stream, const std::string &path);

/// Returns the parameters in effect as a parameter file whose mesh path is valid in any folder. If
/// `has_documentation`, a comment with the description of the entry precedes each entry. Throws
/// InputError if the file sets unknown entries or values that are not allowed.
std::string effective_parameters(ParameterFile file, bool has_documentation);

} // namespace percussion
