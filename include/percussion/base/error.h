#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace percussion {
/**
 * The user's input is wrong: a parameter, a mesh file or the command line.
 * The program prints what() and ends with exit status 2.
 */
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/**
 * The input was accepted, but the run failed: a solver that does not converge, a file that cannot
 * be written. The program prints what() and ends with exit status 1.
 */
class RunError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The text with '?' in place of control characters other than the end of a line: what a file holds
/// may not command the terminal.
std::string printable(std::string text);

/// "case.prm:12"; without a line (0) the source alone.
std::string location(const std::string &source, unsigned line);

/// One thing that is wrong in the input, and where.
struct Problem {
  std::string source; ///< a file's name, or "--set"
  unsigned line = 0;  ///< 0: the source has no lines
  std::string message;
};

/**
 * Gathers what is wrong in the input, so that the user sees everything at once and not one
 * mistake per start.
 */
class Problems {
public:
  /// One more.
  void add(Problem problem) { list.push_back(std::move(problem)); }
  /// All of the others.
  void add(const Problems &others);

  /// Whether there is none.
  bool empty() const { return list.empty(); }

  /// All problems, sorted by source and line.
  std::vector<Problem> sorted() const;

  /**
   * Does nothing if there is no problem.
   * @throws InputError whose text has one line "source:line: message" per problem, sorted by
   * source and line, and begins with their number if there is more than one. Of very many it has
   * the first, and of a very long message the beginning and the end.
   */
  void throw_if_any() const;

private:
  std::vector<Problem> list;
};
} // namespace percussion
