#pragma once

#include <percussion/dynamics/reaction.h>

#include <string>

namespace percussion {

/// Data of a run that the files of its contact problems contain.
struct ProblemOrigin {
  std::string case_name, scheme, units;
  double theta = 0.5;
};

/// Contact problems of a run as FCLib files in the folder `problems`: the exact problem passed to
/// the solver, the initial guess of percussions, and the solution if the solver has converged.
class ProblemFiles {
public:
  /// Continues after `n_there` problems written earlier.
  ProblemFiles(const std::string &run_directory, ProblemOrigin run_origin, unsigned int n_there = 0)
      : folder(run_directory + "/problems"), origin(std::move(run_origin)), n(n_there) {}

  /// Writes `step-000123.hdf5`. Throws RunError.
  void write(unsigned int step, const PosedProblem &posed_problem);

  /// Writes `failed-000123.hdf5` and returns its name. Throws RunError.
  std::string write_failed(unsigned int step, const PosedProblem &posed_problem);

  unsigned int n_written() const { return n; }

private:
  void write(const std::string &file, const std::string &title, const PosedProblem &posed_problem);
  std::string description(const PosedProblem &posed_problem) const;

  std::string folder;
  ProblemOrigin origin;
  unsigned int n;
};

} // namespace percussion
