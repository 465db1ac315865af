#pragma once

#include <percussion/base/error.h>

#include <optional>
#include <string>

namespace percussion {

/// A file cannot be written. Nothing is wrong with the case: it can go on once there is room.
class WriteError : public RunError {
public:
  using RunError::RunError;
};

/// Throws "FILE: cannot be written (No space left on device)", with the reason in errno.
[[noreturn]] void throw_write_error(const std::string &file);

/// The whole content of a file; nothing, with the reason in errno, if it cannot be read.
std::optional<std::string> read_file(const std::string &file);

/// Replace a file as a whole: the content is written to temporary_name(file), which is then
/// renamed. A program killed at any time leaves the old file or the new one. Throws WriteError, and
/// keeps the old file, if that fails.
void write_file(const std::string &file, const std::string &content);

/// FILE.tmp
std::string temporary_name(const std::string &file);

/// Wait until everything on the file system of this folder is on the disk. Throws WriteError.
void sync_folder(const std::string &folder);

/// Append to `bytes` what a descriptor gives up to its end; false, with the reason in errno, on
/// failure.
bool read_all(int descriptor, std::string &bytes);

/// Write all bytes to a descriptor; false, with the reason in errno, on failure.
bool write_all(int descriptor, const std::string &bytes);

} // namespace percussion
