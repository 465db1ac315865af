#pragma once

#include <cstdio>
#include <string>

namespace percussion {

/// Returns a text formatted by std::snprintf, of any length.
template <typename... Values>
std::string format(const char *pattern, Values... values) {
  const int length = std::snprintf(nullptr, 0, pattern, values...);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, values...);
  return text;
}

/// True if a text begins with these words.
inline bool begins_with(const std::string &text, const std::string &words) {
  return text.rfind(words, 0) == 0;
}

} // namespace percussion
