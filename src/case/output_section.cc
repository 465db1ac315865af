#include <percussion/base/nearest_name.h>
#include <percussion/input/section_table.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace percussion {

using dealii::Patterns::Anything;
using dealii::Patterns::Bool;
using dealii::Patterns::Integer;

namespace {

/// Returns the words of a text between any of these separators.
std::vector<std::string> words_between(const std::string &text, const char *separators) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    begin = text.find_first_not_of(separators, begin);
    if (begin == std::string::npos)
      break;
    const std::size_t end = text.find_first_of(separators, begin);
    words.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end;
  }
  return words;
}

const std::string dimensionless = "dimensionless";

struct Unit {
  std::string name;
  double size; ///< size in SI units
};

struct UnitsOf {
  const char *quantity;
  std::vector<Unit> list;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Unit &unit : list)
      all.push_back(unit.name);
    return all;
  }
};

/// Returns the known units. scene.py has the same list and derives the units of other quantities.
const std::vector<UnitsOf> &units() {
  static const std::vector<UnitsOf> table = {
      {"mass", {{"kg", 1}, {"g", 1e-3}, {"t", 1e3}, {"mg", 1e-6}}},
      {"length",
       {{"m", 1},
        {"mm", 1e-3},
        {"cm", 1e-2},
        {"um", 1e-6},
        {"µm", 1e-6},
        {"km", 1e3},
        {"in", 0.0254},
        {"ft", 0.3048}}},
      {"time", {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"min", 60}, {"h", 3600}}},
      {"force",
       {{"N", 1}, {"mN", 1e-3}, {"kN", 1e3}, {"MN", 1e6}, {"daN", 10}, {"lbf", 4.4482216152605}}},
      {"stress", {{"Pa", 1}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}}},
      {"energy", {{"J", 1}, {"mJ", 1e-3}, {"uJ", 1e-6}, {"µJ", 1e-6}, {"kJ", 1e3}, {"MJ", 1e6}}}};
  return table;
}

/// Other spellings of units and systems of units.
const std::map<std::string, std::string> &spellings() {
  static const std::map<std::string, std::string> table = {
      {"SI", "kg, m, s"},  {"si", "kg, m, s"},  {"mks", "kg, m, s"},  {"MKS", "kg, m, s"},
      {"cgs", "g, cm, s"}, {"CGS", "g, cm, s"}, {"sec", "s"},         {"second", "s"},
      {"seconds", "s"},    {"metre", "m"},      {"meter", "m"},       {"metres", "m"},
      {"meters", "m"},     {"kilogram", "kg"},  {"kilograms", "kg"},  {"Kg", "kg"},
      {"KG", "kg"},        {"gram", "g"},       {"grams", "g"},       {"tonne", "t"},
      {"tonnes", "t"},     {"ton", "t"},        {"millimetre", "mm"}, {"millimeter", "mm"},
      {"newton", "N"},     {"newtons", "N"},    {"joule", "J"},       {"minutes", "min"},
      {"inch", "in"},      {"hours", "h"},      {"micrometre", "µm"}, {"pascal", "Pa"}};
  return table;
}

/// Returns the sizes of units by their quantities.
std::map<std::string, double> sizes_of(const std::string &words) {
  std::map<std::string, double> sizes;
  for (const std::string &word : words_between(words, ", "))
    for (const UnitsOf &quantity_units : units())
      for (const Unit &unit : quantity_units.list)
        if (unit.name == word)
          sizes[quantity_units.quantity] = unit.size;
  return sizes;
}

