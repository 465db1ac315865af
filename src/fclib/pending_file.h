#pragma once

#include <cstdint>
#include <hdf5.h>
#include <map>
#include <string>

namespace percussion {

/// Changes of a file that HDF5 makes in memory, and that are written at once. HDF5 itself changes
/// pointers in the middle of a file in many writes: a program that is killed, or that finds the
/// disk full, between two of them would leave a damaged file.
class PendingFile {
public:
  /// Opens an existing file, after completing the changes of a program that was killed, or
  /// begins a new one. Throws WriteError.
  PendingFile(const std::string &file_path, bool is_new);
  ~PendingFile();
  PendingFile(const PendingFile &) = delete;
  PendingFile &operator=(const PendingFile &) = delete;

  /// Completes the changes of a program that was killed while it wrote them. Throws WriteError.
  static void recover(const std::string &path);

  /// Returns the properties with which HDF5 opens the file; this object must outlive the open file.
  hid_t access_properties();

  /// Writes the changes, once HDF5 has closed the file: bytes behind the old end, then the others
  /// to FILE.journal, then to the file. A program killed at any time leaves the old content, or a
  /// journal from which recover() makes the new one. Throws WriteError; the file then has the old
  /// content.
  void commit();

  void read(std::uint64_t position, std::size_t n, char *bytes) const;
  void write(std::uint64_t position, std::size_t n, const char *bytes);

  std::uint64_t end = 0; ///< size of the changed file

private:
  static constexpr std::size_t page_size = 4096;
  /// Reads a page of the file; zeros behind its end.
  std::string stored_page(std::uint64_t page) const;
  /// Writes pages from a number on; returns false on failure.
  bool write_pages(std::uint64_t first) const;
  [[noreturn]] void restore() const;

  std::string path;
  int descriptor = -1; ///< open file; −1: a new one
  std::uint64_t old_size = 0;
  std::map<std::uint64_t, std::string> pages; ///< changed pages by their numbers
};

} // namespace percussion
