#include <percussion/base/nearest_name.h>
#include <percussion/input/section_table.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace percussion {

using dealii::Patterns::Anything;
using dealii::Patterns::Bool;
using dealii::Patterns::Integer;

namespace {

/// Returns the words of a text, which commas, semicolons and blanks separate.
std::vector<std::string> words_of(std::string text) {
  for (const char separator : {',', ';', '\t'})
    std::replace(text.begin(), text.end(), separator, ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

struct Unit {
  std::string quantity, name;
  double size; ///< size in SI units
};

/// Returns the known units, quantity by quantity. scene.py has the same list and derives the units
/// of other quantities.
const std::vector<Unit> &units() {
  static const std::vector<Unit> table = {
      {"mass", "kg", 1},      {"mass", "g", 1e-3},      {"mass", "t", 1e3},
      {"mass", "mg", 1e-6},   {"length", "m", 1},       {"length", "mm", 1e-3},
      {"length", "cm", 1e-2}, {"length", "um", 1e-6},   {"length", "µm", 1e-6},
      {"length", "km", 1e3},  {"length", "in", 0.0254}, {"length", "ft", 0.3048},
      {"time", "s", 1},       {"time", "ms", 1e-3},     {"time", "us", 1e-6},
      {"time", "µs", 1e-6},   {"time", "min", 60},      {"time", "h", 3600},
      {"force", "N", 1},      {"force", "mN", 1e-3},    {"force", "kN", 1e3},
      {"force", "MN", 1e6},   {"force", "daN", 10},     {"force", "lbf", 4.4482216152605},
      {"stress", "Pa", 1},    {"stress", "kPa", 1e3},   {"stress", "MPa", 1e6},
      {"stress", "GPa", 1e9}, {"energy", "J", 1},       {"energy", "mJ", 1e-3},
      {"energy", "uJ", 1e-6}, {"energy", "µJ", 1e-6},   {"energy", "kJ", 1e3},
      {"energy", "MJ", 1e6}};
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
  for (const std::string &word : words_of(words))
    if (const Unit *const unit = find_row(units(), word))
      sizes[unit->quantity] = unit->size;
  return sizes;
}

/// Returns the reason why units cannot form one system, in which the unit of force is the unit of
/// mass times length divided by time squared, and so on; empty if they can.
std::string contradiction(const std::string &words) {
  struct Relation {
    std::string quantity, formula;
    std::vector<std::string> factors, divisors;
  };
  static const std::vector<Relation> relations = {
      {"force", "mass x length / time^2", {"mass", "length"}, {"time", "time"}},
      {"stress", "force / length^2", {"force"}, {"length", "length"}},
      {"stress", "mass / (length x time^2)", {"mass"}, {"length", "time", "time"}},
      {"energy", "force x length", {"force", "length"}, {}}};
  const auto sizes = sizes_of(words);
  for (const auto &[quantity, formula, factors, divisors] : relations) {
    const auto is_given = [&](const std::string &name) { return sizes.count(name) > 0; };
    if (!is_given(quantity) || !std::all_of(factors.begin(), factors.end(), is_given) ||
        !std::all_of(divisors.begin(), divisors.end(), is_given))
      continue;
    double expected = 1;
    for (const std::string &factor : factors)
      expected *= sizes.at(factor);
    for (const std::string &divisor : divisors)
      expected /= sizes.at(divisor);
    if (std::abs(sizes.at(quantity) - expected) > 1e-6 * std::abs(expected))
      return "the unit of " + quantity + " is not " + formula +
             ": these units are of no consistent system";
  }
  return {};
}

/// Returns the known units by quantity, in words.
std::string known_units() {
  std::string text, quantity;
  for (const Unit &unit : units()) {
    text += unit.quantity == quantity ? ", " : (text.empty() ? "" : "; ") + unit.quantity + ": ";
    text += unit.name;
    quantity = unit.quantity;
  }
  return text;
}

/// Returns Output/Units in the spelling that results and reports use.
std::string read_units(const CaseInput &input) {
  const std::string path = "Output/Units", text = input.get(path);
  if (text == "dimensionless")
    return text;
  std::vector<std::string> words, all_names;
  for (const std::string &word : words_of(text)) {
    const auto spelling = spellings().find(word);
    words.push_back(spelling == spellings().end() ? word : spelling->second);
  }
  for (const Unit &unit : units())
    all_names.push_back(unit.name);
  std::set<std::string> quantities;
  for (const std::string &word : words_of(joined(words, ", "))) {
    const Unit *const unit = find_row(units(), word);
    const std::string hint = did_you_mean(word, all_names);
    if (unit == nullptr)
      input.report(path, "'" + word + "' is not a known unit" + hint + (hint.empty() ? "; " : " ") +
                             "known units are SI, dimensionless, and of " + known_units());
    else if (!quantities.insert(unit->quantity).second)
      input.report(path, "two units of " + unit->quantity);
  }
  if (const std::string reason = contradiction(joined(words, ", ")); !reason.empty())
    input.report(path, reason);
  return joined(words, ", ");
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

/// Adds format, content and precision of the files with fields.
void add_field_entries(SectionTable<OutputOptions> &table) {
  table.add_choice<FieldFormat>(
      "Format", {{"VTU", FieldFormat::vtu}, {"VTKHDF", FieldFormat::vtkhdf}},
      "Format of the files with bodies and contacts. VTU: a file for each instant, listed in "
      "solution.pvd and contacts.pvd; several processes each write their cells. VTKHDF: all "
      "instants in solution.vtkhdf, with the mesh once, and contacts.vtkhdf; one process writes. "
      "ParaView reads all instants of these files from version 5.12 on.",
      &OutputOptions::fields, &FieldOptions::format);
  table
      .add("Fields", "all", Described("all, or names of fields separated by commas"),
           "Fields of the bodies in solution.pvd or solution.vtkhdf, e.g. displacement, von_mises. "
           "Numbers of bodies, and all fields of contacts, are always written. percussion-report "
           "and the macro for ParaView need displacement and von_mises.")
      .read_by([](const Parameters &parameters, const std::string &path, OutputOptions &options) {
        if (parameters.get(path) != "all")
          options.fields.names = dealii::Utilities::split_string_list(parameters.get(path), ',');
      });
  table.add_choice<bool>(
      "Precision", {{"double", false}, {"single", true}},
      "Precision of the fields of the bodies. single: numbers of 7 digits, in files of about half "
      "the size. Undeformed positions, contacts and tables have 16 digits.",
      &OutputOptions::fields, &FieldOptions::is_single);
}

SectionTable<OutputOptions> output_table() {
  SectionTable<OutputOptions> table("Output");
  table.add("Directory", "", Described("the name of a folder, or nothing"),
            "Folder of the results. A relative name starts at the folder where the program is "
            "started. Default: output/NAME for a case in NAME.prm.",
            &OutputOptions::directory);
  table.add(
      "Number of instants", "100", Integer(0, 999999),
      "Number of evenly spaced instants with fields after the start, including the last step. 0: "
      "at the start only.",
      &OutputOptions::n_outputs);
  table.add("Instants at events", "false", Bool(),
            "If true, fields are also written after each step in which a contact between two "
            "bodies, or a body and a surface or region, begins or ends: the first step with a "
            "percussion, and the first without. All elastic bodies count as one body.");
  add_field_entries(table);
  table.add("Energy interval", "1", Integer(1, 1000000000),
            "Number of steps between rows of energy.csv; the first and the last row are always "
            "written. Per-step columns hold the extremes of all steps since the previous row.",
            &OutputOptions::history_interval);
  table.add("Units", "", Anything(),
            "Units of this file: SI (kg, m, s), dimensionless, or units of mass, length and time, "
            "e.g. t, mm, s, and of force and energy if results should name others. Values are not "
            "converted. Known units are " +
                known_units() + ".");
  table.add_choice<bool>("Existing directory", {{"move aside", true}, {"refuse", false}},
                         "Treatment of a folder with results. move aside: it gets the next free "
                         "name DIRECTORY.1, DIRECTORY.2, ...; refuse: the run does not start.",
                         &OutputOptions::move_existing_aside);
  table.add("Seconds between checkpoints", "60", NumberBetween({0, true}, {1e9, true}),
            "Wall time between checkpoints [s], from which --resume continues bit for bit. Ctrl-C, "
            "SIGTERM, SIGHUP, SIGXCPU or SIGUSR1 always write a checkpoint before the run stops. "
            "0: no checkpoints by time.",
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
           "problem, as failed-000123.hdf5. A file has the problem in the units of the solver, "
           "which its description explains, with the initial guess and, if the solver has "
           "converged, the solution. Of a hyperelastic body it is the problem of the last "
           "iteration.")
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

void check_fields(const CaseInput &input, const std::vector<std::string> &allowed,
                  const OutputOptions &options) {
  const auto is_allowed = [&](const std::string &name) {
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  };
  for (const std::string &name : options.fields.names)
    if (!is_allowed(name)) {
      const std::string hint = did_you_mean(name, allowed);
      input.report("Output/Fields", "'" + name + "' is not a field of the bodies of this case" +
                                        hint + (hint.empty() ? "; " : " ") + "fields are all, or " +
                                        joined(allowed, ", "));
    }
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
