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

/// True if a text begins with these words.
inline bool begins_with(const std::string &text, const std::string &words) {
  return text.rfind(words, 0) == 0;
}

} // namespace percussion
