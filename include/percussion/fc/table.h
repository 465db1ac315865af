#pragma once

#include <percussion/fc/session.h>

#include <ostream>
#include <string>
#include <vector>

namespace percussion::fc {

/// "1.23e-08".
std::string scientific(double value, int digits = 2);

/// Prints the runs of a session, one line each, as they come.
class Table {
public:
  /// Sets the widths of the columns by these names.
  Table(std::ostream &stream, const std::vector<ProblemFile> &files, const Settings &settings);

  void header();            ///< the line with the names of the columns
  void row(const Run &run); ///< the line of a run

private:
  std::ostream &out;
  int name_width, solver_width;
};

/// Totals of one solver.
struct SolverSummary {
  std::string solver;
  std::size_t n_problems = 0, n_solved = 0;
  double total_time = 0.;     ///< of all problems [s]
  double median_time = 0.;    ///< of the solved problems [s]; NaN if there are none
  std::size_t iterations = 0; ///< of all problems
  std::size_t n_warm = 0;     ///< problems with a warm start
};

/// One per solver, in order of appearance.
std::vector<SolverSummary> summarise(const std::vector<Run> &runs);

/// Prints a line per solver, one on how its warm starts in a sequence compare with its cold ones,
/// and one on how far solvers agree.
void print_summary(std::ostream &out, const Results &results);

} // namespace percussion::fc
