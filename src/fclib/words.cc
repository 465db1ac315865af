#include "words.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/fclib/fclib.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace percussion {
namespace {

constexpr const char *blanks = " \t\r\n\v\f";

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 40;
  return "'" + printable(std::string(word.substr(0, most))) + (word.size() > most ? "...'" : "'");
}

std::string range(long least, long most) {
  if (most < least)
    return "no such number";
  return least == most ? std::to_string(least)
                       : std::to_string(least) + " to " + std::to_string(most);
}

} // namespace

Words::Words(const std::string &path) : file(path) {
  std::optional<std::string> content = read_file(path);
  if (!content)
    throw FclibError(path + ": found " + std::strerror(errno) + "; needed: a readable file");
  text = std::move(*content);
}

void Words::fail(const std::string &found, const std::string &needed) const {
  throw FclibError(location(file, last_line) + ": found " + found + "; needed: " + needed);
}

void Words::skip_blanks() {
  for (; place < text.size() && std::strchr(blanks, text[place]) != nullptr; ++place)
    line += text[place] == '\n';
}

std::string_view Words::peek() {
  skip_blanks();
  const std::size_t end = std::min(text.find_first_of(blanks, place), text.size());
  return std::string_view(text).substr(place, end - place);
}

std::string_view Words::next(const std::string &needed) {
  const std::string_view word = peek();
  last_line = line;
  if (word.empty())
    fail("the end of the file", needed);
  place += word.size();
  return word;
}

void Words::skip_line() {
  place = std::min(text.find('\n', place), text.size());
  skip_blanks();
}

std::size_t Words::n_left() const {
  std::size_t n = 0;
  for (std::size_t k = text.find_first_not_of(blanks, place); k < text.size(); ++n)
    k = text.find_first_not_of(blanks, std::min(text.find_first_of(blanks, k), text.size()));
  return n;
}

long Words::integer(const std::string &name, long least, long most) {
  const std::string needed = name + ", " + range(least, most);
  std::string_view word = next(needed), digits = word;
  if (digits.back() == ',')
    digits.remove_suffix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < least || value > most)
    fail(quoted(word), needed);
  return value;
}

std::size_t Words::index(const std::string &name, std::size_t end) {
  return static_cast<std::size_t>(integer(name, 0, static_cast<long>(end) - 1));
}

std::size_t Words::size(const std::string &name) {
  return index(name, (text.size() - place) / 2 + 1); // a number takes a digit and a blank
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
