#include <percussion/base/nearest_name.h>

#include "parameter_sections.h"
#include <algorithm>
#include <map>
#include <set>

namespace percussion {

namespace {

/// The words of a text between any of these characters.
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

struct UnitsOf {
  const char *quantity;
  std::vector<std::string> names;
};

/// As in scene.py, which makes the units of derived quantities from them.
const std::vector<UnitsOf> &units() {
  static const std::vector<UnitsOf> table = {
      {"mass", {"kg", "g", "t", "mg"}},
      {"length", {"m", "mm", "cm", "um", "µm", "km", "in", "ft"}},
      {"time", {"s", "ms", "us", "µs", "min", "h"}},
      {"force", {"N", "mN", "kN", "MN", "daN", "lbf"}},
      {"stress", {"Pa", "kPa", "MPa", "GPa"}},
      {"energy", {"J", "mJ", "uJ", "µJ", "kJ", "MJ"}}};
  return table;
}

/// Other spellings of units and of systems of units.
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

} // namespace

std::string known_units() {
  std::string text;
  for (const UnitsOf &of : units())
    text += (text.empty() ? "" : "; ") + std::string(of.quantity) + ": " + joined(of.names, ", ");
  return text;
}

std::string read_units(const CaseInput &input) {
  const std::string path = "Output/Units", text = input.parameters.get(path);
  if (text == dimensionless)
    return text;
  std::vector<std::string> known;
  std::set<std::string> quantities;
  for (const UnitsOf &of : units())
    known.insert(known.end(), of.names.begin(), of.names.end());
  std::string words;
  for (const std::string &word : words_between(text, ",; \t")) {
    const auto other = spellings().find(word);
    words += (words.empty() ? "" : ", ") + (other == spellings().end() ? word : other->second);
  }
  for (const std::string &word : words_between(words, ", ")) {
    const auto of = std::find_if(units().begin(), units().end(), [&](const UnitsOf &row) {
      return std::find(row.names.begin(), row.names.end(), word) != row.names.end();
    });
    if (of == units().end())
      input.parameters.report(path,
                              "'" + word + "' is no unit that is known" +
                                  did_you_mean(word, known) +
                                  (did_you_mean(word, known).empty() ? "; " : " ") +
                                  "known are SI, dimensionless, and of " + known_units(),
                              input.problems);
    else if (!quantities.insert(of->quantity).second)
      input.parameters.report(path, "two units of " + std::string(of->quantity), input.problems);
  }
  return words;
}

} // namespace percussion
