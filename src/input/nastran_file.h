#pragma once

#include <string>

namespace percussion {

/// Checks that each element in the text of a Nastran file has the number of its property, the third
/// field of its line. It may be blank, but Gmsh then takes the nodes for others.
void expect_properties(const std::string &text);

} // namespace percussion
