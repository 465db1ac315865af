#pragma once

#include <percussion/fc/session.h>

#include <ostream>
#include <string>
#include <vector>

namespace percussion::fc {

/// At most `width` characters, ASCII: the middle of a longer name gives way to "...".
std::string shortened(const std::string &name, std::size_t width);

/// The runs of a session, one line each, as they come.
class Table {
public:
  /// With columns wide enough for these names.
  Table(std::ostream &stream, const std::vector<ProblemFile> &files,
        const std::vector<ConeMethodEntry> &solvers);

  /// The line with what the columns are.
  void header();
  /// The line of a run.
  void row(const Run &run);

private:
  std::ostream &out;
  std::size_t name_width, solver_width;
};

/// What one solver has done in all.
struct SolverSummary {
  std::string solver;
  std::size_t n_problems = 0, n_solved = 0;
  double total_time = 0.;  ///< of all problems [s]
  double median_time = 0.; ///< of those that are solved [s]; NaN where there are none
};

/// One a solver, in the order in which solvers appear.
std::vector<SolverSummary> summarise(const std::vector<Run> &runs);

/// A line a solver, and one on how far solvers agree.
void print_summary(std::ostream &out, const Results &results);

} // namespace percussion::fc
