#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace percussion {

/// A line of a `.msh` file's section of physical names.
struct PhysicalName {
  int dimension, tag;
  std::string name;
  unsigned int line;
};

/// What a `.msh` file says of itself before anybody reads its nodes and elements.
struct MshOutline {
  int major_version = 0, minor_version = 0;
  bool binary = false;
  std::vector<PhysicalName> names;
  std::uint64_t n_nodes = 0; ///< that it declares; 0 where that cannot be told
};

/// Walk through the sections of a `.msh` file, text or binary. Gmsh would take a file of another
/// kind for a script and run it, and drops names that no element has.
/// Throws InputError for what is no such file, is cut off, or declares more than it can hold.
MshOutline outline_of_msh(const std::string &content);

} // namespace percussion
