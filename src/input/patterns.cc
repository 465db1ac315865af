#include <percussion/base/floating_point_traps.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <cmath>
#include <locale>
#include <regex>
#include <sstream>

namespace percussion {
using dealii::Patterns::PatternBase;

template <typename Number>
std::optional<Number> to_number(const std::string &text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  const NoFloatingPointTraps no_traps; // 1e999 overflows in the library
  Number number = 0;
  stream >> number;
  if (stream.fail() || !(stream >> std::ws).eof() || !std::isfinite(static_cast<double>(number)))
    return {};
  return number;
}

template std::optional<double> to_number(const std::string &);
template std::optional<long> to_number(const std::string &);

bool NumberBetween::match(const std::string &text) const {
  const auto number = to_number<double>(text);
  return number && (*number > lower.value || (lower.included && *number == lower.value)) &&
         (*number < upper.value || (upper.included && *number == upper.value));
}

std::string NumberBetween::description(const OutputStyle) const {
  std::ostringstream text("a number", std::ios::ate);
  if (std::isfinite(lower.value))
    text << (lower.included ? " >= " : " > ") << lower.value;
  if (std::isfinite(lower.value) && std::isfinite(upper.value))
    text << " and";
  if (std::isfinite(upper.value))
    text << (upper.included ? " <= " : " < ") << upper.value;
  return text.str();
}

std::unique_ptr<PatternBase> NumberBetween::clone() const {
  return std::make_unique<NumberBetween>(lower, upper);
}

std::vector<std::string> alternatives(const PatternBase &pattern) {
  const std::string text = pattern.description(), begin = "[Selection ", end = " ]";
  if (text.compare(0, begin.size(), begin) != 0)
    return {};
  const std::size_t size = text.size() - begin.size() - end.size();
  return dealii::Utilities::split_string_list(text.substr(begin.size(), size), '|');
}

namespace {
/// Returns the description of a deal.II pattern in plain words; descriptions of other patterns
/// stay.
std::string translated(std::string text) {
  static const std::vector<std::pair<std::regex, std::string>> phrases = {
      {std::regex(R"(\[List of <(.*)> of length (\d+)\.\.\.\2 \(inclusive\)\])"),
       "$2 values separated by ',', each $1"},
      {std::regex(R"(\[List of <(.*)> of length 1\.\.\.4294967295 \(inclusive\)\])"),
       "one or more values separated by ',', each $1"},
      {std::regex(R"(\[List of <(.*)> of length (\d+)\.\.\.(\d+) \(inclusive\)\])"),
       "$2 or $3 values separated by ',', each $1"},
      {std::regex(R"(\[Double (\S+)\.\.\.(\S+) \(inclusive\)\])"), "a number >= $1 and <= $2"},
      {std::regex(R"(\[Integer range (\S+)\.\.\.(\S+) \(inclusive\)\])"),
       "an integer >= $1 and <= $2"},
      {std::regex(" and <= (MAX_DOUBLE|2147483647)"), ""},
      {std::regex(" >= (-MAX_DOUBLE|-2147483648)( and)?"), ""},
      {std::regex(R"(\[Double\])"), "a number"},
      {std::regex(R"(\[Integer\])"), "an integer"},
      {std::regex(R"(\[Bool\])"), "true or false"},
      {std::regex(R"(\[Anything\])"), "any text"}};
  if (!text.empty() && text.front() == '[')
    for (const auto &[dealii_words, words] : phrases)
      text = std::regex_replace(text, dealii_words, words);
  return text;
}
} // namespace

std::string plain_words(const PatternBase &pattern) {
  std::string words;
  for (const std::string &name : alternatives(pattern)) // names of two or more words are quoted
    words += (words.empty() ? "one of " : " | ") +
             (name.find(' ') == std::string::npos ? name : "'" + name + "'");
  return words.empty() ? translated(pattern.description()) : words;
}

std::string OrNothing::description(const OutputStyle) const {
  const std::string words = plain_words(*pattern), end = ", or nothing";
  const bool allows_nothing =
      words.size() > end.size() && words.compare(words.size() - end.size(), end.size(), end) == 0;
  return allows_nothing ? words : words + end;
}
} // namespace percussion
