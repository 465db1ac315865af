#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Type of the numbers of a column.
enum class NumberType { float64, float32, int64, int32, uint8 };

/// Columns of numbers in an HDF5 file, to which rows are appended. Names are paths in the file.
///
/// All changes of an object are written at once by complete(). A program that is killed at any
/// time, or finds the disk full, leaves the old content or the new one; in between the file
/// FILE.journal may exist, from which the next object makes the new one. The file is not locked,
/// because other programs may read it meanwhile.
class GrowingFile {
public:
  enum class Mode {
    create, ///< a new file, in place of an existing one
    change,
    read
  };

  /// Throws WriteError, or RunError in the mode `read`.
  GrowingFile(const std::string &path, Mode mode);
  ~GrowingFile();
  GrowingFile(GrowingFile &&) = delete;

  void create_group(const std::string &name);
  /// Creates columns without rows. `width`: numbers in a row; 0: a vector. Chunks of `chunk_rows`
  /// rows are compressed if `is_compressed`.
  void create_columns(const std::string &name, NumberType type, std::size_t width,
                      std::size_t chunk_rows, bool is_compressed);
  /// Appends rows, whose numbers have the type of the columns.
  void append(const std::string &name, const void *data, std::size_t n);
  void append(const std::string &name, std::int64_t number) { append(name, &number, 1); }
  /// Removes the rows from an index on.
  void cut(const std::string &name, std::size_t n);

  std::size_t n_rows(const std::string &name) const;
  /// Returns the bytes of rows. Throws RunError if the columns do not have them.
  std::string rows(const std::string &name, std::size_t first, std::size_t n) const;
  /// Returns an integer of a column.
  std::int64_t integer(const std::string &name, std::size_t row) const;

  void create_text(const std::string &group, const std::string &name, const std::string &text);
  /// Sets an attribute of integers, which is created if there is none.
  void set_integers(const std::string &group, const std::string &name,
                    const std::vector<std::int64_t> &values);

  /// Returns the names in a group, in alphabetical order.
  std::vector<std::string> names(const std::string &group) const;

  /// Writes all changes and closes the file. Throws WriteError.
  void complete();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace percussion
