#include <percussion/base/missing_file.h>
#include <percussion/base/nearest_name.h>

#include <algorithm>
#include <filesystem>

namespace percussion {
namespace {
namespace fs = std::filesystem;

/// Returns the names of the files in the same folder.
std::vector<std::string> neighbours(const fs::path &file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
} // namespace

std::string obstacle(const std::string &file) {
  std::error_code error;
  if (fs::exists(file, error))
    return {};
  if (error)
    return error.message();
  const fs::path target = fs::read_symlink(file, error);
  return error ? "" : "it is a link to '" + target.string() + "', which does not exist";
}

std::string similar_file(const std::string &file) {
  return did_you_mean_file(fs::path(file).filename().string(), neighbours(file));
}
} // namespace percussion
