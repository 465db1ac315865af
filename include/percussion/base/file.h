#pragma once

#include <optional>
#include <string>

namespace percussion {

/// All that a file holds; nothing, with the reason in errno, where not all of it can be read.
std::optional<std::string> read_file(const std::string &file);

/// Read up to the end, behind what `bytes` hold already. False, with the reason in errno, where
/// that fails before.
bool read_all(int descriptor, std::string &bytes);

/// Hand all bytes to the operating system. False, with the reason in errno, where it takes a part
/// of them at most.
bool write_all(int descriptor, const std::string &bytes);

} // namespace percussion
