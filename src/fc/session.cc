#include <percussion/base/blas_threads.h>
#include <percussion/fc/session.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>
#include <optional>
#include <sstream>

namespace percussion::fc {
namespace {

volatile std::sig_atomic_t stop_is_wanted = 0;

void take_signal(const int signal) {
  stop_is_wanted = 1;
  std::signal(signal, SIG_DFL);
}

struct Solved {
  std::string solver;
  std::vector<double> u;
};

double distance(const std::vector<double> &x, const std::vector<double> &y) {
  double largest = 0.;
  for (std::size_t k = 0; k < x.size(); ++k)
    largest = std::max(largest, std::abs(x[k] - y[k]));
  return largest;
}

void compare(const std::string &problem, const std::vector<Solved> &solved, Results &results) {
  if (solved.size() < 2)
    return;
  Agreement worst{problem, solved[0].solver, solved[1].solver, -1.};
  for (std::size_t i = 0; i < solved.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double d = distance(solved[i].u, solved[j].u); d > worst.difference)
        worst = {problem, solved[j].solver, solved[i].solver, d};
  results.agreement.push_back(worst);
}

std::string number(const double value) {
  std::ostringstream text;
  text.precision(2);
  text << std::scientific << value;
  return text.str();
}

/// Runs the solvers on one problem after the other and keeps the best solution of each.
class Session {
public:
  Session(const Settings &wanted, const Listener &ears, Results &found)
      : settings(wanted), listener(ears), results(found) {}

  void treat(const ProblemFile &file) {
    std::optional<PreparedProblem> problem;
    try {
      problem = prepare(read_fclib(file.path.string()), settings.warm);
    } catch (const std::exception &error) {
      results.broken.push_back({file.path.string(), error.what()});
      listener.warning(error.what());
      return;
    }
    best = {};
    solve_all(file, *problem);
    if (settings.write)
      write_best(file, *problem);
  }

private:
  void solve_all(const ProblemFile &file, const PreparedProblem &problem) {
    std::vector<Solved> solved;
    for (const auto &solver : settings.solvers) {
      if (stop_is_wanted)
        break;
      GlobalConeSolution solution;
      Run run = solve(problem, solver, settings.options, solution);
      run.problem = file.name;
      run.file = file.path.string();
      if (!run.message.empty())
        listener.warning(file.name + ", " + run.solver + ": " + run.message);
      listener.done(run);
      if (run.solved) {
        solved.push_back({run.solver, local_velocities(problem.problem, solution)});
        solution.residual = run.residual; // what decides which is the best
        if (!best.converged || run.residual < best.residual)
          best = std::move(solution);
        best.converged = true;
      }
      results.runs.push_back(std::move(run));
    }
    compare(file.name, solved, results);
  }

  /// A solution that is in the file already gives way to a better one only.
  void write_best(const ProblemFile &file, const PreparedProblem &problem) {
    if (!best.converged)
      return listener.warning(file.path.string() +
                              ": no solver has solved it, hence no solution is written");
    GlobalConeSolution solution = in_units_of_file(problem, std::move(best));
    solution.residual = residual_of(problem.file.problem, solution);
    if (problem.file.solution) {
      const double other = residual_of(problem.file.problem, *problem.file.solution);
      if (other < solution.residual)
        return listener.warning(file.path.string() +
                                ": the solution in the file is better and stays (raw residual " +
                                number(other) + " against " + number(solution.residual) + ")");
    }
    try {
      write_fclib_solution(file.path.string(), solution);
    } catch (const std::exception &error) {
      results.unwritten.push_back({file.path.string(), error.what()});
      listener.warning(error.what());
    }
  }

  const Settings &settings;
  const Listener &listener;
  Results &results;
  GlobalConeSolution best; ///< of the problem at hand, in natural units; `converged`: there is one
};

} // namespace

Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener) {
  std::signal(SIGINT, take_signal);
  std::signal(SIGTERM, take_signal);
  use_one_blas_thread();
  Results results;
  Session session(settings, listener, results);
  for (const auto &file : files)
    if (!stop_is_wanted)
      session.treat(file);
  results.interrupted = stop_is_wanted != 0;
  std::stable_sort(
      results.agreement.begin(), results.agreement.end(),
      [](const Agreement &a, const Agreement &b) { return a.difference > b.difference; });
  return results;
}

} // namespace percussion::fc
