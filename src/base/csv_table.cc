#include <percussion/base/csv_table.h>

#include <charconv>

namespace percussion {

CsvTable::CsvTable(const std::string &name,
                   const std::vector<std::pair<std::string, std::string>> &comments,
                   const std::vector<std::string> &columns, std::uint64_t kept)
    : file(name, kept) {
  if (kept > 0)
    return;
  for (const auto &[key, value] : comments)
    row += "# " + key + ": " + value + '\n';
  for (const auto &column : columns)
    row += csv_field(column) + ',';
  end_row();
  flush();
}

void CsvTable::number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17);
  row.append(text, end.ptr);
  row += ',';
}

void CsvTable::number(unsigned int value) {
  row += std::to_string(value);
  row += ',';
}

void CsvTable::end_row() {
  row.back() = '\n';
  file.append(row);
  row.clear();
}

std::string csv_field(const std::string &text) {
  const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (text.find_first_of(",\"\r\n") == std::string::npos && !blank_end)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

} // namespace percussion
