#include <percussion/base/natural_order.h>

#include <algorithm>
#include <cctype>

namespace percussion {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Returns the digits from a position on, without leading zeros, and sets the position behind them.
std::string digits_at(const std::string &text, std::size_t &position) {
  const auto end =
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(position), text.end(), is_digit);
  std::string digits(text.begin() + static_cast<std::ptrdiff_t>(position), end);
  position += digits.size();
  return digits.erase(0, digits.find_first_not_of('0'));
}

} // namespace

bool NaturalOrder::operator()(const std::string &a, const std::string &b) const {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string m = digits_at(a, i), n = digits_at(b, j);
      if (m.size() != n.size())
        return m.size() < n.size();
      if (m != n)
        return m < n;
    } else if (a[i] != b[j])
      return a[i] < b[j];
    else
      ++i, ++j;
  }
  if (a.size() - i != b.size() - j)
    return a.size() - i < b.size() - j;
  return a < b; // names that differ by leading zeros
}

} // namespace percussion
