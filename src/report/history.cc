#include <percussion/io/error.h>
#include <percussion/report/history.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace percussion::report {
namespace fs = std::filesystem;

const std::vector<std::string> work_columns = {"work_external",           "work_viscous",
                                               "work_numerical",          "work_contact_normal",
                                               "work_contact_tangential", "work_prescribed"};

namespace {
const std::vector<std::string> other_columns = {"step",
                                                "time",
                                                "kinetic",
                                                "strain",
                                                "total",
                                                "balance_residual",
                                                "tangential_work_max",
                                                "tangential_work_min",
                                                "contacts_active",
                                                "contacts_sliding",
                                                "penetration_max"};

std::string trimmed(const std::string &text) {
  const char *blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split(const std::string &line, const char separator) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(trimmed(part));
  if (!line.empty() && line.back() == separator)
    parts.emplace_back();
  return parts;
}

void read_remark(const std::string &line, std::map<std::string, std::string> &remarks) {
  const auto colon = line.find(':');
  if (colon != std::string::npos)
    remarks[trimmed(line.substr(1, colon - 1))] = trimmed(line.substr(colon + 1));
}

std::string place(const fs::path &file, const std::size_t line) {
  return file.string() + ":" + std::to_string(line) + ": ";
}

std::vector<std::string> read_header(const std::string &line, const std::string &where) {
  const auto names = split(line, ',');
  const std::set<std::string> known(names.begin(), names.end());
  if (known.size() != names.size())
    throw InputError(where + "the header names a column twice: " + line);
  std::string missing;
  for (const auto *list : {&other_columns, &work_columns})
    for (const auto &name : *list)
      if (known.count(name) == 0)
        missing += (missing.empty() ? "" : ", ") + name;
  if (!missing.empty())
    throw InputError(where + "the header has no column " + missing + "; found: " + line);
  return names;
}

double read_number(const std::string &text, const std::string &column, const std::string &where) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw InputError(where + "column " + column + ": '" + text + "' is not a number");
  return value;
}

/// Appends one row; false where the line has been cut short by the end of the file.
bool read_row(const std::string &line, const std::vector<std::string> &names, const bool cut,
              const std::string &where, std::map<std::string, std::vector<double>> &columns) {
  const auto fields = split(line, ',');
  if (cut && fields.size() < names.size())
    return false;
  if (fields.size() != names.size())
    throw InputError(where + "expected " + std::to_string(names.size()) + " values, found " +
                     std::to_string(fields.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    columns[names[i]].push_back(read_number(fields[i], names[i], where));
  return true;
}
} // namespace

std::string History::remark(const std::string &key) const {
  const auto found = remarks.find(key);
  return found == remarks.end() ? std::string() : found->second;
}

History read_history(const fs::path &folder) {
  if (!fs::is_directory(folder))
    throw InputError(folder.string() + ": no such folder");
  const fs::path file = folder / "energy.csv";
  std::ifstream in(file);
  if (!in || fs::is_directory(file))
    throw InputError(file.string() + ": cannot be read; is " + folder.string() +
                     " the output folder of a run?");

  History history;
  history.folder = folder;
  std::vector<std::string> names;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string where = place(file, number);
    const std::string text = trimmed(line);
    if (text.empty())
      continue;
    if (text.front() == '#')
      read_remark(text, history.remarks);
    else if (names.empty())
      names = read_header(text, where);
    else if (!read_row(text, names, in.eof(), where, history.columns))
      break;
  }
  if (names.empty())
    throw InputError(place(file, number) + "the file ends before the header");
  if (history.columns.empty())
    throw InputError(place(file, number) + "the file ends before the first row of values");
  return history;
}

std::vector<History> read_histories(const std::vector<fs::path> &folders) {
  std::vector<History> histories;
  std::set<std::string> labels;
  for (const auto &folder : folders) {
    histories.push_back(read_history(folder));
    const fs::path name = fs::absolute(folder).lexically_normal();
    histories.back().label =
        (name.has_filename() ? name.filename() : name.parent_path().filename()).string();
    labels.insert(histories.back().label);
  }
  if (labels.size() != histories.size())
    for (auto &history : histories)
      history.label = history.folder.string();
  return histories;
}

Units parse_units(const std::string &list) {
  const std::set<std::string> times = {"s", "ms", "us", "µs", "min", "h"};
  const std::set<std::string> lengths = {"m", "mm", "cm", "um", "µm", "km", "in", "ft"};
  const std::set<std::string> forces = {"N", "mN", "kN", "MN", "daN", "lbf"};
  const std::set<std::string> masses = {"kg", "g", "t", "mg"};
  const std::set<std::string> energies = {"J", "mJ", "uJ", "µJ", "kJ", "MJ"};
  std::string words = list;
  for (char &c : words)
    if (c == ',' || c == ';')
      c = ' ';

  Units units;
  std::string force, mass;
  std::istringstream in(words);
  const auto note = [](std::string &unit, const std::set<std::string> &known,
                       const std::string &word) {
    if (unit.empty() && known.count(word) != 0)
      unit = word;
  };
  for (std::string word; in >> word;) {
    note(units.time, times, word);
    note(units.length, lengths, word);
    note(units.energy, energies, word);
    note(force, forces, word);
    note(mass, masses, word);
  }
  // A list of the units of mass, length and time tells the others.
  const std::map<std::array<std::string, 3>, std::string> forces_of = {{{"kg", "m", "s"}, "N"},
                                                                       {{"t", "mm", "s"}, "N"},
                                                                       {{"g", "mm", "ms"}, "N"},
                                                                       {{"kg", "mm", "ms"}, "kN"},
                                                                       {{"t", "m", "s"}, "kN"}};
  const auto found = forces_of.find({mass, units.length, units.time});
  if (force.empty() && found != forces_of.end())
    force = found->second;
  units.force = force;
  if (units.energy.empty() && units.length == "m" && (force == "N" || force == "kN"))
    units.energy = force == "N" ? "J" : "kJ";
  if (units.energy.empty() && !force.empty() && !units.length.empty())
    units.energy = force + " " + units.length;
  if (!units.length.empty() && !units.time.empty())
    units.velocity = units.length + "/" + units.time;
  if (!force.empty() && !units.time.empty())
    units.percussion = force + " " + units.time;
  if (force == "N" && units.length == "mm")
    units.stress = "MPa";
  else if (force == "N" && units.length == "m")
    units.stress = "Pa";
  else if (!force.empty() && !units.length.empty())
    units.stress = force + "/" + units.length + "²";
  return units;
}

std::string with_unit(const std::string &quantity, const std::string &unit) {
  return unit.empty() ? quantity : quantity + " (" + unit + ")";
}

} // namespace percussion::report
