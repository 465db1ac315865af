#pragma once

#include "gmsh_model.h"
#include <string>

namespace percussion {

/// Returns a model as bytes, for a process on the same machine.
std::string to_bytes(const GmshModel &model);

/// Returns the model of a `dim`-dimensional body that these bytes hold. Throws ChildFailure unless
/// its sizes, indices and coordinates are those of a mesh: they come from a process whose memory a
/// damaged file may have overwritten.
GmshModel to_model(const std::string &bytes, unsigned int dim);

} // namespace percussion
