#pragma once

#include <percussion/body/mesh.h>

#include <map>
#include <memory>
#include <string>

namespace percussion {

/// A `.msh` file, or a `.geo` file to be meshed with these values of its parameters.
struct GmshSource {
  std::string file;
  std::map<std::string, double> parameters; ///< by the names that DefineConstant gives them
};

/// Whether the file's name says that it is a geometry, which is meshed when it is read.
bool is_geometry(const std::string &file);

/// The dimension of the body of a mesh or geometry: 3 where a named physical group is of volumes,
/// else 2, also for a file that read_gmsh() will refuse. Looks at the head of a mesh only; has Gmsh
/// open a geometry where it speaks of volumes.
unsigned int body_dimension(const GmshSource &source);

/// Read a mesh, or mesh a geometry, with the Gmsh SDK. Nodes are numbered in the order of Gmsh's
/// tags, cells in the order of the physical groups and of their elements.
///
/// Throws InputError with the reason and a remedy, but without the file's name, for a file that is
/// missing, damaged or not a mesh, has no named physical group of dimension `dim`, has elements of
/// another dimension or of second order, mixes cell shapes, or has inverted, degenerate or
/// overlapping cells. Gmsh reads the file in a child process, which a damaged file may crash, or
/// keep busy beyond a limit that grows with the file: an InputError, too.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const GmshSource &source);

/// The same without parameters of a geometry.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file) {
  return read_gmsh<dim>(GmshSource{file, {}});
}

} // namespace percussion
