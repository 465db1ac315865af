#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::report {

/// Where on the page a picture stands.
enum class Section { bodies, energy, contact };

/// A picture and what it shows.
struct Picture {
  std::filesystem::path file;
  std::string caption;
  std::string alt; ///< for those who do not see it
  Section section = Section::bodies;
  bool is_scene = false; ///< bodies rather than a chart: recognised at any size
};

} // namespace percussion::report
