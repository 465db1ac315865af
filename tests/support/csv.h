#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace percussion::test {

/// Returns a number, which may be too small for normal numbers; std::stod refuses those.
inline double number_of(const std::string &text) {
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str())
    throw std::runtime_error("no number: " + text);
  return number;
}

/// Returns the columns of a CSV file by name; lines that begin with '#' are skipped, empty cells
/// are 0.
inline std::map<std::string, std::vector<double>> read_csv(const std::string &file) {
  std::ifstream stream(file);
  if (!stream)
    throw std::runtime_error("cannot read " + file);
  std::string line, cell;
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream cells(line);
    if (names.empty()) {
      while (std::getline(cells, cell, ','))
        names.push_back(cell);
      continue;
    }
    for (const auto &name : names) {
      cell.clear();
      std::getline(cells, cell, ',');
      columns[name].push_back(cell.empty() ? 0. : number_of(cell));
    }
  }
  return columns;
}

} // namespace percussion::test
