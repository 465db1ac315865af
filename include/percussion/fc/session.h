#pragma once

#include <percussion/cone/method.h>
#include <percussion/fc/problem_files.h>
#include <percussion/fc/run.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion::fc {

struct Settings {
  std::vector<ConeMethodEntry> solvers;
  ConeOptions options; ///< its method is left to `solvers`
  bool warm = false;
  bool write = false; ///< the best solution into the problem's file
};

/// How far apart two solvers' solutions of a problem are: the largest of all pairs that both
/// converged. Velocities are compared, as percussions need not be unique.
struct Agreement {
  std::string problem, first, second;
  double difference = 0.; ///< max |u_first − u_second| in natural units
};

struct BrokenFile {
  std::string file, message;
};

struct Results {
  std::vector<Run> runs;
  std::vector<Agreement> agreement; ///< the worst first
  std::vector<BrokenFile> broken;   ///< files that hold no problem
  std::vector<BrokenFile> unwritten;
  bool interrupted = false;
};

/// What is to be said while it goes on.
struct Listener {
  std::function<void(const Run &)> done;
  std::function<void(const std::string &)> warning;
};

/**
 * Every solver on every problem. A broken file is told and left out.
 *
 * From here on the first SIGINT or SIGTERM ends this after the solve that is under way, so that
 * nothing measured is lost; a second one ends the program.
 */
Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener);

} // namespace percussion::fc
