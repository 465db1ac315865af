#pragma once

#include <string>

namespace percussion {

/// Formats of meshes, by the endings of file names.
enum class MeshFormat {
  gmsh,     ///< .msh
  geometry, ///< .geo, a script of Gmsh
  cad,      ///< .step, .stp, .iges, .igs, .brep: meshed by Gmsh
  foreign,  ///< .unv, .med, .bdf, .nas, .mesh: read by Gmsh
  vtk,      ///< .vtu, .vtk
  abaqus    ///< .inp
};

/// Returns the format of a file; an unknown ending is taken for .msh.
MeshFormat mesh_format(const std::string &file);

/// Returns the ending of a format if the ending of a file, such as .Step, is the same but for the
/// case of letters; empty if it is not.
std::string ending_to_rename(const std::string &file);

/// Endings of the formats that are read everywhere, for messages: Gmsh reads .med with a library
/// that its packages of Debian lack.
extern const char *const mesh_endings;

} // namespace percussion
