#pragma once

#include <percussion/base/format.h>

#include <string>

/// Pieces of the text of a parameter file.
namespace case_text {

using percussion::format;

inline std::string section(const std::string &name, const std::string &entries) {
  return "  subsection " + name + "\n" + entries + "  end\n";
}
inline std::string in(const std::string &name, const std::string &sections) {
  return "subsection " + name + "\n" + sections + "end\n";
}
inline std::string set(const std::string &entry, const std::string &value) {
  return "    set " + entry + " = " + value + "\n";
}
inline std::string set(const std::string &entry, double value) {
  return set(entry, format("%.17g", value));
}
inline std::string gravity(const std::string &vector) {
  return "subsection Boundary conditions\n  set Gravity = " + vector + "\nend\n";
}

} // namespace case_text
