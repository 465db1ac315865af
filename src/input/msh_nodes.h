#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace percussion {

/// The tags in a section $Nodes in text of format 2.2 or 4.1, sorted. None where the section cannot
/// be followed: what is wrong with it is left to Gmsh.
std::vector<std::int64_t> node_tags(const std::string &section, bool blocks);

/// Gmsh crashes on an element that has a node which the file does not hold.
/// @throws InputError for the first, with its line if the section begins in @p line
void check_nodes_of_elements(const std::string &section, bool blocks, unsigned int line,
                             const std::vector<std::int64_t> &nodes);

} // namespace percussion
