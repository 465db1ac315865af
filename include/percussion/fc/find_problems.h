#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::fc {

/// File with a contact problem, and the name of the problem.
struct ProblemFile {
  std::filesystem::path path;
  std::string
      name; ///< the file name without ".hdf5" or ".dat", with its folders if several files share it
};

/// Returns the files among `paths_given` and all *.hdf5 and *.dat files in the folders among them
/// and below, sorted; each file once. Throws InputError that lists all places that do not exist and
/// all folders without such files.
std::vector<ProblemFile> find_problems(const std::vector<std::filesystem::path> &paths_given);

/// Returns true if the name ends with ".hdf5" or ".dat".
bool is_problem(const std::filesystem::path &file);

/// Returns the path without its ending ".hdf5" or ".dat".
std::string problem_name(const std::filesystem::path &file);

} // namespace percussion::fc
