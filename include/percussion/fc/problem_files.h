#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::fc {

/// A file of a contact problem, and what to call it.
struct ProblemFile {
  std::filesystem::path path;
  /// The file's name without folders and ".hdf5"; where files share it, with as many of their
  /// folders as tell them apart.
  std::string name;
};

/// The files among `places`, and all *.hdf5 files in the folders among them and in folders of
/// these, sorted; each file once.
///
/// Throws InputError that tells of all places that do not exist and of folders without such files.
std::vector<ProblemFile> find_problems(const std::vector<std::filesystem::path> &places);

} // namespace percussion::fc
