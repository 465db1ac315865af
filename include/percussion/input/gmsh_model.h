#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace percussion {

/// An element of a mesh as Gmsh knows it.
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
  std::map<std::size_t, std::array<double, 3>> nodes; ///< at least those of the elements
  std::vector<GmshGroup> groups;
  std::vector<std::string> remarks; ///< what is legal, and perhaps not meant
};

/// A `.msh` file, or a `.geo` file to be meshed with these values of its parameters.
struct GmshSource {
  std::string file;
  std::map<std::string, double> parameters; ///< by the names that DefineConstant gives them
};

/// Whether the file's name says that it is a geometry, which is meshed when it is read.
bool is_geometry(const std::string &file);

/// Open a mesh, or mesh a geometry in dimension `dim`, with the Gmsh SDK and take its named
/// physical groups of dimension 0 … `dim`. Gmsh works in a process of its own: a file on which it
/// crashes, or takes all memory, is an InputError like every other that is no mesh.
/// Throws InputError, without the file's name, for everything that cannot be the mesh of a
/// `dim`-dimensional body.
GmshModel read_gmsh_model(const GmshSource &source, unsigned int dim);

/// The same in this process. Gmsh may end it.
GmshModel read_gmsh_model_here(const GmshSource &source, unsigned int dim);

} // namespace percussion