/// Returns the reason why units cannot form one system, in which the unit of force is the unit of
/// mass times length divided by time squared, and so on; empty if they can.
std::string contradiction(const std::string &words) {
  const auto sizes = sizes_of(words);
  const auto has = [&](std::initializer_list<const char *> quantities) {
    return std::all_of(quantities.begin(), quantities.end(),
                       [&](const char *quantity) { return sizes.count(quantity) > 0; });
  };
  const auto size = [&](const char *quantity) { return sizes.at(quantity); };
  const auto differ = [](double a, double b) { return std::abs(a - b) > 1e-6 * std::abs(b); };
  const char *const no_system = ": these units are of no consistent system";
  if (has({"mass", "length", "time", "force"}) &&
      differ(size("force"), size("mass") * size("length") / size("time") / size("time")))
    return std::string("the unit of force is not mass x length / time^2") + no_system;
  if (has({"force", "length", "stress"}) &&
      differ(size("stress"), size("force") / size("length") / size("length")))
    return std::string("the unit of stress is not force / length^2") + no_system;
  if (has({"mass", "length", "time", "stress"}) &&
      differ(size("stress"), size("mass") / size("length") / size("time") / size("time")))
    return std::string("the unit of stress is not mass / (length x time^2)") + no_system;
  if (has({"force", "length", "energy"}) && differ(size("energy"), size("force") * size("length")))
    return std::string("the unit of energy is not force x length") + no_system;
  return {};
}

/// Returns the known units by quantity, in words.
std::string known_units() {
  std::string text;
  for (const UnitsOf &quantity_units : units())
    text += (text.empty() ? "" : "; ") + std::string(quantity_units.quantity) + ": " +
            joined(quantity_units.names(), ", ");
  return text;
}

/// Returns Output/Units in the spelling that results and reports use.
std::string read_units(const CaseInput &input) {
  const std::string path = "Output/Units", text = input.get(path);
  if (text == dimensionless)
    return text;
  std::vector<std::string> all_names;
  std::set<std::string> quantities;
  for (const UnitsOf &quantity_units : units())
    for (const Unit &unit : quantity_units.list)
      all_names.push_back(unit.name);
  std::string words;
  for (const std::string &word : words_between(text, ",; \t")) {
    const auto spelling = spellings().find(word);
    words +=
        (words.empty() ? "" : ", ") + (spelling == spellings().end() ? word : spelling->second);
  }
  for (const std::string &word : words_between(words, ", ")) {
    const auto quantity_units =
        std::find_if(units().begin(), units().end(), [&](const UnitsOf &row) {
          return std::any_of(row.list.begin(), row.list.end(),
                             [&](const Unit &unit) { return unit.name == word; });
        });
    if (quantity_units == units().end())
      input.report(path, "'" + word + "' is not a known unit" + did_you_mean(word, all_names) +
                             (did_you_mean(word, all_names).empty() ? "; " : " ") +
                             "known units are SI, dimensionless, and of " + known_units());
    else if (!quantities.insert(quantity_units->quantity).second)
      input.report(path, "two units of " + std::string(quantity_units->quantity));
  }
  if (const std::string reason = contradiction(words); !reason.empty())
    input.report(path, reason);
  return words;
}

/// Reads "none", or "every N" and "on failure", one of them or both; no value for any other text.
std::optional<ProblemSchedule> problem_schedule(const std::string &text) {
  ProblemSchedule schedule;
  if (text == "none")
    return schedule;
  if (text.empty() || text.back() == ',')
    return {};
  for (const std::string &words : dealii::Utilities::split_string_list(text, ',')) {
    const std::string prefix = "every ";
    const bool has_number = words.compare(0, prefix.size(), prefix) == 0;
    const auto interval = to_number<long>(has_number ? words.substr(prefix.size()) : "");
    if (words == "on failure" && !schedule.on_failure)
      schedule.on_failure = true;
    else if (interval && *interval > 0 && *interval <= 1000000000 && schedule.interval == 0)
      schedule.interval = static_cast<unsigned int>(*interval);
    else
      return {};
  }
  return schedule;
}

