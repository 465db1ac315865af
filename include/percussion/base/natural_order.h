#pragma once

#include <string>

namespace percussion {

/// Order of names in which numbers count by their value: "face 2" is before "face 10".
struct NaturalOrder {
  bool operator()(const std::string &a, const std::string &b) const;
};

} // namespace percussion
