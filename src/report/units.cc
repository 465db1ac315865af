#include <percussion/report/history.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace percussion::report {

Units parse_units(const std::string &list) {
  static const std::vector<std::pair<std::string Units::*, std::string>> known = {
      {&Units::time, " s ms us µs min h "},
      {&Units::length, " m mm cm um µm km in ft "},
      {&Units::mass, " kg g t mg "},
      {&Units::force, " N mN kN MN daN lbf "},
      {&Units::energy, " J mJ uJ µJ kJ MJ "}};
  // Of the units of mass, length and time.
  static const std::map<std::string, std::string> forces = {
      {"kg m s", "N"}, {"t mm s", "N"}, {"g mm ms", "N"}, {"kg mm ms", "kN"}, {"t m s", "kN"}};
  std::string words = list;
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  Units units;
  std::istringstream in(words);
  for (std::string word; in >> word;)
    for (const auto &[unit, names] : known)
      if ((units.*unit).empty() && names.find(" " + word + " ") != std::string::npos)
        units.*unit = word;

  const std::string &force = units.force, &length = units.length, &time = units.time;
  const auto found = forces.find(units.mass + " " + length + " " + time);
  if (force.empty() && found != forces.end())
    units.force = found->second;
  if (!length.empty() && !time.empty())
    units.velocity = length + "/" + time;
  if (!force.empty() && !time.empty())
    units.percussion = force + " " + time;
  if (force.empty() || length.empty())
    return units;
  const bool joule = length == "m" && (force == "N" || force == "kN");
  if (units.energy.empty())
    units.energy = !joule ? force + " " + length : force == "N" ? "J" : "kJ";
  const bool pascal = force == "N" && (length == "m" || length == "mm");
  units.stress = !pascal ? force + "/" + length + "²" : length == "m" ? "Pa" : "MPa";
  return units;
}

std::string with_unit(const std::string &quantity, const std::string &unit) {
  return unit.empty() ? quantity : quantity + " (" + unit + ")";
}

} // namespace percussion::report
