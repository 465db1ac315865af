#pragma once

#include <string>

namespace percussion {
/// What prevents access to a file: cyclic or dangling links, a folder without permission. Empty if
/// the file exists or simply does not.
std::string obstacle(const std::string &file);

/// "; did you mean 'case.prm'?" with the nearest name in the folder of a missing file, or "".
std::string similar_file(const std::string &file);
} // namespace percussion
