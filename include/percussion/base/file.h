#pragma once

#include <percussion/base/error.h>

#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace percussion {

/// Failure to write a file. The case is not at fault: the run can continue once the disk has room.
class WriteError : public RunError {
public:
  using RunError::RunError;
};

/// Throws "FILE: cannot be written (No space left on device)", with the reason in errno.
[[noreturn]] void throw_write_error(const std::string &file);

/// Returns the whole content of a regular file, or std::nullopt, with the reason in errno, if it
/// cannot be read. A device or a pipe is not opened: it may never end.
std::optional<std::string> read_file(const std::string &file);

/// Replaces a whole file: writes the content to temporary_name(file), then renames this file. A
/// program killed at any time leaves the old file or the new one. Throws WriteError on failure and
/// keeps the old file.
void write_file(const std::string &file, const std::string &content);
/// Likewise with the content that `write` passes to the stream.
void write_file(const std::string &file, const std::function<void(std::ostream &)> &write);

/// Returns "FILE.tmp".
std::string temporary_name(const std::string &file);

/// Waits until the disk holds everything written to the file system of this folder. Throws
/// WriteError.
void sync_folder(const std::string &folder);

/// Appends to `bytes` all data of a descriptor up to its end. Returns false on failure, with the
/// reason in errno.
bool read_all(int descriptor, std::string &bytes);

/// Writes all bytes to a descriptor. Returns false on failure, with the reason in errno.
bool write_all(int descriptor, const std::string &bytes);

} // namespace percussion
