#include "words.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/fclib/fclib.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace percussion {
namespace {

constexpr const char *blanks = " \t\r\n\v\f";

std::string quoted(std::string_view word) {
  constexpr std::size_t max_length = 40;
  return "'" + printable(std::string(word.substr(0, max_length))) +
         (word.size() > max_length ? "...'" : "'");
}

std::string range(long minimum, long maximum) {
  if (maximum < minimum)
    return "no such number";
  return minimum == maximum ? std::to_string(minimum)
                            : std::to_string(minimum) + " to " + std::to_string(maximum);
}

} // namespace

Words::Words(const std::string &path) : file(path) {
  std::optional<std::string> content = read_file(path);
  if (std::error_code error; !content && std::filesystem::is_other(path, error))
    throw FclibError(path + ": found a device or a pipe; needed: a regular file");
  if (!content)
    throw FclibError(path + ": found " + std::strerror(errno) + "; needed: a readable file");
  text = std::move(*content);
}

void Words::fail(const std::string &found, const std::string &needed) const {
  throw FclibError(location(file, last_line) + ": found " + found + "; needed: " + needed);
}

void Words::skip_blanks() {
  for (; position < text.size() && std::strchr(blanks, text[position]) != nullptr; ++position)
    line += text[position] == '\n';
}

std::string_view Words::peek() {
  skip_blanks();
  const std::size_t end = std::min(text.find_first_of(blanks, position), text.size());
  return std::string_view(text).substr(position, end - position);
}

std::string_view Words::next(const std::string &needed) {
  const std::string_view word = peek();
  last_line = line;
  if (word.empty())
    fail("the end of the file", needed);
  position += word.size();
  return word;
}

void Words::skip_line() {
  position = std::min(text.find('\n', position), text.size());
  skip_blanks();
}

std::size_t Words::n_left() const {
  std::size_t n = 0;
  for (std::size_t k = text.find_first_not_of(blanks, position); k < text.size(); ++n)
    k = text.find_first_not_of(blanks, std::min(text.find_first_of(blanks, k), text.size()));
  return n;
}

long Words::integer(const std::string &name, long minimum, long maximum) {
  const std::string needed = name + ", " + range(minimum, maximum);
  std::string_view word = next(needed), digits = word;
  if (digits.back() == ',')
    digits.remove_suffix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < minimum ||
      value > maximum)
    fail(quoted(word), needed);
  return value;
}

std::size_t Words::index(const std::string &name, std::size_t end) {
  return static_cast<std::size_t>(integer(name, 0, static_cast<long>(end) - 1));
}

std::size_t Words::size(const std::string &name) {
  return index(name, (text.size() - position) / 2 + 1); // a number takes a digit and a blank
}

double Words::real(const std::string &name) {
  const std::string_view word = next(name + ", a number");
  char *end = nullptr;
  const double value = std::strtod(word.data(), &end);
  if (end != word.data() + word.size() || !std::isfinite(value))
    fail(quoted(word), name + ", a finite number");
  return value;
}

void Words::expect(const std::string &needed) {
  if (const std::string_view word = next("'" + needed + "'"); word != needed)
    fail(quoted(word), "'" + needed + "'");
}

} // namespace percussion
