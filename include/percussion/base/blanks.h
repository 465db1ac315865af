#pragma once

#include <string>

namespace percussion {
/// What an editor or a web page may put in place of a space, and nobody sees.
inline const char *const no_break_space = "a no-break space (U+00A0)";

/// The text with usual spaces in place of those that do not break a line.
inline std::string with_usual_blanks(const std::string &text) {
  const std::string sign = "\u00a0";
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, begin)) {
    result.append(text, begin, at - begin) += ' ';
    begin = at + sign.size();
  }
  return result.append(text, begin);
}
} // namespace percussion
