#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/comparison.h>
#include <percussion/fc/find_problems.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace percussion::fc {
namespace {
namespace fs = std::filesystem;

const std::array<std::string, 4> column_names = {"problem", "solver", "time", "solved"};
using Columns = std::array<std::size_t, 4>; ///< positions of these columns

/// Returns the fields of a line, which may be quoted, without surrounding blanks.
std::vector<std::string> fields_of(const std::string &line) {
  const char *blanks = " \t\r";
  std::vector<std::string> fields;
  std::istringstream stream(line + ','); // so that an empty last field counts
  for (std::string field, remainder; stream.peek() != std::char_traits<char>::eof();) {
    stream >> std::ws;
    field.clear();
    if (stream.peek() == '"') {
      stream.get();
      for (char c = 0; stream.get(c) && (c != '"' || stream.peek() == '"'); field += c)
        if (c == '"') // a doubled quote stands for itself
          stream.get();
      std::getline(stream, remainder, ',');
    } else {
      std::getline(stream, field, ',');
      field.erase(field.find_last_not_of(blanks) + 1);
    }
    fields.push_back(field);
  }
  return fields;
}

Columns find_columns(const std::vector<std::string> &header, const std::string &context) {
  Columns columns{};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto found = std::find(header.begin(), header.end(), column_names[k]);
    if (found == header.end())
      throw InputError(context + "there is no column '" + column_names[k] + "'" +
                       did_you_mean(column_names[k], header) +
                       "; needed are problem, solver, time and solved");
    columns[k] = found - header.begin();
  }
  return columns;
}

bool read_solved(std::string text, const std::string &context) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](const unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text == "1" || text == "true" || text == "yes")
    return true;
  if (text != "0" && text != "false" && text != "no")
    throw InputError(context + "'solved' is '" + text +
                     "': allowed are 1 and 0, true and false, yes and no");
  return false;
}

double read_time(const std::string &text, const std::string &context) {
  char *end = nullptr;
  const double time = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(time > 0.) || !std::isfinite(time))
    throw InputError(context + "'time' is '" + text +
                     "': allowed is a number > 0 if the problem is solved");
  return time;
}

TimeRow read_row(const std::vector<std::string> &fields, const Columns &columns,
                 const std::string &context) {
  const auto field = [&](std::size_t k) { return fields[columns[k]]; };
  const fs::path file = field(0);
  const TimeRow row{is_problem(file) ? problem_name(file.filename()) : file.string(), field(1),
                    read_solved(field(3), context) ? read_time(field(2), context)
                                                   : std::numeric_limits<double>::infinity()};
  if (row.problem.empty() || row.solver.empty())
    throw InputError(context + "problem and solver need names");
  return row;
}

} // namespace

std::vector<TimeRow> read_times(const fs::path &file) {
  std::ifstream stream;
  if (fs::is_regular_file(file)) // a device may never end
    stream.open(file);
  if (!stream.is_open())
    throw InputError(file.string() + ": cannot be read");
  std::vector<TimeRow> rows;
  Columns columns{};
  std::size_t width = 0;
  unsigned int number = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::string context = location(file.string(), ++number) + ": ";
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '#')
      continue;
    const auto fields = fields_of(line);
    if (width == 0) {
      columns = find_columns(fields, context);
      width = fields.size();
    } else if (fields.size() != width) {
      throw InputError(context + "there are " + std::to_string(fields.size()) +
                       " values, but the header names " + std::to_string(width));
    } else {
      rows.push_back(read_row(fields, columns, context));
    }
  }
  if (rows.empty())
    throw InputError(file.string() + ": there are no rows; needed are a header with problem, "
                                     "solver, time and solved, and one row per measurement");
  return rows;
}

} // namespace percussion::fc
