#include <percussion/base/error.h>
#include <percussion/base/missing_file.h>
#include <percussion/fc/find_problems.h>

#include <algorithm>
#include <map>
#include <set>

namespace percussion::fc {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path &folder) {
  std::vector<fs::path> files;
  const auto options = fs::directory_options::skip_permission_denied;
  for (const auto &entry : fs::recursive_directory_iterator(folder, options))
    if (is_problem(entry.path()) && !entry.is_directory())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void add(const fs::path &path_given, std::vector<fs::path> &files, Problems &problems) {
  if (!fs::exists(path_given)) {
    problems.add(
        {path_given.string(), 0, "no such file or folder" + similar_file(path_given.string())});
  } else if (fs::is_directory(path_given)) {
    const auto found = files_in(path_given);
    if (found.empty())
      problems.add({path_given.string(), 0, "no file in this folder ends with .hdf5 or .dat"});
    files.insert(files.end(), found.begin(), found.end());
  } else {
    files.push_back(path_given);
  }
}

} // namespace

std::vector<ProblemFile> find_problems(const std::vector<fs::path> &paths_given) {
  std::vector<fs::path> paths;
  Problems problems;
  for (const auto &path_given : paths_given)
    add(path_given, paths, problems);
  problems.throw_if_any();

  std::vector<ProblemFile> files;
  std::set<fs::path> known_paths;
  std::map<std::string, int> count;
  for (const auto &path : paths)
    if (known_paths.insert(fs::weakly_canonical(path)).second) {
      files.push_back({path, problem_name(path.filename())});
      ++count[files.back().name];
    }
  for (auto &file : files)
    if (count[file.name] > 1)
      file.name = problem_name(file.path.lexically_normal());
  return files;
}

bool is_problem(const fs::path &file) {
  return file.extension() == ".hdf5" || file.extension() == ".dat";
}

std::string problem_name(const fs::path &file) {
  return is_problem(file) ? (file.parent_path() / file.stem()).string() : file.string();
}

} // namespace percussion::fc
