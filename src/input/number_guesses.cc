#include <percussion/input/patterns.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace percussion {
namespace {
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_any_of(const char *characters, char c) {
  return std::string(characters).find(c) != std::string::npos;
}

std::size_t behind_digits(const std::string &text, std::size_t begin) {
  while (begin < text.size() && is_digit(text[begin]))
    ++begin;
  return begin;
}

std::size_t behind_blanks(const std::string &text, std::size_t begin) {
  while (begin < text.size() && is_blank(text[begin]))
    ++begin;
  return begin;
}

/// Position behind an exponent that begins here with one of these letters; `begin` if none does.
std::size_t behind_exponent(const std::string &text, std::size_t begin, const char *letters) {
  if (begin >= text.size() || !is_any_of(letters, text[begin]))
    return begin;
  const bool has_sign = begin + 1 < text.size() && is_any_of("+-", text[begin + 1]);
  const std::size_t digits = begin + (has_sign ? 2 : 1);
  const std::size_t end = behind_digits(text, digits);
  return end > digits ? end : begin;
}

/// Position behind the digits and the decimal point that begin here; `begin` if there is no digit.
std::size_t behind_decimal(const std::string &text, std::size_t begin) {
  const std::size_t whole = behind_digits(text, begin);
  const bool has_point = whole < text.size() && text[whole] == '.';
  const std::size_t end = has_point ? behind_digits(text, whole + 1) : whole;
  return end - begin > (has_point ? 1u : 0u) ? end : begin;
}

/// Length of the one of these that begins here; 0 if none does.
template <std::size_t n>
std::size_t length_of(const std::array<const char *, n> &signs, const std::string &text,
                      std::size_t begin) {
  for (const char *const sign : signs)
    if (const std::string bytes = sign; text.compare(begin, bytes.size(), bytes) == 0)
      return bytes.size();
  return 0;
}

// Beyond ASCII: micro (twice), angstrom and ohm; a centred dot, a square and a cube.
constexpr std::array<const char *, 4> letters = {"\u00b5", "\u03bc", "\u00c5", "\u03a9"};
constexpr std::array<const char *, 3> operators = {"\u00b7", "\u00b2", "\u00b3"};

/// Position behind the letters that begin here.
std::size_t behind_letters(const std::string &text, std::size_t begin) {
  while (begin < text.size()) {
    const std::size_t length = is_letter(text[begin]) ? 1 : length_of(letters, text, begin);
    if (length == 0)
      break;
    begin += length;
  }
  return begin;
}

/// Whether a word may say by how much to multiply: a prefix without a unit, a name of a formula.
bool may_be_factor(const std::string &word) {
  if (word.size() == 1)
    return !is_any_of("mgsNJWVAdhlL", word[0]);
  const std::array<const char *, 7> others = {"pi", "inf", "nan", "Mio", "Mrd", "mil", "ppm"};
  return std::find(others.begin(), others.end(), word) != others.end();
}

/// Whether this can be the unit of a number: "GPa", "m/s^2", "kg m^-1", "N/(m s)".
bool is_unit(const std::string &text) {
  const std::size_t first = behind_letters(text, 0);
  if (first == 0 || may_be_factor(text.substr(0, first)))
    return false;
  if (first < text.size() && is_any_of("eEdDxX", text[0]) && first == 1 && !is_blank(text[first]))
    return false; // an exponent or a hexadecimal number that is not written well
  for (std::size_t i = first; i < text.size();) {
    const char c = text[i];
    if (is_digit(c) && is_blank(text[i - 1]))
      return false; // another number
    if (c == '(' && text[i - 1] != '/' && text[i - 1] != '*')
      return false; // a function
    const bool is_usual = is_letter(c) || is_digit(c) || is_any_of(" \t/*^-.()_", c);
    const std::size_t length =
        is_usual ? 1 : std::max(length_of(letters, text, i), length_of(operators, text, i));
    if (length == 0)
      return false;
    i += length;
  }
  return true;
}

/// An element of a list, trailing blanks left out, without the unit.
std::string without_unit(const std::string &element) {
  const std::size_t begin = behind_blanks(element, 0);
  const bool has_sign = begin < element.size() && is_any_of("+-", element[begin]);
  const std::size_t number = begin + (has_sign ? 1 : 0);
  const std::size_t digits_end = behind_decimal(element, number);
  if (digits_end == number)
    return element;
  const std::size_t end = behind_exponent(element, digits_end, "eE");
  std::string rest = element.substr(behind_blanks(element, end));
  while (!rest.empty() && is_blank(rest.back()))
    rest.pop_back();
  return is_unit(rest) ? element.substr(0, end) : element;
}
} // namespace

const char *const about_units = "Units are not written behind values: they are the user's own, "
                                "consistent, and told in Output/Units";

std::string without_units(const std::string &value) {
  std::string result, element;
  for (const char c : value + ',')
    if (c == ',' || c == ';') {
      result += without_unit(element) + c;
      element.clear();
    } else
      element += c;
  result.pop_back(); // the comma that ended the last
  return result;
}

std::string with_decimal_points(std::string value) {
  for (std::size_t i = 1; i + 1 < value.size(); ++i)
    if (value[i] == ',' && is_digit(value[i - 1]) && is_digit(value[i + 1]))
      value[i] = '.';
  return value;
}

std::string with_e_exponents(std::string value) {
  for (std::size_t i = 1; i < value.size(); ++i) {
    const bool behind_number = is_digit(value[i - 1]) || value[i - 1] == '.';
    if (behind_number && behind_exponent(value, i, "dD") > i)
      value[i] = 'e';
  }
  return value;
}
} // namespace percussion
