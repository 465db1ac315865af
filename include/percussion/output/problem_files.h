#pragma once

#include <percussion/dynamics/reaction.h>

#include <string>

namespace percussion {

/// What the files of a run's contact problems say of the run.
struct ProblemOrigin {
  std::string case_name, scheme, units;
  double theta = 0.5;
};

/// Contact problems of a run as FCLib files in the folder `problems`: the bits that the solver got,
/// the percussions that it began with as a guess, and its solution if it has converged.
class ProblemFiles {
public:
  /// `n_there` were written before.
  ProblemFiles(const std::string &run_directory, ProblemOrigin of_run, unsigned int n_there = 0)
      : folder(run_directory + "/problems"), origin(std::move(of_run)), n(n_there) {}

  /// Write `step-000123.hdf5`. Throws RunError.
  void write(unsigned int step, const PosedProblem &posed);

  /// Write `failed-000123.hdf5`; returns its name. Throws RunError.
  std::string write_failed(unsigned int step, const PosedProblem &posed);

  unsigned int n_written() const { return n; }

private:
  void write(const std::string &file, const std::string &title, const PosedProblem &posed);
  std::string description(const PosedProblem &posed) const;

  std::string folder;
  ProblemOrigin origin;
  unsigned int n;
};

} // namespace percussion
