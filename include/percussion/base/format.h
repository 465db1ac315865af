#pragma once

#include <cstdio>
#include <string>

namespace percussion {

/// Returns a text formatted by std::snprintf, of at most 255 characters.
template <typename... Values>
std::string format(const char *pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

} // namespace percussion
