#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/plain_text.h>
#include <percussion/base/table.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace percussion {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> fields_of(std::string line) {
  const bool has_commas = line.find_first_of(",;") != std::string::npos;
  std::replace(line.begin(), line.end(), ';', ',');
  std::vector<std::string> fields;
  std::istringstream stream(line);
  std::string field;
  if (!has_commas) {
    while (stream >> field)
      fields.push_back(field);
    return fields;
  }
  while (std::getline(stream, field, ',')) {
    const auto begin = field.find_first_not_of(" \t\""), end = field.find_last_not_of(" \t\"");
    fields.push_back(begin == std::string::npos ? "" : field.substr(begin, end - begin + 1));
  }
  return fields;
}

std::optional<double> number_in(const std::string &text) {
  const char *const end = text.data() + text.size();
  double value = 0;
  const auto begin = text.data() + (!text.empty() && text[0] == '+');
  const auto [parsed_end, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || parsed_end != end || !std::isfinite(value))
    return {};
  return value;
}

/// Returns the column of the values, from the header if the column has a name.
std::size_t column_of(const std::string &name, const std::vector<std::string> &header,
                      std::size_t n_columns, const std::string &source_line) {
  if (name.empty() && n_columns == 2)
    return 1;
  const auto found = std::find(header.begin(), header.end(), name);
  if (!name.empty() && found != header.end())
    return static_cast<std::size_t>(found - header.begin());
  const std::string columns = header.empty() ? "the file has no header with names of columns"
                                             : "its columns are '" + joined(header, "', '") + "'";
  if (name.empty())
    throw InputError(source_line + ": it has " + std::to_string(n_columns) +
                     " columns: name the column by \"FILE:COLUMN\"; " + columns);
  throw InputError(source_line + ": there is no column '" + name + "'; " + columns +
                   did_you_mean(name, header));
}

void check_number_of_fields(const std::vector<std::string> &fields, std::size_t n_columns,
                            const std::string &source_line) {
  if (fields.size() != n_columns)
    throw InputError(source_line + ": " + std::to_string(fields.size()) + " values for " +
                     std::to_string(n_columns) + " columns");
}

void check(const std::vector<std::string> &fields, std::size_t n_columns, std::size_t column,
           const std::string &source_line) {
  check_number_of_fields(fields, n_columns, source_line);
  for (const std::size_t k : {std::size_t(0), column})
    if (!number_in(fields[k]))
      throw InputError(source_line + ": '" + fields[k] + "' is not a finite number");
}

std::string text_of(const fs::path &path, const std::string &name) {
  std::error_code error;
  if (!fs::exists(path, error))
    throw InputError("cannot read the table '" + name + "': no such file" +
                     similar_file(path.string()));
  if (!fs::is_regular_file(path, error))
    throw InputError("cannot read the table '" + name + "': it is not a regular file");
  auto text = read_file(path.string());
  if (!text)
    throw InputError("cannot read the table '" + name + "': " + std::strerror(errno));
  try {
    return plain_text(std::move(*text));
  } catch (const InputError &reason) {
    throw InputError("cannot read the table '" + name + "': " + reason.what());
  }
}

} // namespace

double Table::operator()(double x) const {
  const double round_off = 1e-9 * (abscissae.back() - abscissae.front());
  if (!(x >= abscissae.front() - round_off && x <= abscissae.back() + round_off)) {
    std::ostringstream message;
    message << "table \"" << file << "\" has no value at " << x << ": it goes from "
            << abscissae.front() << " to " << abscissae.back();
    throw RunError(message.str());
  }
  const auto next = std::upper_bound(abscissae.begin() + 1, abscissae.end() - 1, x);
  const auto k = static_cast<std::size_t>(next - abscissae.begin());
  const double fraction = (x - abscissae[k - 1]) / (abscissae[k] - abscissae[k - 1]);
  return values[k - 1] + std::clamp(fraction, 0., 1.) * (values[k] - values[k - 1]);
}

const std::string &NamedColumns::word(std::size_t row, const std::string &name) const {
  static const std::string empty;
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? empty : rows[row][static_cast<std::size_t>(found - names.begin())];
}

NamedColumns read_named_columns(const std::string &name, const std::string &folder) {
  const std::string path = (fs::path(folder) / name).lexically_normal().string();
  NamedColumns table{path, {}, {}, {}};
  std::istringstream text(text_of(path, name));
  unsigned int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line = line.substr(0, line.find_first_of("#\r"));
    if (line.find_first_not_of(" \t") == std::string::npos)
      continue;
    auto fields = fields_of(line);
    if (line.back() == ',') // an empty last word
      fields.emplace_back();
    if (!table.names.empty()) {
      check_number_of_fields(fields, table.names.size(), location(path, number));
      table.rows.push_back(std::move(fields));
      table.lines.push_back(number);
      continue;
    }
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (std::find(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(k), fields[k]) !=
          fields.begin() + static_cast<std::ptrdiff_t>(k))
        throw InputError(location(path, number) + ": two columns have the name '" + fields[k] +
                         "'");
    table.names = std::move(fields);
  }
  if (table.rows.empty())
    throw InputError(path + ": it has no rows; a table has a header and one or more rows");
  return table;
}

Table read_table(const std::string &name, const std::string &folder) {
  const auto full_path = [&](const std::string &file) { return fs::path(folder) / file; };
  std::error_code error;
  const std::size_t colon = name.rfind(':');
  const bool has_column = colon != std::string::npos && !fs::exists(full_path(name), error);
  const std::string file = name.substr(0, has_column ? colon : name.size());
  const std::string column_name = has_column ? name.substr(colon + 1) : "";
  const std::string path = full_path(file).lexically_normal().string();
  Table table{name, {}, {}};
  std::istringstream text(text_of(path, file));
  std::vector<std::string> header;
  std::size_t n_columns = 0, column = 0;
  unsigned int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line = line.substr(0, line.find_first_of("#\r"));
    const auto fields = fields_of(line);
    if (line.find_first_not_of(" \t") == std::string::npos)
      continue;
    const std::string source_line = location(path, number);
    if (n_columns == 0 && header.empty() && !number_in(fields[0])) {
      header = fields;
      continue;
    }
    if (n_columns == 0) {
      n_columns = header.empty() ? fields.size() : header.size();
      column = column_of(column_name, header, n_columns, source_line);
    }
    check(fields, n_columns, column, source_line);
    const double x = *number_in(fields[0]);
    if (!table.abscissae.empty() && !(x > table.abscissae.back()))
      throw InputError(source_line + ": " + fields[0] +
                       " follows a number that is no smaller: the first column must ascend");
    table.abscissae.push_back(x);
    table.values.push_back(*number_in(fields[column]));
  }
  if (table.abscissae.size() < 2)
    throw InputError(path + ": it has " + std::to_string(table.abscissae.size()) +
                     " rows of numbers; a table needs at least two");
  return table;
}

} // namespace percussion
