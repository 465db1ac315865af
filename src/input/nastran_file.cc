#include "nastran_file.h"

#include <percussion/base/error.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace percussion {
namespace {

/// True if a line begins an element that Gmsh reads.
bool is_element(const std::string &line) {
  constexpr std::array<const char *, 9> words = {
      {"CBAR", "CBEAM", "CROD", "CTRIA", "CQUAD", "CTETRA", "CHEXA", "CPENTA", "CPYRAM"}};
  return std::any_of(words.begin(), words.end(),
                     [&](const char *word) { return line.rfind(word, 0) == 0; });
}

/// Returns the third field of a line: between commas, or of eight columns, with an asterisk behind
/// the keyword of sixteen.
std::string third_field(const std::string &line) {
  if (const std::size_t first = line.find(','); first != std::string::npos) {
    const std::size_t second = std::min(line.find(',', first + 1), line.size() - 1);
    return line.substr(second + 1, line.find(',', second + 1) - second - 1);
  }
  const std::size_t width = line.substr(0, 8).find('*') == std::string::npos ? 8 : 16;
  return line.size() > 8 + width ? line.substr(8 + width, width) : "";
}

} // namespace

void expect_properties(const std::string &text) {
  std::istringstream lines(text);
  unsigned int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (is_element(line) && third_field(line).find_first_not_of(" \r\t") == std::string::npos)
      throw InputError("line " + std::to_string(number) +
                       ": the element has no number of a property (third field), without which "
                       "Gmsh takes its nodes for others; write the file with properties, or in "
                       "another format (meshio convert mesh.bdf mesh.vtu)");
  }
}

} // namespace percussion
