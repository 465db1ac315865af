#pragma once

#include <string>

namespace percussion::report {

/// Names of units to put behind a quantity; empty where the run does not tell.
struct Units {
  std::string time, length, force, energy, velocity, stress, percussion;
};

/// Reads a list such as "N, mm, ms, g" or "kg, m, s". An energy unit in the list wins over force
/// times length.
Units parse_units(const std::string &list);

/// "energy (N mm)", or "energy" where the unit is not known.
std::string with_unit(const std::string &quantity, const std::string &unit);

} // namespace percussion::report
