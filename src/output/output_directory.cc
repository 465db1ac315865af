#include <percussion/base/error.h>
#include <percussion/output/output_directory.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace percussion {

namespace fs = std::filesystem;

namespace {

/// Returns the folder of the results. Links are followed, so that results stay at the target of the
/// link when earlier ones are moved aside.
fs::path folder_of(const OutputOptions &options) {
  constexpr unsigned int most_links = 40;
  fs::path directory = fs::absolute(options.directory).lexically_normal();
  if (!directory.has_filename())
    directory = directory.parent_path();
  std::error_code error;
  for (unsigned int k = 0; k < most_links && fs::is_symlink(directory, error); ++k)
    directory = (directory.parent_path() / fs::read_symlink(directory)).lexically_normal();
  return directory.has_filename() ? directory : directory.parent_path();
}

/// True if a folder holds results. A run that was killed early has left only its log.
bool holds_results(const fs::path &directory) {
  if (fs::exists(directory / "parameters.prm") && fs::exists(directory / "log.txt"))
    return true;
  const auto is_early = [](const fs::path &name) {
    return name == "log.txt" || name == "parameters.prm.tmp";
  };
  return std::all_of(fs::directory_iterator(directory), {},
                     [&](const auto &entry) { return is_early(entry.path().filename()); });
}

/// Returns the folder itself, or its nearest ancestor that exists.
fs::path nearest_existing(fs::path directory) {
  std::error_code error;
  while (!fs::exists(directory, error) && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

/// Returns the first unused name of directory.1, directory.2, …
fs::path name_aside(const fs::path &directory) {
  unsigned int number = 1;
  while (fs::exists(fs::symlink_status(directory.string() + "." + std::to_string(number))))
    ++number;
  return directory.string() + "." + std::to_string(number);
}

} // namespace

std::string output_problem(const OutputOptions &options) {
  const fs::path directory = folder_of(options), existing = nearest_existing(directory);
  std::error_code error;
  if (!fs::is_directory(existing, error))
    return existing == directory
               ? "this is a file, not a folder"
               : "no folder can be made in '" + existing.string() + "', which is a file";
  const bool is_used = existing == directory && !fs::is_empty(directory, error);
  if (error)
    return "the folder cannot be read (" + error.message() + ")";
  if (is_used && !holds_results(directory))
    return "the folder holds other files than results, for example '" +
           fs::directory_iterator(directory)->path().filename().string() +
           "'; choose another folder";
  if (is_used && !options.move_existing_aside)
    return "the folder holds results already, and Output/Existing directory is refuse";
  const fs::path changed = is_used ? directory.parent_path() : existing;
  if (access(changed.c_str(), W_OK) != 0)
    return "the folder '" + changed.string() + "' is not writable";
  return {};
}

std::string prepare_output_directory(const OutputOptions &options) {
  const std::string complaint = "Output/Directory is '" + options.directory + "': ";
  if (const std::string problem = output_problem(options); !problem.empty())
    throw InputError(complaint + problem);
  const fs::path directory = folder_of(options), existing = nearest_existing(directory);
  std::error_code error, ignored;
  std::string remark;
  if (existing == directory && !fs::is_empty(directory)) {
    const FolderLock nobody_writes_there = lock_folder(directory.string());
    const fs::path aside = name_aside(directory);
    fs::rename(directory, aside, error);
    if (error)
      throw InputError(complaint + "the results in it cannot be moved to '" + aside.string() +
                       "' (" + error.message() + ")");
    remark = "Earlier results moved to " + aside.string();
  }
  fs::create_directories(directory, error);
  for (fs::path created = directory; error && created != existing; created = created.parent_path())
    fs::remove(created, ignored); // wrong input leaves no folder
  if (error)
    throw InputError(complaint + "the folder cannot be made (" + error.message() + ")");
  return remark;
}

FolderLock lock_folder(const std::string &directory) {
  const std::string complaint = "Output/Directory is '" + directory + "': ";
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    throw InputError(complaint + "the folder cannot be read (" + std::strerror(errno) + ")");
  FolderLock lock(new int(descriptor), [](const int *open_file) {
    ::close(*open_file);
    delete open_file;
  });
  // File systems that do not support locks are used without a lock.
  const bool is_taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  // Another run may have moved the folder aside before the lock was taken.
  struct stat open_file {
  }, named{};
  ::fstat(descriptor, &open_file);
  ::stat(directory.c_str(), &named);
  if (is_taken || open_file.st_ino != named.st_ino)
    throw InputError(complaint +
                     "another run is writing its results there; choose another folder, or wait");
  return lock;
}

} // namespace percussion
