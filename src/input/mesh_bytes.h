#pragma once

#include "mesh_model.h"
#include <string>

namespace percussion {

/// Returns the bytes of a model, for a process on the same machine.
std::string to_bytes(const MeshModel &model);

/// Returns the model of a `dim`-dimensional body in these bytes. Throws ChildFailure if its sizes,
/// indices and coordinates are inconsistent with a mesh: they come from a process whose memory a
/// damaged file may have overwritten.
MeshModel to_model(const std::string &bytes, unsigned int dim);

} // namespace percussion
