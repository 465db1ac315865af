#include <percussion/base/durable_file.h>
#include <percussion/base/file.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace percussion {
namespace {

/// Remove the temporary file and report why it came to nothing.
[[noreturn]] void give_up(const std::string &file) {
  const int reason = errno;
  std::remove(temporary_name(file).c_str());
  errno = reason;
  throw_write_error(file);
}

} // namespace

void throw_write_error(const std::string &file) {
  throw WriteError(file + ": cannot be written (" + std::strerror(errno) + ")");
}

std::string temporary_name(const std::string &file) { return file + ".tmp"; }

void write_durably(const std::string &file, const std::string &content) {
  const int descriptor =
      ::open(temporary_name(file).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
             S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH); // the umask decides
  if (descriptor < 0)
    throw_write_error(file);
  const bool written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!written)
    errno = reason;
  if (!written || !closed || std::rename(temporary_name(file).c_str(), file.c_str()) != 0)
    give_up(file);
}

void sync_folder(const std::string &folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == EACCES)
    return; // one may write into folders that one may not read
  if (descriptor < 0)
    throw_write_error(folder);
  // Some file systems cannot sync folders, and need not.
  const bool failed = ::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  if (failed)
    throw_write_error(folder);
}

} // namespace percussion
