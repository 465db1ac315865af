#pragma once

#include <percussion/fc/performance_profile.h>
#include <percussion/fc/run.h>

#include <filesystem>
#include <string>
#include <vector>

namespace percussion::fc {

/// How long solvers took on problems: time[problem][solver], infinity where a solver has failed.
struct TimeTable {
  std::vector<std::string> problems, solvers;
  std::vector<std::vector<double>> time;
};

/// The times of runs; those of solvers that have not run a problem are infinite.
TimeTable time_table(const std::vector<Run> &runs);

/// One measurement of a file.
struct TimeRow {
  std::string problem, solver;
  double time = 0.; ///< infinity where it is not solved
};

/// The rows of a CSV file that has the columns problem, solver, time and solved (1 or 0, true or
/// false, yes or no), in any order and among any others. Problems may be named by their files.
///
/// Throws InputError for all else, and where a time that counts is not positive.
std::vector<TimeRow> read_times(const std::filesystem::path &file);

/// Adds another program's measurements, `label` behind the name of a solver that the table has
/// already. Rows of problems that are not in the table are left out; problems without a row count
/// as not solved. Returns what is to be said about either.
std::vector<std::string> merge(const std::vector<TimeRow> &rows, const std::string &label,
                               TimeTable &table);

/// Measurements of another program, and what to call it.
struct OtherTimes {
  std::string label;
  std::vector<TimeRow> rows;
};

/// Writes a folder: results.csv (the runs), profile.csv (columns: tau, and one a solver) and
/// profile.png (shares over log2 tau), in which the others' measurements are merged. Returns the
/// remarks of merge().
///
/// Throws RunError where a file cannot be written. Needs a display: report::ensure_display().
std::vector<std::string> write_comparison(const std::filesystem::path &folder,
                                          const std::vector<Run> &runs,
                                          const std::vector<OtherTimes> &others);

} // namespace percussion::fc
