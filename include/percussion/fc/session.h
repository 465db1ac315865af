#pragma once

#include <percussion/cone/method.h>
#include <percussion/fc/find_problems.h>
#include <percussion/fc/solver_run.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion::fc {

/// Settings of a session.
struct Settings {
  std::vector<ConeMethodEntry> solvers; ///< each runs on every problem
  ConeOptions options;                  ///< options other than the method
  bool warm = false;                    ///< starts from the first guess in the file
  /// Each solver runs a second time, as "name (warm)", and starts then from its solution of the
  /// previous problem, if it solved it and the sizes are equal.
  bool sequence = false;
  bool write = false; ///< writes the best solution into the file
};

/// Two solvers whose solutions of a problem differ most. Velocities are compared, as percussions
/// need not be unique.
struct Agreement {
  std::string problem, first, second;
  double difference = 0.; ///< max |u_first − u_second| in natural units
};

/// File with an error, and its message.
struct BrokenFile {
  std::string file, message;
};

/// Results of a session.
struct Results {
  std::vector<Run> runs;            ///< problem by problem
  std::vector<Agreement> agreement; ///< problems solved by two or more, the worst first
  std::vector<BrokenFile> broken;   ///< files without a problem
  bool all_written = true;          ///< false if a requested solution could not be written
  bool interrupted = false;         ///< true if runs are missing due to a signal
};

/// Functions called while a session runs.
struct Listener {
  std::function<void(const Run &)> report_run;      ///< called after each run
  std::function<void(const std::string &)> warning; ///< called with a sentence
};

/// Returns the name of a solver's runs that start from its last solution.
std::string warm_name(std::string_view solver);

/// Runs every solver on every problem. Broken files, and files whose data the solvers refuse, are
/// reported and skipped.
///
/// The first SIGINT or SIGTERM ends the session after the current solve, so that no result is lost;
/// a second one ends the program.
Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener);

} // namespace percussion::fc
