#pragma once

#include <cstdint>
#include <string>

namespace percussion {

/// Throws RunError where a file of a run that is to go on is gone, or shorter than it was.
void check_kept(const std::string &file, std::uint64_t kept);

/// A file that grows by whole records: on the disk it always ends with one that is complete, unless
/// the program or the machine stops while it is being written.
class AppendedFile {
public:
  /// `kept` bytes of the file stay, what is behind them is cut off; 0: it begins anew. Throws
  /// RunError where it cannot be written, or is shorter than what was to be kept.
  explicit AppendedFile(const std::string &name, std::uint64_t kept = 0);
  ~AppendedFile();
  AppendedFile(const AppendedFile &) = delete;
  AppendedFile &operator=(const AppendedFile &) = delete;

  /// Add a record. It is kept in memory with others until they are many, or flush().
  void append(const std::string &record);

  /// Hand all records to the operating system. Where it does not take them (disk full) the file is
  /// cut back to those that it took before, and RunError thrown.
  void flush();

  /// The same, and wait until they are on the disk.
  void sync();

  /// Bytes that have been handed over.
  std::uint64_t size() const { return n_written; }

private:
  void cut_off(std::uint64_t kept);

  std::string name;
  int descriptor = -1;
  std::string waiting;
  std::uint64_t n_written = 0;
};

} // namespace percussion
