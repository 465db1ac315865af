#include "summary_table.h"

#include <percussion/base/error.h>
#include <percussion/report/axis.h>

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <sstream>

namespace percussion::report {
namespace {
using Json = nlohmann::ordered_json;

/// The text of a value, in the run's units.
using Format = std::function<std::string(const Json &value, const Units &units)>;

/// "5.97 × 10⁶ N" instead of "5.97e6 N", and a proper minus.
std::string typeset(const std::string &number) {
  static const std::map<char, std::string> raised = {{'-', "⁻"}, {'0', "⁰"}, {'1', "¹"}, {'2', "²"},
                                                     {'3', "³"}, {'4', "⁴"}, {'5', "⁵"}, {'6', "⁶"},
                                                     {'7', "⁷"}, {'8', "⁸"}, {'9', "⁹"}};
  const std::string value = number.substr(0, number.find(' ')), unit = number.substr(value.size());
  const auto e = value.find('e');
  std::string text = value.substr(0, e);
  if (!text.empty() && text.front() == '-')
    text.replace(0, 1, "−");
  if (e != std::string::npos)
    text += " × 10";
  for (std::size_t i = e; i != std::string::npos && ++i < value.size();)
    text += raised.at(value[i]);
  return text + unit;
}

Format with(std::string Units::*unit) {
  return [unit](const Json &value, const Units &units) {
    return value.is_number() ? typeset(number_with_unit(value.get<double>(), units.*unit, 5))
                             : value.dump();
  };
}

std::string plain(const Json &value, const Units & /*units*/) {
  if (value.is_string())
    return value.get<std::string>();
  return value.is_number_float() ? short_number(value.get<double>(), 5) : value.dump();
}

std::string seconds(const Json &value, const Units & /*units*/) {
  if (!value.is_number())
    return value.dump();
  const double s = value.get<double>();
  return s < 120 ? short_number(s, 3) + " s" : short_number(s / 60, 3) + " min";
}

/// A row of the table: the place in summary.json and what it is called.
struct Entry {
  std::string pointer, name;
  Format format;
  bool may_miss = false; ///< left out where it is zero or empty in every run
};

struct Block {
  std::string title;
  std::vector<Entry> entries;
};

const std::vector<Block> &blocks() {
  static const Format energy = with(&Units::energy), time = with(&Units::time),
                      length = with(&Units::length);
  static const std::vector<Block> all = {
      {"Run",
       {{"/status", "state", plain},
        {"/message", "message", plain, true},
        {"/case", "case", plain},
        {"/scheme", "scheme", plain},
        {"/time/theta", "θ", plain},
        {"/time/step", "step", time},
        {"/time/end", "end", time},
        {"/time/steps", "steps", plain},
        {"/counts/cuts", "cuts of steps", plain, true}}},
      {"Size",
       {{"/size/nodes", "nodes", plain, true},
        {"/size/cells", "cells", plain, true},
        {"/size/rigid_bodies", "rigid bodies", plain, true},
        {"/size/dofs", "degrees of freedom", plain},
        {"/size/candidates", "candidates of contact", plain}}},
      {"Energy and work at the end",
       {{"/end_state/initial_total", "total energy at the start", energy},
        {"/end_state/total", "total energy", energy},
        {"/end_state/kinetic", "kinetic energy", energy},
        {"/end_state/strain", "strain energy", energy, true},
        {"/end_state/work_external", "external work", energy, true},
        {"/end_state/work_contact_normal", "normal contact work", energy, true},
        {"/end_state/work_contact_tangential", "tangential contact work", energy, true},
        {"/end_state/work_viscous", "viscous work", energy, true},
        {"/end_state/work_numerical", "numerical work", energy, true},
        {"/end_state/work_prescribed", "work of prescribed motion", energy, true},
        {"/end_state/balance_drift", "what the balance misses in all", energy}}},
      {"Largest values",
       {{"/extremes/total_energy_max", "total energy", energy},
        {"/extremes/balance_residual_max", "residual of a step's balance", energy},
        {"/extremes/normal_work_max", "normal work of a contact in a step", energy},
        {"/extremes/tangential_work_max", "tangential work of a contact in a step", energy},
        {"/extremes/penetration_max", "penetration", length},
        {"/extremes/contacts_active_max", "active contacts", plain}}},
      {"Effort",
       {{"/counts/solver_iterations", "iterations of the solver", plain},
        {"/wall_seconds/total", "wall time", seconds},
        {"/percussion", "version of Percussion", plain}}}};
  return all;
}

/// The run's summary; null where there is none.
Json read_summary(const History &run) {
  const auto file = run.folder / "summary.json";
  if (!std::filesystem::exists(file))
    return {};
  try {
    return Json::parse(whole_file(file));
  } catch (const Json::exception &error) {
    throw InputError(file.string() + ": this file is damaged (" + error.what() + ")");
  }
}

bool says_nothing(const Json &value) {
  return value.is_null() || value == 0 || (value.is_string() && value.get<std::string>().empty());
}

/// A row of the table, or nothing where no run has the value.
std::string row_of(const Entry &entry, const std::vector<History> &runs,
                   const std::vector<Json> &summaries) {
  std::ostringstream row;
  bool any = false, says_something = false;
  row << "<tr><th scope=\"row\">" << escaped(entry.name) << "</th>";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Json::json_pointer pointer(entry.pointer);
    const bool has = summaries[i].is_object() && summaries[i].contains(pointer);
    const Json value = has ? summaries[i].at(pointer) : Json();
    any = any || has;
    says_something = says_something || !says_nothing(value);
    row << "<td>" << (has ? escaped(entry.format(value, runs[i].units())) : "–") << "</td>";
  }
  row << "</tr>\n";
  return any && (says_something || !entry.may_miss) ? row.str() : "";
}

std::string head_of(const std::vector<History> &runs) {
  if (runs.size() == 1)
    return "";
  std::string head = "<thead><tr><td></td>";
  for (const History &run : runs)
    head += "<th scope=\"col\">" + escaped(run.label) + "</th>";
  return head + "</tr></thead>\n";
}

} // namespace

std::string summary_section(const std::vector<History> &runs) {
  std::vector<Json> summaries;
  std::ostringstream files;
  for (const History &run : runs) {
    summaries.push_back(read_summary(run));
    if (summaries.back().is_object())
      files << (runs.size() > 1 ? "<p>" + escaped(run.label) + "</p>\n" : "") << "<pre>"
            << escaped(summaries.back().dump(2)) << "</pre>\n";
  }
  if (files.str().empty())
    return "<p>There is no summary.json: the run has not come to its end.</p>\n";
  std::ostringstream out;
  out << "<div class=\"wide\"><table>\n" << head_of(runs);
  for (const Block &block : blocks()) {
    std::string rows;
    for (const Entry &entry : block.entries)
      rows += row_of(entry, runs, summaries);
    if (!rows.empty())
      out << "<tbody>\n<tr><th scope=\"rowgroup\" class=\"block\" colspan=\"" << runs.size() + 1
          << "\">" << escaped(block.title) << "</th></tr>\n"
          << rows << "</tbody>\n";
  }
  out << "</table></div>\n<details>\n<summary>All of summary.json</summary>\n"
      << files.str() << "</details>\n";
  return out.str();
}

} // namespace percussion::report
