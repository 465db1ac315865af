#pragma once

#include <percussion/input/read_mesh.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Named physical group with its first-order elements.
struct GmshGroup {
  std::string name;
  unsigned int dimension = 0;
  unsigned int n_corners = 0;        ///< number of corners of each element
  std::vector<std::size_t> tags;     ///< Gmsh's tag of each element
  std::vector<unsigned int> corners; ///< n_corners indices of the model's nodes per element
};

/// Contents of a Gmsh file that a first-order finite-element body needs.
struct GmshModel {
  std::vector<std::size_t> tags;            ///< Gmsh's tag of each node; ascending
  std::vector<std::array<double, 3>> nodes; ///< coordinates of the nodes
  std::vector<GmshGroup> groups;            ///< groups by dimension and Gmsh's tag
  std::vector<std::string> remarks;         ///< remarks on legal, but possibly unintended contents
};

/// Reads the named physical groups of dimension 0 … `dim` of a mesh, or of a geometry meshed in
/// dimension `dim`. Throws InputError, without the file's name, for contents that cannot be the
/// mesh of a `dim`-dimensional body.
GmshModel read_gmsh_model(const GmshSource &source, unsigned int dim);

} // namespace percussion
