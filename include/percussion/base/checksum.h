#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace percussion {

/// Returns the CRC-64 (ECMA-182) of bytes that follow others, whose checksum is `before`.
std::uint64_t crc64(std::string_view bytes, std::uint64_t before = 0);

/// Checksum of numbers, which changes with every bit of them and with their order. Ten times as
/// fast as crc64(), and not for files: it depends on the byte order of the processor.
class NumberSum {
public:
  void add(std::uint64_t number) {
    sum = (sum ^ number) * 0x9e3779b97f4a7c15; // odd: the product has all bits of the factor
    sum ^= sum >> 32;
  }
  void add(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    add(bits);
  }
  void add(const double *numbers, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      add(numbers[i]);
  }
  std::uint64_t value() const { return sum; }

private:
  std::uint64_t sum = 0;
};

/// Size and checksum of a file, or of its beginning, as a run wrote it.
struct FileSum {
  std::string name;           ///< without the folder
  std::uint64_t bytes = 0;    ///< size
  std::uint64_t checksum = 0; ///< crc64() of these bytes
};

/// Returns the size and checksum of a file, which is read in blocks. Throws RunError.
FileSum sum_of_file(const std::string &file);

/// Throws RunError unless the file in this folder begins with the bytes of this sum.
void check_unchanged(const std::string &folder, const FileSum &sum);

} // namespace percussion
