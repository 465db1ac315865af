#pragma once

#include <percussion/fc/solver_run.h>

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::fc {

/// Fraction of problems that each solver solves within a factor of the time of the fastest: Dolan &
/// Moré, Benchmarking optimization software with performance profiles, 2002.
struct PerformanceProfile {
  std::vector<double> ratio; ///< ratios at which any fraction changes, ascending; the
                             ///< first is 1
  std::vector<std::vector<double>>
      solved_fraction; ///< share[solver][ratio], constant up to the next ratio
};

/// Returns the profile of times[problem][solver], infinite if a solver failed. Problems that no
/// solver solves count: no fraction reaches one then. Throws std::invalid_argument unless all times
/// are positive and all rows have the same length.
PerformanceProfile performance_profile(const std::vector<std::vector<double>> &times);

/// Times of solvers: time[problem][solver], infinite if a solver failed or did not run.
struct TimeTable {
  std::vector<std::string> problems, solvers;
  std::vector<std::vector<double>> time;
};

/// Returns the times of runs.
TimeTable time_table(const std::vector<Run> &runs);

/// Measurement of one file.
struct TimeRow {
  std::string problem, solver;
  double time = 0.; ///< infinite if not solved
};

/// Reads a CSV file with the columns problem, solver, time and solved (1 or 0, true or false, yes
/// or no), in any order and among any others. Problems may be named by their files. Throws
/// InputError if the file has another format, or if the time of a solved problem is not positive.
std::vector<TimeRow> read_times(const std::filesystem::path &file);

/// Adds measurements of another program; `label` is appended to names of solvers that the table
/// already has. Rows of problems that are not in the table are ignored; problems without a row
/// count as not solved. Returns remarks on both.
std::vector<std::string> merge(const std::vector<TimeRow> &rows, const std::string &label,
                               TimeTable &table);

/// Measurements of another program and its name.
struct OtherTimes {
  std::string label;
  std::vector<TimeRow> rows;
};

/// Writes results.csv (the runs) and profile.csv (columns tau and one per solver) into a folder;
/// the latter includes the measurements of `other_times`, and percussion-report draws it. Returns
/// the remarks of merge(). Throws RunError if a file cannot be written.
std::vector<std::string> write_comparison(const std::filesystem::path &folder,
                                          const std::vector<Run> &runs,
                                          const std::vector<OtherTimes> &other_times);

} // namespace percussion::fc
