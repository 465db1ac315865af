#include <percussion/base/appended_file.h>
#include <percussion/base/durable_file.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace percussion {

void check_kept(const std::string &file, std::uint64_t kept) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error == std::errc::no_such_file_or_directory)
    throw RunError(file + ": this file of the run that is to be resumed is gone");
  if (!error && size < kept)
    throw RunError(file + ": it has " + std::to_string(size) + " bytes, and had " +
                   std::to_string(kept) + " at the checkpoint: it was changed since");
}

AppendedFile::AppendedFile(const std::string &file, std::uint64_t kept) : name(file) {
  if (kept > 0)
    check_kept(file, kept);
  descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | (kept == 0 ? O_CREAT | O_TRUNC : 0),
                      S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  if (descriptor < 0)
    throw_write_error(file);
  try {
    cut_off(kept);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

void AppendedFile::cut_off(std::uint64_t kept) {
  if (::ftruncate(descriptor, static_cast<off_t>(kept)) != 0 ||
      ::lseek(descriptor, 0, SEEK_END) < 0)
    throw_write_error(name);
  n_written = kept;
}

AppendedFile::~AppendedFile() {
  try {
    flush();
  } catch (const RunError &) { // it was thrown before, or the program is failing anyway
  }
  ::close(descriptor);
}

void AppendedFile::append(const std::string &record) {
  constexpr std::size_t most = 1u << 16;
  waiting += record;
  if (waiting.size() >= most)
    flush();
}

void AppendedFile::flush() {
  if (!write_all(descriptor, waiting)) {
    const int reason = errno;
    waiting.clear();
    // Where even that fails the end is a part of a record, and the error says so much.
    if (::ftruncate(descriptor, static_cast<off_t>(n_written)) == 0)
      ::lseek(descriptor, 0, SEEK_END);
    errno = reason;
    throw_write_error(name);
  }
  n_written += waiting.size();
  waiting.clear();
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && status.st_nlink == 0)
    throw RunError(name + ": it was removed while it was being written");
}

void AppendedFile::sync() {
  flush();
  if (::fsync(descriptor) != 0)
    throw_write_error(name);
}

} // namespace percussion
