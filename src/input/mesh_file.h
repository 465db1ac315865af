#pragma once

#include <functional>
#include <optional>
#include <string>

namespace percussion {

/// Returns the major version of the format of a `.msh` file, after checks: Gmsh would run any other
/// file as a script, and crashes on some truncated files. Throws InputError.
int checked_version(const std::string &file);

/// Calls visit(dimension, name) for the names of physical groups in a `.msh` file. Does nothing if
/// the file is no mesh.
void for_each_group(const std::string &file,
                    const std::function<void(int, const std::string &)> &visit);

/// Returns the text of a `.msh` file without its byte order mark and without the carriage returns
/// of Windows, which Gmsh does not read; std::nullopt if it has neither, or is binary.
std::optional<std::string> converted_mesh(const std::string &file);

[[noreturn]] void throw_same_name(const std::string &name);

} // namespace percussion
