#pragma once

#include <percussion/input/gmsh_model.h>

#include <string>

namespace percussion {

/// A model as bytes, to be read back on the same machine.
std::string to_bytes(const GmshModel &model);

/// Throws std::runtime_error for bytes that are no model.
GmshModel model_of_bytes(const std::string &bytes);

} // namespace percussion
