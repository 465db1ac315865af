#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace percussion {
/// Error in the user's input: a parameter, a mesh file or the command line. The program prints
/// what() and ends with exit status 2.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Failure of a run with valid input: a solver did not converge, a file could not be written. The
/// program prints what() and ends with exit status 1.
class RunError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Formula of the user without a finite value at a time and position. Before the run it is an error
/// in the input.
class FormulaError : public RunError {
public:
  using RunError::RunError;
};

/// Returns the text with '?' for each control character except line ends, so that the content of a
/// file cannot control the terminal.
std::string printable(std::string text);

/// Returns "case.prm:12", or only the source if the line is 0.
std::string location(const std::string &source, unsigned line);

/// Error in the input and its location.
struct Problem {
  std::string source; ///< name of a file, or "--set"
  unsigned line = 0;  ///< 0: the source has no lines
  std::string message;
};

/// Collection of the errors of the input, so that the user sees all of them at once.
class Problems {
public:
  /// Adds a problem.
  void add(Problem problem) { list.push_back(std::move(problem)); }
  /// Adds all problems of another collection.
  void add(const Problems &problems);

  /// Returns true if there is no problem.
  bool empty() const { return list.empty(); }
  std::size_t size() const { return list.size(); }

  /// Returns all problems, sorted by source and line.
  std::vector<Problem> sorted() const;

  /// Throws InputError if there is any problem. Its text has one line "source:line: message" per
  /// problem, sorted by source and line, and begins with the number of problems if there are two or
  /// more. Only the first 100 problems are listed, and very long messages are shortened in the
  /// middle.
  void throw_if_any() const;

private:
  std::vector<Problem> list;
};
} // namespace percussion
