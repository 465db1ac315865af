#include <percussion/io/error.h>

#include <algorithm>
#include <tuple>

namespace percussion {
std::string printable(std::string text) {
  const auto commands = [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), commands, '?');
  return text;
}

std::string location(const std::string &source, const unsigned line) {
  return line == 0 ? source : source + ":" + std::to_string(line);
}

void Problems::add(const Problems &others) {
  const std::vector<Problem> copy = others.list; // others may be *this
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
  for (const Problem &problem : sorted())
    text += location(problem.source, problem.line) + ": " + problem.message + "\n";
  text.pop_back(); // the last line end
  throw InputError(text);
}
} // namespace percussion
