#pragma once

#include <percussion/base/appended_file.h>

#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// A table in a file: comment lines ("# key: value"), a header, and rows of numbers with 17
/// significant digits, which tell every double from its neighbours.
class CsvTable {
public:
  /// Create the file with its comment lines and header; names are quoted where they need it. Or, if
  /// `kept` is not zero, go on with a file of which as many bytes are kept.
  /// Throws RunError where it cannot be written.
  CsvTable(const std::string &file,
           const std::vector<std::pair<std::string, std::string>> &comments,
           const std::vector<std::string> &columns, std::uint64_t kept = 0);

  void number(double value);
  void number(unsigned int value);
  void end_row();

  /// Hand the rows so far to the operating system, or to the disk.
  void flush() { file.flush(); }
  void sync() { file.sync(); }

  /// Bytes of the rows that were handed over.
  std::uint64_t size() const { return file.size(); }

private:
  AppendedFile file;
  std::string row;
};

/// A field of a CSV file (RFC 4180): quoted where it holds a comma, a quote, the end of a line, or
/// blanks at an end.
std::string csv_field(const std::string &text);

} // namespace percussion
