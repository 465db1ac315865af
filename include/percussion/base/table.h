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

/// Table of words in a file, with a header that names its columns.
struct NamedColumns {
  std::string file;
  std::vector<std::string> names;             ///< names of the columns, all different
  std::vector<std::vector<std::string>> rows; ///< one word for each column; it may be empty
  std::vector<unsigned int> lines;            ///< line of each row in the file

  /// Returns the word of a row; empty if there is no such column.
  const std::string &word(std::size_t row, const std::string &name) const;
};

/// Reads a table with a header: lines of words separated by commas, semicolons or blanks; '#'
/// begins a comment. Relative names are relative to `folder`. Throws InputError with file and line.
NamedColumns read_named_columns(const std::string &name, const std::string &folder);

} // namespace percussion
