#pragma once

#include <string>
#include <vector>

namespace percussion {

/// Returns the kinds of cases that write_new_case() writes.
std::vector<std::string> new_case_kinds();

/// Writes a commented case that runs at once, NAME.prm, with the geometries of its bodies. Returns
/// the names of the files, the case first.
/// @param name file of the case, with or without folder and ".prm"
/// @param kind one of new_case_kinds()
/// @param dim 2 or 3
/// @throws InputError if the kind or the name is invalid, or if one of the files
/// exists; no file is written then.
/// @throws WriteError if a file cannot be written; files written before are removed.
std::vector<std::string> write_new_case(const std::string &name, const std::string &kind, int dim);

} // namespace percussion
