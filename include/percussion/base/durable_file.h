#pragma once

#include <percussion/base/error.h>

#include <string>

namespace percussion {

/// A file cannot be written: nothing is wrong with the case, and it may go on where it can.
class WriteError : public RunError {
public:
  using RunError::RunError;
};

/// Give a file this content as a whole: it is written under a temporary name beside it, synced to
/// the disk, and renamed. Whenever the program or the machine stops, the file is the old one or the
/// new one. Throws WriteError, naming the file and the reason, where that is not possible; the old
/// file stays then.
void write_durably(const std::string &file, const std::string &content);

/// The name that a file has while it is being written.
std::string temporary_name(const std::string &file);

/// Sync the entries of a folder: renamed files keep their names from then on.
void sync_folder(const std::string &folder);

/// "FILE: cannot be written (No space left on device)", with the reason that errno holds.
[[noreturn]] void throw_write_error(const std::string &file);

} // namespace percussion
