#include <percussion/base/error.h>

#include <algorithm>
#include <tuple>

namespace percussion {
std::string printable(std::string text) {
  const auto commands = [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), commands, '?');
  return text;
}

namespace {
/// Returns true if a UTF-8 character may end before this byte.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

/// Returns the first @p n bytes of a text at most, in whole characters.
std::string beginning(const std::string &text, std::size_t n) {
  const std::size_t shortest =
      n > 4 ? n - 4 : 0; // invalid UTF-8 may contain no first byte of a character
  while (n > shortest && !begins_character(text[n]))
    --n;
  return text.substr(0, n);
}

/// Returns the last @p n bytes of a text at most, in whole characters.
std::string ending(const std::string &text, std::size_t n) {
  std::size_t begin = text.size() - n;
  const std::size_t last = std::min(begin + 4, text.size());
  while (begin < last && !begins_character(text[begin]))
    ++begin;
  return text.substr(begin);
}

/// Returns a long message shortened in the middle: the ends of a long quotation are informative.
std::string without_middle(const std::string &message) {
  constexpr std::size_t half = 2000;
  return message.size() <= 2 * half ? message
                                    : beginning(message, half) + " \u2026 " + ending(message, half);
}
} // namespace

std::string location(const std::string &source, const unsigned line) {
  return line == 0 ? source : source + ":" + std::to_string(line);
}

void Problems::add(const Problems &problems) {
  const std::vector<Problem> copy = problems.list; // `problems` may be *this
  list.insert(list.end(), copy.begin(), copy.end());
}

std::vector<Problem> Problems::sorted() const {
  std::vector<Problem> result = list;
  std::stable_sort(result.begin(), result.end(), [](const Problem &a, const Problem &b) {
    return std::tie(a.source, a.line) < std::tie(b.source, b.line);
  });
  return result;
}

void Problems::throw_if_any() const {
  if (list.empty())
    return;
  std::string text;
  if (list.size() > 1)
    text = std::to_string(list.size()) + " problems in the input:\n";
  constexpr std::size_t max_listed = 100; // a user cannot read a longer list
  const std::vector<Problem> all = sorted();
  for (std::size_t i = 0; i < std::min(max_listed, all.size()); ++i)
    text += location(all[i].source, all[i].line) + ": " + without_middle(all[i].message) + "\n";
  if (all.size() > max_listed)
    text += "\u2026 and " + std::to_string(all.size() - max_listed) + " more\n";
  text.pop_back(); // the last line end
  throw InputError(text);
}
} // namespace percussion
