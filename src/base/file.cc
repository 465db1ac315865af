#include <percussion/base/file.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace percussion {

void throw_write_error(const std::string &file) {
  throw WriteError(file + ": cannot be written (" + std::strerror(errno) + ")");
}

std::optional<std::string> read_file(const std::string &file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0)
    return std::nullopt;
  errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (!S_ISREG(status.st_mode)) // a device or a pipe may never end, or act when it is opened
    return std::nullopt;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  std::string bytes;
  const bool is_whole = read_all(descriptor, bytes);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return is_whole ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string temporary_name(const std::string &file) { return file + ".tmp"; }

void write_file(const std::string &file, const std::string &content) {
  write_file(file, [&](std::ostream &stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

void write_file(const std::string &file, const std::function<void(std::ostream &)> &write) {
  const std::string temporary = temporary_name(file);
  ::unlink(temporary.c_str()); // a link there would lead the output out of its folder
  std::ofstream stream(temporary, std::ios::binary);
  write(stream);
  stream.close();
  if (stream && std::rename(temporary.c_str(), file.c_str()) == 0)
    return;
  const int reason = errno;
  ::unlink(temporary.c_str());
  errno = reason;
  throw_write_error(file);
}

void sync_folder(const std::string &folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    throw_write_error(folder);
  const bool is_synced = ::syncfs(descriptor) == 0;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  if (!is_synced)
    throw_write_error(folder);
}

bool read_all(int descriptor, std::string &bytes) {
  std::string buffer(1u << 16, '\0');
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n == 0)
      return true;
    if (n < 0 && errno != EINTR)
      return false;
    bytes.append(buffer, 0, n > 0 ? static_cast<std::size_t>(n) : 0);
  }
}

bool write_all(int descriptor, const std::string &bytes) {
  for (std::size_t n_written = 0; n_written < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + n_written, bytes.size() - n_written);
    if (n < 0 && errno != EINTR)
      return false;
    n_written += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  return true;
}

} // namespace percussion
