#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace percussion::report {

/// A table of numbers as a run writes it.
struct Table {
  std::map<std::string, std::string> remarks;         ///< `# key: value` lines before the header
  std::vector<std::string> names;                     ///< of the columns, in their order
  std::map<std::string, std::vector<double>> columns; ///< by these names, equally long
};

/**
 * Reads a file of comma-separated values.
 *
 * The first row that is not a comment names the columns; `needed` must be among them, others are
 * kept too. A last line that was cut short (a run that is still going on) is left out. Throws
 * InputError that names the file, the line and what is wrong; values that are not finite are.
 */
Table read_table(const std::filesystem::path &file, const std::vector<std::string> &needed);

} // namespace percussion::report
