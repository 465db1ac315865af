#pragma once

#include <string>

namespace percussion {
/// What bars the way to a file: links that lead in a circle or to nothing, a folder that nobody may
/// enter. Empty if it is there, or just is not.
std::string obstacle(const std::string &file);

/// "; did you mean 'case.prm'?" of the files beside one that is not there, or "".
std::string similar_file(const std::string &file);
} // namespace percussion
