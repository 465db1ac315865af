#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace percussion {

/// Returns the CRC-64 (ECMA-182) of bytes that follow others, whose checksum is `before`.
std::uint64_t crc64(std::string_view bytes, std::uint64_t before = 0);

/// Size and checksum of a file, or of its beginning, as a run wrote it.
struct FileSum {
  std::string name;           ///< without the folder
  std::uint64_t bytes = 0;    ///< size
  std::uint64_t checksum = 0; ///< crc64() of these bytes
};

/// Throws RunError unless the file in this folder begins with the bytes of this sum.
void check_unchanged(const std::string &folder, const FileSum &sum);

} // namespace percussion
