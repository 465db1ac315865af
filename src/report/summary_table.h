#pragma once

#include <percussion/report/history.h>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace percussion::report {

/// What is worth knowing of summary.json, in the units of the runs, as an HTML table with a column
/// a run; below it, folded, everything. Throws InputError where a summary.json is not JSON.
std::string summary_section(const std::vector<History> &runs);

/// Throws InputError, which names `file`, where the text is not JSON.
nlohmann::ordered_json parsed_json(const std::string &text, const std::filesystem::path &file);

/// Text that HTML shows as it is.
std::string escaped(const std::string &text);

/// The bytes of a file. Throws RunError.
std::string whole_file(const std::filesystem::path &file);

} // namespace percussion::report
