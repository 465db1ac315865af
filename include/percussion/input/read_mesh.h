#pragma once

#include <percussion/base/error.h>
#include <percussion/body/mesh.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Source of a mesh: a file of Gmsh, Abaqus or VTK, or a geometry, which is meshed.
struct MeshSource {
  std::string file;
  std::map<std::string, double> parameters =
      {};                  ///< values for a `.geo` file by the names in DefineConstant
  double size = 0;         ///< size of the elements of a CAD file [L]; 0: Gmsh's choice
  double unit = 1;         ///< length of the file's unit [L]
  bool is_divided = false; ///< true if triangles and tetrahedra are divided once, into macro-cells
  std::vector<std::string> split = {}; ///< regions inside the body along which it is split
};

/// A region along which a mesh cannot be split, with the reason.
class SplitError : public InputError {
public:
  using InputError::InputError;
};

/// True if the name of the file is the name of a geometry of Gmsh (`.geo`).
bool is_geometry(const std::string &file);
/// True if the name of the file is the name of a CAD file, which is meshed when it is read.
bool is_cad(const std::string &file);

/// Returns the dimension of the body of a mesh or geometry: 3 if a named physical group consists of
/// volumes, or if a file of another format has cells or volumes; else 2, also for a file that
/// read_mesh() will refuse. Reads only the head of a `.msh` file; opens a geometry in Gmsh if its
/// text mentions volumes.
unsigned int body_dimension(const MeshSource &source);

/// Reads a mesh, or meshes a geometry, according to the ending of the file's name. Nodes have the
/// order of their numbers in the file, cells the order of the groups and of their elements.
/// Coordinates are multiplied by the unit of the source. The cells of a divided simplex follow each
/// other.
///
/// Throws InputError with the reason and a remedy, but without the file's name, if the file is
/// missing, damaged or not a mesh, has no named physical group of dimension `dim` in a format of
/// Gmsh, has elements of another dimension or of third order, mixes cell shapes, or has inverted,
/// degenerate or overlapping cells. A child process reads the file. If a damaged file crashes this
/// process, or keeps it busy beyond a limit that grows with the file, InputError is thrown, too.
template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const MeshSource &source);

/// Reads a mesh without choices.
template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const std::string &file) {
  return read_mesh<dim>(MeshSource{file});
}

} // namespace percussion
