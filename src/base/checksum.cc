#include <percussion/base/checksum.h>
#include <percussion/base/csv_table.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace percussion {
namespace {

constexpr unsigned int n_tables = 8;
using CrcTables = std::array<std::array<std::uint64_t, 256>, n_tables>;

/// Returns the remainders of each byte, followed by 0 to 7 zero bytes (Kounavis & Berry 2005).
constexpr CrcTables make_crc_tables() {
  constexpr std::uint64_t polynomial = 0x42f0e1eba9ea3693;
  CrcTables tables{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t remainder = byte << 56;
    for (unsigned int bit = 0; bit < 8; ++bit)
      remainder = (remainder << 1) ^ (remainder >> 63 != 0 ? polynomial : 0);
    tables[0][byte] = remainder;
  }
  for (unsigned int k = 1; k < n_tables; ++k)
    for (unsigned int byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] << 8) ^ tables[0][tables[k - 1][byte] >> 56];
  return tables;
}

constexpr CrcTables crc_tables = make_crc_tables();

} // namespace

std::uint64_t crc64(std::string_view bytes, std::uint64_t before) {
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(bytes[i])};
  };
  std::uint64_t sum = before;
  std::size_t i = 0;
  for (; i + n_tables <= bytes.size(); i += n_tables) {
    std::uint64_t block = 0;
    for (unsigned int k = 0; k < n_tables; ++k)
      block = block << 8 | byte(i + k);
    block ^= sum;
    sum = 0;
    for (unsigned int k = 0; k < n_tables; ++k)
      sum ^= crc_tables[k][block >> 8 * k & 0xff];
  }
  for (; i < bytes.size(); ++i)
    sum = (sum << 8) ^ crc_tables[0][sum >> 56 ^ byte(i)];
  return sum;
}

FileSum sum_of_file(const std::string &file) {
  FileSum sum{std::filesystem::path(file).filename().string()};
  const auto status = std::filesystem::status(file);
  if (exists(status) && !is_regular_file(status)) // a device may never end
    throw RunError(file + ": cannot be read (it is not a regular file)");
  std::ifstream stream(file, std::ios::binary);
  std::string block(1u << 16, '\0');
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto n = static_cast<std::size_t>(stream.gcount());
    sum.bytes += n;
    sum.checksum = crc64({block.data(), n}, sum.checksum);
  }
  if (!stream.eof())
    throw RunError(file + ": cannot be read (" + std::strerror(errno) + ")");
  return sum;
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
