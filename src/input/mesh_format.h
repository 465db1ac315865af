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

/// Endings of all formats, for messages.
extern const char *const mesh_endings;

} // namespace percussion