SectionTable<OutputOptions> output_table() {
  SectionTable<OutputOptions> table("Output");
  table.add("Directory", "", Described("the name of a folder, or nothing"),
            "Folder of the results. A relative name starts at the folder where the program is "
            "started. Default: output/NAME for a case in NAME.prm.",
            &OutputOptions::directory);
  table.add("Number of instants", "100", Integer(0, 999999),
            "Number of instants with VTU files after the start: evenly spaced, including the last "
            "step. 0: VTU files at the start only.",
            &OutputOptions::n_outputs);
  table.add("Instants at events", "false", Bool(),
            "If true, VTU files are also written after each step in which a contact begins or "
            "ends: the first percussion between two bodies, or a body and the surface or region of "
            "a contact, and the first step without a percussion. All elastic bodies count as one "
            "body. Rattling bodies write many files.");
  table.add("Energy interval", "1", Integer(1, 1000000000),
            "Number of steps between rows of energy.csv; the first and the last row are always "
            "written. Per-step columns hold the extremes of all steps since the previous row.",
            &OutputOptions::history_interval);
  table.add("Units", "", Anything(),
            "System of units of this file: SI (kg, m, s), dimensionless, or units of mass, length "
            "and time, e.g. t, mm, s; also units of force and energy if the results should show "
            "different names. Values are not converted. Known units are " +
                known_units() + ".");
  table.add_choice<bool>(
      "Existing directory", {{"move aside", true}, {"refuse", false}},
      "Treatment of a folder that already contains results. move aside: the folder "
      "gets the next free name DIRECTORY.1, DIRECTORY.2, ...; refuse: the run does "
      "not start.",
      &OutputOptions::move_existing_aside);
  table.add("Seconds between checkpoints", "60", NumberBetween({0, true}, {1e9, true}),
            "Wall time between checkpoints [s]. If the run is killed, --resume continues bit for "
            "bit from its last checkpoint. The last two checkpoints are kept until the run is "
            "complete. Ctrl-C, SIGTERM, SIGHUP, SIGXCPU or SIGUSR1 always write a checkpoint "
            "before the run stops. 0: no checkpoints by time.",
            &OutputOptions::checkpoints, &CheckpointSchedule::seconds);
  table.add("Steps between checkpoints", "0", Integer(0, 1000000000),
            "Number of steps between checkpoints. 0: none by steps.", &OutputOptions::checkpoints,
            &CheckpointSchedule::steps);
  table
      .add("Contact problems", "none",
           Described(
               "'none', 'every N' with an integer N > 0, 'on failure', or 'every N, on failure'",
               [](const std::string &text) { return problem_schedule(text).has_value(); }),
           "Contact problems written to the folder problems, as files of the Frictional Contact "
           "Library (FCLib 3, HDF5). every N: the problems of the steps N, 2N, ... with contacts, "
           "as step-000123.hdf5. on failure: the problem of a step that fails at or after the "
           "problem, as failed-000123.hdf5. A file contains the problem as the solver received "
           "it, in its own units, with the initial guess and, if the solver has converged, the "
           "solution; the description in the file explains how to get impulses and velocities [L "
           "T^-1]. For a hyperelastic body it is the problem of the last iteration.")
      .read_by([](const Parameters &parameters, const std::string &path, OutputOptions &options) {
        options.contact_problems = *problem_schedule(parameters.get(path));
      });
  return table;
}

} // namespace

void declare_output(ParameterDeclarations &declarations) { output_table().declare(declarations); }

OutputOptions read_output(const CaseInput &input, const std::string &case_name) {
  OutputOptions options;
  output_table().read(input.parameters, options);
  if (options.directory.empty())
    options.directory = "output/" + case_name;
  options.units = read_units(input);
  return options;
}

/// Reports a folder in which results cannot be written.
void check_output(const CaseInput &input, const OutputOptions &options) {
  if (const std::string problem = output_problem(options); !problem.empty())
    input.report("Output/Directory",
                 (input.is_changed("Output/Directory") ? "" : options.directory + ": ") + problem);
}

std::optional<double> unit_of_speed(const std::string &units) {
  const auto sizes = sizes_of(units);
  const auto length = sizes.find("length"), time = sizes.find("time");
  if (length == sizes.end() || time == sizes.end())
    return {};
  return length->second / time->second;
}

} // namespace percussion
