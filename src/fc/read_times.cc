#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/comparison.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace percussion::fc {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t n_columns = 4;
const std::array<std::string, n_columns> column_names = {"problem", "solver", "time", "solved"};

std::string trimmed(const std::string &text) {
  const char *blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The fields of a line (RFC 4180, but a field ends with its line).
std::vector<std::string> fields_of(const std::string &line) {
  std::vector<std::string> fields(1);
  bool quoted = false, was_quoted = false;
  const auto finish = [&] {
    if (!was_quoted)
      fields.back() = trimmed(fields.back());
    was_quoted = false;
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += line[k++];
    } else if (line[k] == '"') {
      quoted = !quoted;
      was_quoted = true;
    } else if (line[k] == ',' && !quoted) {
      finish();
      fields.emplace_back();
    } else if (line[k] != '\r') {
      fields.back() += line[k];
    }
  }
  finish();
  return fields;
}

using Places = std::array<std::size_t, n_columns>;

Places read_header(const std::vector<std::string> &header, const std::string &where) {
  Places places{};
  for (std::size_t k = 0; k < n_columns; ++k) {
    const auto found = std::find(header.begin(), header.end(), column_names[k]);
    if (found == header.end())
      throw InputError(where + "there is no column '" + column_names[k] + "'" +
                       did_you_mean(column_names[k], header) +
                       "; needed are problem, solver, time and solved");
    places[k] = found - header.begin();
  }
  return places;
}

bool read_solved(std::string text, const std::string &where) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](const unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text == "1" || text == "true" || text == "yes")
    return true;
  if (text == "0" || text == "false" || text == "no")
    return false;
  throw InputError(where + "'solved' is '" + text +
                   "': allowed are 1 and 0, true and false, yes and no");
}

double read_time(const std::string &text, const std::string &where) {
  char *end = nullptr;
  const double time = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(time > 0.) || !std::isfinite(time))
    throw InputError(where + "'time' is '" + text +
                     "': allowed is a number > 0 where a problem is solved");
  return time;
}

TimeRow read_row(const std::vector<std::string> &fields, const Places &places,
                 const std::string &where) {
  TimeRow row;
  const fs::path problem = fields[places[0]];
  row.problem = problem.extension() == ".hdf5" ? problem.stem().string() : problem.string();
  row.solver = fields[places[1]];
  if (row.problem.empty() || row.solver.empty())
    throw InputError(where + "problem and solver need names");
  row.time = read_solved(fields[places[3]], where) ? read_time(fields[places[2]], where)
                                                   : std::numeric_limits<double>::infinity();
  return row;
}

} // namespace

std::vector<TimeRow> read_times(const fs::path &file) {
  std::ifstream in(file);
  if (!in || fs::is_directory(file))
    throw InputError(file.string() + ": cannot be read");
  std::vector<TimeRow> rows;
  Places places{};
  std::size_t width = 0;
  unsigned int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string where = location(file.string(), number) + ": ";
    if (trimmed(line).empty() || line.front() == '#')
      continue;
    const auto fields = fields_of(line);
    if (width == 0) {
      places = read_header(fields, where);
      width = fields.size();
    } else if (fields.size() != width) {
      throw InputError(where + "there are " + std::to_string(fields.size()) +
                       " values, but the header names " + std::to_string(width));
    } else {
      rows.push_back(read_row(fields, places, where));
    }
  }
  if (rows.empty())
    throw InputError(file.string() + ": there are no rows; needed are a header with problem, "
                                     "solver, time and solved, and a row a measurement");
  return rows;
}

} // namespace percussion::fc
