#include <percussion/report/units.h>

#include <array>
#include <map>
#include <set>
#include <sstream>

namespace percussion::report {

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
