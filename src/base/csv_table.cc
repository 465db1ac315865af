#include <percussion/base/csv_table.h>
#include <percussion/base/file.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace percussion {

void check_kept(const std::string &file, std::uint64_t kept_bytes) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error == std::errc::no_such_file_or_directory)
    throw RunError(file + ": this file of the earlier run is gone");
  if (!error && size < kept_bytes)
    throw RunError(file + ": it has " + std::to_string(size) + " bytes, and had " +
                   std::to_string(kept_bytes) + " at the checkpoint: the file was changed since");
}

CsvTable::CsvTable(const std::string &file, const Comments &comments,
                   const std::vector<std::string> &columns, std::uint64_t kept_bytes)
    : name(file), n_written(kept_bytes) {
  if (kept_bytes > 0)
    check_kept(file, kept_bytes);
  descriptor = ::open(
      file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (kept_bytes == 0 ? O_CREAT : 0),
      0666); // minus the umask
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(kept_bytes)) != 0)
    throw_write_error(file);
  if (kept_bytes > 0) {
    const auto content = read_file(file);
    if (!content)
      throw RunError(file + ": cannot be read (" + std::strerror(errno) + ")");
    checksum = crc64(*content);
    return;
  }
  for (const auto &[key, value] : comments)
    row += "# " + key + ": " + value + '\n';
  for (const auto &column : columns)
    row += csv_field(column) + ',';
  end_row();
  flush();
}

CsvTable::~CsvTable() {
  try {
    flush();
  } catch (const RunError &) { // callers that need the reason have called flush()
  }
  ::close(descriptor);
}

void CsvTable::number(double value) {
  char text[32];
  char *const end =
      std::to_chars(text, text + sizeof text - 1, value, std::chars_format::general, 17).ptr;
  *end = ',';
  row.append(text, end + 1);
}

void CsvTable::number(unsigned int value) { row += std::to_string(value) + ','; }

void CsvTable::end_row() {
  constexpr std::size_t max_buffer = 1u << 16;
  row.back() = '\n';
  rows += row;
  row.clear();
  if (rows.size() >= max_buffer)
    flush();
}

void CsvTable::flush() {
  const std::string text = std::move(rows);
  rows.clear();
  if (write_all(descriptor, text)) {
    n_written += text.size();
    checksum = crc64(text, checksum);
    return;
  }
  const int reason = errno;
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor, static_cast<off_t>(n_written));
  errno = reason;
  throw_write_error(name);
}

FileSum CsvTable::sum() const {
  return {std::filesystem::path(name).filename().string(), n_written, checksum};
}

std::string csv_field(const std::string &text) {
  const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (text.find_first_of(",\"\r\n") == std::string::npos && !blank_end)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

} // namespace percussion
