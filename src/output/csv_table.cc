#include <percussion/io/error.h>
#include <percussion/output/csv_table.h>

#include <charconv>

namespace percussion {

CsvTable::CsvTable(const std::string &name,
                   const std::vector<std::pair<std::string, std::string>> &comments,
                   const std::vector<std::string> &columns)
    : file(name), stream(name) {
  for (const auto &[key, value] : comments)
    stream << "# " << key << ": " << value << '\n';
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
  stream << row;
  row.clear();
}

void CsvTable::flush() {
  if (!stream.flush())
    throw RunError(file + ": cannot be written (disk full, or no permission?)");
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
