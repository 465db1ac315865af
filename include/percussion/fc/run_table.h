#pragma once

#include <percussion/fc/session.h>

#include <ostream>
#include <string>
#include <vector>

namespace percussion::fc {

/// Returns a number as "1.23e-08".
std::string scientific(double value, int digits = 2);

/// Table of the runs of a session, printed line by line during the session.
class Table {
public:
  /// Sets the widths of the columns from these names.
  Table(std::ostream &stream, const std::vector<ProblemFile> &files, const Settings &settings);

  void header();            ///< prints the line with the names of the columns
  void row(const Run &run); ///< prints the line of a run

private:
  std::ostream &output;
  int name_width, solver_width;
};

/// Totals of one solver.
struct SolverSummary {
  std::string solver;
  std::size_t n_problems = 0, n_solved = 0;
  double total_time = 0.;     ///< for all problems [s]
  double median_time = 0.;    ///< for the solved problems [s]; NaN if there are none
  std::size_t iterations = 0; ///< for all problems
  std::size_t n_warm = 0;     ///< problems with a warm start
};

/// Returns the totals of each solver, in order of appearance.
std::vector<SolverSummary> summarise(const std::vector<Run> &runs);

/// Prints a line per solver, one that compares its warm starts in a sequence with its cold ones,
/// and one on the agreement of solvers.
void print_summary(std::ostream &output, const Results &results);

} // namespace percussion::fc
