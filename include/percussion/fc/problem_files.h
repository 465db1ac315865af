#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::fc {

/// A file with a contact problem, and the name of the problem.
struct ProblemFile {
  std::filesystem::path path;
  std::string name; ///< the file name without ".hdf5", with its folders if several files share it
};

/// The files among `places` and all *.hdf5 files in the folders among them and below, sorted; each
/// file once. Throws InputError that lists all places that do not exist and all folders without
/// such files.
std::vector<ProblemFile> find_problems(const std::vector<std::filesystem::path> &places);

/// The path without ".hdf5".
std::string problem_name(const std::filesystem::path &file);

} // namespace percussion::fc
