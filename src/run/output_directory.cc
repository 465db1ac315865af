#include <percussion/io/error.h>
#include <percussion/run/run.h>

#include <filesystem>
#include <unistd.h>

namespace percussion {

namespace fs = std::filesystem;

std::string prepare_output_directory(const OutputOptions &options) {
  fs::path directory = fs::path(options.directory).lexically_normal();
  if (!directory.has_filename())
    directory = directory.parent_path();
  std::string done;
  std::error_code error;
  if (fs::exists(directory, error)) {
    if (!fs::is_directory(directory))
      throw InputError(directory.string() + ": is a file, not a folder for results");
    if (!fs::is_empty(directory, error)) {
      if (!fs::exists(directory / "parameters.prm"))
        throw InputError(directory.string() +
                         ": holds files that no run wrote; choose another Output/Directory");
      if (!options.move_existing_aside)
        throw InputError(directory.string() +
                         ": holds results already, and Output/Existing directory = refuse");
      unsigned int number = 1;
      fs::path aside;
      do
        aside = directory.string() + "." + std::to_string(number++);
      while (fs::exists(aside));
      fs::rename(directory, aside, error);
      if (error)
        throw InputError(directory.string() + ": holds results already and cannot be moved to " +
                         aside.string() + ": " + error.message());
      done = "Earlier results moved to " + aside.string();
    }
  }
  fs::create_directories(directory, error);
  if (error)
    throw InputError(directory.string() + ": cannot be made: " + error.message());
  if (access(directory.c_str(), W_OK) != 0)
    throw InputError(directory.string() + ": is not writable");
  return done;
}

} // namespace percussion
