#pragma once

#include <iosfwd>

namespace percussion {

enum class ReferenceFormat { parameter_file, markdown };

/// Writes the documented reference of all parameters.
void print_reference(std::ostream &stream, ReferenceFormat format);

} // namespace percussion
