#pragma once

#include <string>
#include <vector>

namespace percussion {

/// Piecewise linear function of one variable, given by points, e.g. a measured load.
struct Table {
  std::string file;
  std::vector<double> abscissae, values; ///< two or more points, with ascending places

  /// Returns the value interpolated between the two nearest points. Throws RunError outside the
  /// range of the points, except for round-off.
  double operator()(double x) const;
};

/// Reads a table "FILE" or "FILE:COLUMN": lines of numbers separated by commas, semicolons or
/// blanks; the first column contains the places, the second column, or the column of that name in
/// the header, the values. '#' begins a comment; the first line that is not a comment may be a
/// header. Relative names are relative to `folder`. Throws InputError with file and line.
Table read_table(const std::string &name, const std::string &folder);

} // namespace percussion
