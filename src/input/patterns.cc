#include <percussion/base/floating_point_traps.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace percussion {
using dealii::Patterns::PatternBase;

template <typename Number>
std::optional<Number> to_number(const std::string &text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  const NoFloatingPointTraps of_library; // it makes infinity of 1e999 by an overflow
  Number number = 0;
  in >> number;
  if (in.fail() || !(in >> std::ws).eof() || !std::isfinite(static_cast<double>(number)))
    return {};
  return number;
}

template std::optional<double> to_number(const std::string &);
template std::optional<long> to_number(const std::string &);

namespace {
/// What stands in @p text between @p before and the last @p after; nothing if not of this form.
std::optional<std::string> between(const std::string &text, const std::string &before,
                                   const std::string &after) {
  const std::size_t end = text.rfind(after);
  if (text.compare(0, before.size(), before) != 0 || end == std::string::npos ||
      end < before.size())
    return {};
  return text.substr(before.size(), end - before.size());
}
} // namespace

std::vector<std::string> alternatives(const std::string &machine_description) {
  const auto names = between(machine_description, "[Selection ", " ]");
  return names ? dealii::Utilities::split_string_list(*names, '|') : std::vector<std::string>();
}

namespace {
/// {"0", "5"} from "0...5"
std::pair<std::string, std::string> ends_of_range(const std::string &range) {
  const std::size_t dots = range.find("...");
  return {range.substr(0, dots), range.substr(dots + 3)};
}

/// "a number >= 0 and <= 5" from "a number" and "0...5"
std::string in_range(const std::string &what, const std::string &range) {
  const auto [lowest, highest] = ends_of_range(range);
  const bool above = lowest != "-MAX_DOUBLE" && lowest != "-2147483648";
  const bool below = highest != "MAX_DOUBLE" && highest != "2147483647";
  return what + (above ? " >= " + lowest : "") + (above && below ? " and" : "") +
         (below ? " <= " + highest : "");
}

/// Quotation marks around names of several words.
std::vector<std::string> quoted_phrases(std::vector<std::string> names) {
  for (std::string &name : names)
    if (name.find(' ') != std::string::npos)
      name = "'" + name + "'";
  return names;
}

/// Plain words for what PatternBase::description(Machine) gives; nothing for what is not deal.II's.
std::optional<std::string> translated(const std::string &machine_description) {
  const std::string &text = machine_description;
  if (const auto range = between(text, "[Double ", " (inclusive)]"))
    return in_range("a number", *range);
  if (const auto range = between(text, "[Integer range ", " (inclusive)]"))
    return in_range("an integer", *range);
  if (const auto names = alternatives(text); !names.empty())
    return "one of " + joined(quoted_phrases(names), " | ");
  if (const auto names = between(text, "[MultipleSelection ", " ]"))
    return "any of " + joined(dealii::Utilities::split_string_list(*names, '|'), " | ") +
           ", separated by ','";
  if (const auto element = between(text, "[List of <", "> of length ")) {
    const std::string rest = text.substr(text.rfind("> of length ") + 12);
    const auto separator = between(rest.substr(rest.find(')')), ") separated by <", ">]");
    const auto [fewest, most] = ends_of_range(rest.substr(0, rest.find(' ')));
    std::string count = fewest + " to " + most;
    if (fewest == most)
      count = fewest;
    else if (most == "4294967295")
      count = fewest == "0" ? "any number of" : "at least " + fewest;
    return count + " values separated by '" + separator.value_or(",") + "', each " +
           translated(*element).value_or(*element);
  }
  const std::map<std::string, std::string> fixed = {
      {"[Double]", "a number"},
      {"[Integer]", "an integer"},
      {"[Bool]", "true or false"},
      {"[Anything]", "any text"},
      {"[DirectoryName]", "the name of a directory"},
      {"[FileName (Type: input)]", "the name of a file"},
      {"[FileName (Type: output)]", "the name of a file"}};
  const auto found = fixed.find(text);
  return found == fixed.end() ? std::optional<std::string>() : found->second;
}
} // namespace

bool NumberBetween::match(const std::string &text) const {
  const auto number = to_number<double>(text);
  return number && (*number > lower.value || (lower.included && *number == lower.value)) &&
         (*number < upper.value || (upper.included && *number == upper.value));
}

std::string NumberBetween::description(const OutputStyle) const {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << "a number";
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

std::string plain_words(const PatternBase &pattern) {
  const auto words = translated(pattern.description(PatternBase::Machine));
  return words ? *words : pattern.description(PatternBase::Text);
}

namespace {
/// Whether the value is words even where it looks like a number.
bool is_text(const PatternBase &pattern) {
  namespace Patterns = dealii::Patterns;
  return dynamic_cast<const Described *>(&pattern) != nullptr ||
         dynamic_cast<const Patterns::Anything *>(&pattern) != nullptr ||
         dynamic_cast<const Patterns::Selection *>(&pattern) != nullptr;
}

/// The parts of "1, 2; 3, 4".
std::vector<std::string> elements(const std::string &value) {
  std::vector<std::string> parts;
  for (const std::string &group : dealii::Utilities::split_string_list(value, ';'))
    for (const std::string &part : dealii::Utilities::split_string_list(group, ','))
      parts.push_back(part);
  return parts;
}
} // namespace

const char *const allowed_magnitudes = "allowed are zero and magnitudes from 1e-50 to 1e50, which "
                                       "no consistent system of units leaves";

std::string magnitude_problem(const PatternBase &pattern, const std::string &value) {
  if (is_text(pattern))
    return {};
  for (const std::string &element : elements(value)) {
    const auto number = to_number<double>(element);
    const double size = number ? std::abs(*number) : 0;
    if (size == 0 || (size >= smallest_magnitude && size <= largest_magnitude))
      continue;
    return std::string(size < smallest_magnitude ? "too small" : "too large") +
           " to compute with: " + allowed_magnitudes;
  }
  return {};
}
} // namespace percussion
