#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/problem_files.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

namespace percussion::fc {
namespace {
namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code ignored; // a folder that is not there has no names
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (entry.exists(ignored)) // not a link to nowhere
      names.push_back(entry.path().filename().string());
  return names;
}

std::vector<fs::path> files_in(const fs::path &folder) {
  std::vector<fs::path> files;
  const auto options = fs::directory_options::skip_permission_denied;
  for (const auto &entry : fs::recursive_directory_iterator(folder, options))
    if (entry.path().extension() == ".hdf5" && !entry.is_directory())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void add(const fs::path &place, std::vector<fs::path> &files, Problems &problems) {
  if (!fs::exists(place)) {
    const fs::path folder = place.has_parent_path() ? place.parent_path() : ".";
    problems.add(
        {place.string(), 0,
         "no such file or folder" + did_you_mean(place.filename().string(), names_in(folder))});
  } else if (fs::is_directory(place)) {
    const auto found = files_in(place);
    if (found.empty())
      problems.add({place.string(), 0, "no file in this folder ends with .hdf5"});
    files.insert(files.end(), found.begin(), found.end());
  } else {
    files.push_back(place);
  }
}

/// The end of a path: the name without extension, and `n_folders` of the folders before it.
std::string end_of(const fs::path &path, const std::size_t n_folders) {
  fs::path name = path.extension() == ".hdf5" ? path.stem() : path.filename();
  fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  for (std::size_t k = 0; k < n_folders && folder.has_relative_path(); ++k) {
    name = folder.filename() / name;
    folder = folder.parent_path();
  }
  return name.string();
}

/// Lengthens names that are the same until they differ.
void name_apart(std::vector<ProblemFile> &files) {
  constexpr std::size_t deepest = 64; // "a" and "a.hdf5" side by side differ in no folder
  for (std::size_t n_folders = 0; n_folders < deepest; ++n_folders) {
    std::map<std::string, int> count;
    for (const auto &file : files)
      ++count[file.name];
    if (count.size() == files.size())
      return;
    for (auto &file : files)
      if (count[file.name] > 1)
        file.name = end_of(file.path, n_folders + 1);
  }
  for (auto &file : files)
    file.name = file.path.string();
}

} // namespace

std::vector<ProblemFile> find_problems(const std::vector<fs::path> &places) {
  std::vector<fs::path> paths;
  Problems problems;
  for (const auto &place : places)
    add(place, paths, problems);
  problems.throw_if_any();

  std::vector<ProblemFile> files;
  std::set<fs::path> seen;
  for (const auto &path : paths)
    if (seen.insert(fs::weakly_canonical(path)).second)
      files.push_back({path, end_of(path, 0)});
  name_apart(files);
  return files;
}

} // namespace percussion::fc
