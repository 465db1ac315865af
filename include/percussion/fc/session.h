#pragma once

#include <percussion/cone/method.h>
#include <percussion/fc/problem_files.h>
#include <percussion/fc/run.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion::fc {

/// What is asked of a session.
struct Settings {
  std::vector<ConeMethodEntry> solvers; ///< each on every problem
  ConeOptions options;                  ///< its method is left to `solvers`
  bool warm = false;                    ///< start from the file's first guess
  bool write = false;                   ///< the best solution into the problem's file
};

/// How far apart two solvers' solutions of a problem are: the largest of all pairs that both
/// converged. Velocities are compared, as percussions need not be unique.
struct Agreement {
  std::string problem, first, second;
  double difference = 0.; ///< max |u_first − u_second| in natural units
};

/// A file and what is wrong with it.
struct BrokenFile {
  std::string file, message;
};

/// All that a session has found.
struct Results {
  std::vector<Run> runs;             ///< problem by problem
  std::vector<Agreement> agreement;  ///< the worst first
  std::vector<BrokenFile> broken;    ///< files that hold no problem
  std::vector<BrokenFile> unwritten; ///< files that would not take their solution
  bool interrupted = false;          ///< by a signal: the runs are not all
};

/// What is to be said while it goes on.
struct Listener {
  std::function<void(const Run &)> done;            ///< called after each run
  std::function<void(const std::string &)> warning; ///< called with a sentence
};

/// Every solver on every problem. A broken file is told and left out.
///
/// From here on the first SIGINT or SIGTERM ends this after the solve that is under way, so that
/// nothing measured is lost; a second one ends the program.
Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener);

} // namespace percussion::fc
