#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace percussion {

struct GmshElement {
  std::size_t tag;
  std::vector<std::size_t> nodes; ///< in Gmsh's order
};

/// A physical group: its name, its dimension and its first-order elements.
struct GmshGroup {
  std::string name;
  unsigned int dimension;
  std::vector<GmshElement> elements;
};

/// What a Gmsh file holds that a first-order finite-element body needs.
struct GmshModel {
  std::string file;
  std::map<std::size_t, std::array<double, 3>> nodes;
  std::vector<GmshGroup> groups;
};

/// Open a `.msh` file with the Gmsh SDK and take its named physical groups of dimension 0 … `dim`.
/// Throws InputError, without the file's name, for everything that cannot be the mesh of a
/// `dim`-dimensional body.
GmshModel read_gmsh_model(const std::string &file, unsigned int dim);

} // namespace percussion
