#pragma once

#include <string>
#include <vector>

namespace percussion {

/// Format of the files with bodies and contacts.
enum class FieldFormat {
  vtu,   ///< a VTU file for each instant, listed in a PVD file
  vtkhdf ///< one VTKHDF file for all instants
};

/// Format, content and precision of the files with bodies and contacts.
struct FieldOptions {
  FieldFormat format = FieldFormat::vtu;
  std::vector<std::string> names{}; ///< fields of the bodies to write; empty: all
  bool is_single = false;           ///< true: fields of the bodies have single precision
};

} // namespace percussion
