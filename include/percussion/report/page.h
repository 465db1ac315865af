#pragma once

#include <percussion/report/history.h>
#include <percussion/report/picture.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace percussion::report {

/// Rows of "path in the document" and value.
using Rows = std::vector<std::pair<std::string, std::string>>;

/// Base64 (RFC 4648) of any bytes.
std::string base64(const std::string &bytes);

/// Every leaf of a JSON text: {"a": {"b": 1}} gives "a.b" → "1". A list of plain values is one row.
/// Throws InputError, which names `file`, where the text is not JSON.
Rows flatten_json(const std::string &text, const std::filesystem::path &file);

/// Writes one page with the pictures inside it and the table of each run's summary.json (where
/// the run has one). It refers to no other file. Throws RunError, InputError.
void write_page(const std::vector<History> &runs, const std::vector<Picture> &pictures,
                const std::filesystem::path &file);

} // namespace percussion::report
