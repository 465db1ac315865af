#pragma once

#include <percussion/input/read_mesh.h>

#include "mesh_model.h"

namespace percussion {

/// Reads a mesh, or meshes a geometry in dimension `dim`, with Gmsh, which may crash on a damaged
/// file: to be called in a child process. Names the groups of a format that has none. `version` is
/// the version of a `.msh` file, else 0. Throws InputError, without the file's name, for contents
/// that cannot be the mesh of a `dim`-dimensional body.
MeshModel model_of_gmsh(const MeshSource &source, unsigned int dim, int version);

/// Returns the largest dimension of a named group of a geometry, of an entity of a CAD file, or of
/// an element of another file.
unsigned int dimension_by_gmsh(const MeshSource &source);

} // namespace percussion
