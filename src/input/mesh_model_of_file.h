#pragma once

#include <percussion/input/read_mesh.h>

#include "mesh_model.h"

namespace percussion {

/// Reads the groups of dimension 0 … `dim` of a mesh, or of a geometry meshed in dimension `dim`.
/// Throws InputError, without the file's name, for contents that cannot be the mesh of a
/// `dim`-dimensional body.
MeshModel read_mesh_model(const MeshSource &source, unsigned int dim);

} // namespace percussion
