#pragma once

#include <percussion/report/pictures.h>

namespace percussion::report {

/// Base64 (RFC 4648) of any bytes.
std::string base64(const std::string &bytes);

/// Writes one page with the pictures and the table of each run's summary.json (where there is one)
/// inside it. It refers to no other file. Throws RunError where a file cannot be read or written,
/// InputError where a summary.json is damaged.
void write_page(const std::vector<History> &runs, const std::vector<Picture> &pictures,
                const std::filesystem::path &file);

} // namespace percussion::report
