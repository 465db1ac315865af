#pragma once

#include <percussion/report/history.h>

namespace percussion::report {

/// The main entries of summary.json, in the units of the runs, as an HTML table with a column a
/// run; below it, folded, the files. Throws InputError where a summary.json is not JSON.
std::string summary_section(const std::vector<History> &runs);

/// Text that HTML shows as it is.
std::string escaped(const std::string &text);

/// The bytes of a file. Throws RunError.
std::string whole_file(const std::filesystem::path &file);

} // namespace percussion::report
