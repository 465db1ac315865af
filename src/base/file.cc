#include <percussion/base/file.h>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace percussion {

std::optional<std::string> read_file(const std::string &file) {
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
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  return true;
}

} // namespace percussion
