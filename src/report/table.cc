#include <percussion/base/error.h>
#include <percussion/report/history.h>

#include <algorithm>
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

/// The fields of a line. Between quotes commas and blanks count, and a doubled quote is one quote.
std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0, end = 0; begin <= line.size(); begin = end + 1) {
    bool quoted = false;
    for (end = begin; end < line.size() && (quoted || line[end] != ','); ++end)
      quoted ^= line[end] == '"';
    std::string field = trimmed(line.substr(begin, end - begin));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
      for (std::size_t i = 0; (i = field.find("\"\"", i)) != std::string::npos; ++i)
        field.erase(i, 1);
    }
    fields.push_back(field);
  }
  return fields;
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

void read_row(const std::vector<std::string> &fields, const std::string &where, Table &table) {
  const std::size_t n = table.names.size();
  if (fields.size() != n)
    throw InputError(where + "expected " + std::to_string(n) + " values, found " +
                     std::to_string(fields.size()));
  for (std::size_t i = 0; i < n; ++i)
    table.columns[table.names[i]].push_back(read_number(fields[i], table.names[i], where));
}
} // namespace

Table read_table(const std::filesystem::path &file, const std::vector<std::string> &needed) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw InputError(file.string() + ": cannot be read");
  Table table;
  std::string where = file.string() + ": ";
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    where = location(file.string(), ++number) + ": ";
    const std::string text = trimmed(line);
    if (text.empty())
      continue;
    const auto colon = text.find(':');
    if (text.front() == '#') {
      if (colon != std::string::npos)
        table.remarks[trimmed(text.substr(1, colon - 1))] = trimmed(text.substr(colon + 1));
      continue;
    }
    const auto fields = split(text);
    if (table.names.empty())
      table.names = read_header(text, needed, where);
    else if (!in.eof() || fields.size() >= table.names.size())
      read_row(fields, where, table);
  }
  if (table.columns.empty())
    throw InputError(where + (table.names.empty()
                                  ? "the file ends before the header"
                                  : "the file ends before the first row of values"));
  return table;
}

} // namespace percussion::report
