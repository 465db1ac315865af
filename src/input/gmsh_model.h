#pragma once

#include <percussion/input/read_mesh.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// A named physical group with its first-order elements.
struct GmshGroup {
  std::string name;
  unsigned int dimension = 0;
  unsigned int n_corners = 0;        ///< of each element
  std::vector<std::size_t> tags;     ///< Gmsh's, of each element
  std::vector<unsigned int> corners; ///< n_corners per element, as indices into the model's nodes
};

/// What a Gmsh file holds that a first-order finite-element body needs.
struct GmshModel {
  std::vector<std::size_t> tags;            ///< Gmsh's, of each node; ascending
  std::vector<std::array<double, 3>> nodes; ///< their coordinates
  std::vector<GmshGroup> groups;            ///< by dimension and Gmsh's tag
  std::vector<std::string> remarks;         ///< what is legal, and perhaps not meant
};

/// The named physical groups of dimension 0 … `dim` of a mesh, or of a geometry meshed in dimension
/// `dim`. Throws InputError, without the file's name, for what cannot be the mesh of a
/// `dim`-dimensional body.
GmshModel read_gmsh_model(const GmshSource &source, unsigned int dim);

} // namespace percussion
