#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percussion {

/// Words of a text file, one after the other. Every error is an FclibError that names the file, the
/// line of the last word, the text found and the text needed.
class Words {
public:
  /// Reads the file.
  explicit Words(const std::string &path);

  std::string_view next(const std::string &needed); ///< throws at the end of the file
  std::string_view peek();                          ///< empty at the end of the file
  void skip_line();                                 ///< skips the rest of the line, with its end
  std::size_t n_left() const;                       ///< number of remaining words

  /// Returns a whole number within these limits; a comma may follow.
  long integer(const std::string &name, long minimum, long maximum);
  std::size_t index(const std::string &name, std::size_t end); ///< from 0 to end − 1
  std::size_t size(const std::string &name); ///< limited by the numbers in the rest of the file
  double real(const std::string &name);      ///< finite
  void expect(const std::string &word);

  [[noreturn]] void fail(const std::string &found, const std::string &needed) const;

private:
  void skip_blanks();

  std::string file, text;
  std::size_t position = 0;
  unsigned int line = 1, last_line = 1;
};

} // namespace percussion
