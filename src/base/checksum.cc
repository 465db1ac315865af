#include <percussion/base/checksum.h>
#include <percussion/base/csv_table.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <cstring>

namespace percussion {

std::uint64_t crc64(std::string_view bytes, std::uint64_t before) {
  boost::crc_optimal<64, 0x42f0e1eba9ea3693, 0, 0> crc(before);
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

void check_unchanged(const std::string &folder, const FileSum &sum) {
  const std::string file = folder + "/" + sum.name;
  check_kept(file, sum.bytes);
  auto content = read_file(file);
  if (!content)
    throw RunError(file + ": cannot be read (" + std::strerror(errno) + ")");
  content->resize(sum.bytes);
  if (crc64(*content) != sum.checksum)
    throw RunError(
        file +
        ": its content differs from the content at the checkpoint: the file was changed since");
}

} // namespace percussion
