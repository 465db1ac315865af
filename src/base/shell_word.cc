#include <percussion/base/shell_word.h>

#include <algorithm>
#include <cctype>

namespace percussion {

std::string shell_word(const std::string &text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("/._-=+,:").find(char(c)) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain))
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

} // namespace percussion
