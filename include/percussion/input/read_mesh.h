#pragma once

#include <percussion/body/mesh.h>

#include <map>
#include <memory>
#include <string>

namespace percussion {

/// Source of a mesh: a `.msh` file, or a `.geo` file with values of its parameters.
struct GmshSource {
  std::string file;
  std::map<std::string, double> parameters; ///< values by the names in DefineConstant
};

/// True if the name of the file is the name of a geometry, which is meshed when it is read.
bool is_geometry(const std::string &file);

/// Returns the dimension of the body of a mesh or geometry: 3 if a named physical group consists of
/// volumes, else 2, also for a file that read_gmsh() will refuse. Reads only the head of a mesh;
/// opens a geometry in Gmsh if its text mentions volumes.
unsigned int body_dimension(const GmshSource &source);

/// Reads a mesh, or meshes a geometry, with the Gmsh SDK. Nodes are numbered in the order of Gmsh's
/// tags, cells in the order of the physical groups and of their elements.
///
/// Throws InputError with the reason and a remedy, but without the file's name, if the file is
/// missing, damaged or not a mesh, has no named physical group of dimension `dim`, has elements of
/// another dimension or of second order, mixes cell shapes, or has inverted, degenerate or
/// overlapping cells. Gmsh reads the file in a child process. If a damaged file crashes this
/// process, or keeps it busy beyond a limit that grows with the file, InputError is thrown, too.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const GmshSource &source);

/// Reads a mesh without parameters of a geometry.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file) {
  return read_gmsh<dim>(GmshSource{file, {}});
}

} // namespace percussion
