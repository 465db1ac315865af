#include <percussion/base/error.h>
#include <percussion/report/table.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

namespace percussion::report {
namespace {
std::string trimmed(const std::string &text) {
  const char *blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The fields of a line. Between quotes a comma is a letter and a doubled quote one quote.
std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> fields(1);
  bool quoted = false, was_quoted = false;
  const auto finish = [&] {
    if (!was_quoted)
      fields.back() = trimmed(fields.back());
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_quote = line[i] == '"';
    if (quoted && is_quote && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (is_quote) {
      quoted = !quoted;
      was_quoted = true;
    } else if (line[i] == ',' && !quoted) {
      finish();
      fields.emplace_back();
      was_quoted = false;
    } else
      fields.back() += line[i];
  }
  finish();
  return fields;
}

void read_remark(const std::string &line, std::map<std::string, std::string> &remarks) {
  const auto colon = line.find(':');
  if (colon != std::string::npos)
    remarks[trimmed(line.substr(1, colon - 1))] = trimmed(line.substr(colon + 1));
}

std::string place(const std::filesystem::path &file, const std::size_t line) {
  return file.string() + ":" + std::to_string(line) + ": ";
}

std::vector<std::string> read_header(const std::string &line,
                                     const std::vector<std::string> &needed,
                                     const std::string &where) {
  const auto names = split(line);
  const std::set<std::string> known(names.begin(), names.end());
  if (known.size() != names.size())
    throw InputError(where + "the header names a column twice: " + printable(line));
  std::string missing;
  for (const auto &name : needed)
    if (known.count(name) == 0)
      missing += (missing.empty() ? "" : ", ") + name;
  if (!missing.empty())
    throw InputError(where + "the header has no column " + missing + "; found: " + printable(line));
  return names;
}

double read_number(const std::string &text, const std::string &column, const std::string &where) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  if (!is_number || !std::isfinite(value))
    throw InputError(where + "column " + printable(column) + ": '" + printable(text) +
                     "' is not a " + (is_number ? "finite number" : "number"));
  return value;
}

/// Appends one row; false where the line has been cut short by the end of the file.
bool read_row(const std::string &line, const bool cut, const std::string &where, Table &table) {
  const auto fields = split(line);
  const std::size_t n = table.names.size();
  if (cut && fields.size() < n)
    return false;
  if (fields.size() != n)
    throw InputError(where + "expected " + std::to_string(n) + " values, found " +
                     std::to_string(fields.size()));
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(read_number(fields[i], table.names[i], where));
  for (std::size_t i = 0; i < n; ++i)
    table.columns[table.names[i]].push_back(values[i]);
  return true;
}
} // namespace

Table read_table(const std::filesystem::path &file, const std::vector<std::string> &needed) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw InputError(file.string() + ": cannot be read");
  Table table;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string where = place(file, number);
    const std::string text = trimmed(line);
    if (text.empty())
      continue;
    if (text.front() == '#')
      read_remark(text, table.remarks);
    else if (table.names.empty())
      table.names = read_header(text, needed, where);
    else if (!read_row(text, in.eof(), where, table))
      break;
  }
  if (table.names.empty())
    throw InputError(place(file, number) + "the file ends before the header");
  if (table.columns.empty())
    throw InputError(place(file, number) + "the file ends before the first row of values");
  return table;
}

} // namespace percussion::report
