#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace percussion {
/// The user's input is wrong: a parameter, a mesh file or the command line.
/// The program prints what() and ends with exit status 2.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The input was accepted, but the run failed: a solver did not converge, a file could not be
/// written. The program prints what() and ends with exit status 1.
class RunError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The text with '?' in place of control characters other than line ends, so that the content of a
/// file cannot control the terminal.
std::string printable(std::string text);

/// "case.prm:12"; only the source if the line is 0.
std::string location(const std::string &source, unsigned line);

/// An error in the input and its location.
struct Problem {
  std::string source; ///< a file's name, or "--set"
  unsigned line = 0;  ///< 0: the source has no lines
  std::string message;
};

/// Collects the errors of the input, so that the user sees all of them at once.
class Problems {
public:
  /// Add one.
  void add(Problem problem) { list.push_back(std::move(problem)); }
  /// Add all of the others.
  void add(const Problems &others);

  /// Whether there is none.
  bool empty() const { return list.empty(); }

  /// All problems, sorted by source and line.
  std::vector<Problem> sorted() const;

  /// Throws InputError if there is any problem. Its text has one line "source:line: message" per
  /// problem, sorted by source and line, and begins with their number if there is more than one.
  /// Only the first of very many problems are listed, and very long messages are shortened in the
  /// middle.
  void throw_if_any() const;

private:
  std::vector<Problem> list;
};
} // namespace percussion
