#pragma once

#include <string>

namespace percussion {
/// Returns the reason that prevents access to a file: cyclic or dangling links, a folder without
/// permission. Empty if the file exists or is simply missing.
std::string obstacle(const std::string &file);

/// Returns "; did you mean 'case.prm'?" with the nearest name in the folder of a missing file, or
/// "".
std::string similar_file(const std::string &file);
} // namespace percussion
