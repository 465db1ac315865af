#pragma once

#include <percussion/cone/method.h>
#include <percussion/fc/problem_files.h>
#include <percussion/fc/run.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion::fc {

/// What a session is to do.
struct Settings {
  std::vector<ConeMethodEntry> solvers; ///< each runs on every problem
  ConeOptions options;                  ///< all but its method
  bool warm = false;                    ///< start from the first guess in the file
  /// Each solver runs a second time, as "name (warm)", and starts then from its solution of the
  /// problem before, if that has been solved and has the same sizes.
  bool sequence = false;
  bool write = false; ///< write the best solution into the file
};

/// The two solvers whose solutions of a problem differ most. Velocities are compared, as
/// percussions need not be unique.
struct Agreement {
  std::string problem, first, second;
  double difference = 0.; ///< max |u_first − u_second| in natural units
};

/// A file and what is wrong with it.
struct BrokenFile {
  std::string file, message;
};

/// What a session has found.
struct Results {
  std::vector<Run> runs;            ///< problem by problem
  std::vector<Agreement> agreement; ///< problems solved by two or more, the worst first
  std::vector<BrokenFile> broken;   ///< files without a problem
  bool all_written = true;          ///< the solutions, where they were to be
  bool interrupted = false;         ///< by a signal: runs are missing
};

/// Called while a session runs.
struct Listener {
  std::function<void(const Run &)> done;            ///< after each run
  std::function<void(const std::string &)> warning; ///< with a sentence
};

/// The name of a solver's runs from the last solution.
std::string warm_name(std::string_view solver);

/// Runs every solver on every problem. Broken files, and those whose data the solvers refuse, are
/// reported and skipped.
///
/// The first SIGINT or SIGTERM ends the session after the current solve, so that no result is lost;
/// a second one ends the program.
Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener);

} // namespace percussion::fc
