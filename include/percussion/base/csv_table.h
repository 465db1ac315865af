#pragma once

#include <percussion/base/checksum.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Table in a file: comment lines ("# key: value"), a header, and rows of numbers with 17
/// significant digits. The file always ends with a complete row, unless the program is killed
/// during a write.
class CsvTable {
public:
  using Comments = std::vector<std::pair<std::string, std::string>>;

  /// Creates the file with its comments and header or, if `kept_bytes` is not zero, continues an
  /// existing file after its first `kept_bytes` bytes. Throws RunError if the file cannot be
  /// written or is shorter.
  CsvTable(const std::string &file, const Comments &comments,
           const std::vector<std::string> &columns, std::uint64_t kept_bytes = 0);
  ~CsvTable();
  CsvTable(const CsvTable &) = delete;
  CsvTable &operator=(const CsvTable &) = delete;

  void number(double value);
  void number(unsigned int value);
  void end_row();

  /// Writes the rows that are still in memory. If the disk has no room for all of them, drops them,
  /// keeps the rows of earlier calls in the file, and throws WriteError.
  void flush();

  /// Returns the number of bytes written so far.
  std::uint64_t size() const { return n_written; }

  /// Size and checksum of what is written so far.
  FileSum sum() const;

private:
  std::string name, row, rows;
  int descriptor;
  std::uint64_t n_written, checksum = 0;
};

/// Throws RunError if a file required for resuming a run is missing or has less than `kept_bytes`
/// bytes.
void check_kept(const std::string &file, std::uint64_t kept_bytes);

/// Returns a field of a CSV file (RFC 4180): quoted if it contains a comma, a quote, a line end, or
/// blanks at either end.
std::string csv_field(const std::string &text);

} // namespace percussion
