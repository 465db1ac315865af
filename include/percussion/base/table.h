#pragma once

#include <string>
#include <vector>

namespace percussion {

/// A function of one variable by points, e.g. a measured load, linear between them.
struct Table {
  std::string file;
  std::vector<double> places, values; ///< at least two points, by ascending places

  /// The value between the two nearest points. Throws RunError beyond the first and the last,
  /// where nothing is known; round-off is forgiven.
  double operator()(double place) const;
};

/// Read a table "FILE" or "FILE:COLUMN": lines of numbers separated by commas, semicolons or
/// blanks, the places in the first column, the values in the second or in the one that the header
/// calls so. '#' begins a comment; the first line without may be a header.
/// A relative name begins at `folder`. Throws InputError with file and line.
Table read_table(const std::string &name, const std::string &folder);

} // namespace percussion
