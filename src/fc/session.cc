#include <percussion/base/blas_threads.h>
#include <percussion/fc/session.h>
#include <percussion/fc/table.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>
#include <optional>

namespace percussion::fc {
namespace {

volatile std::sig_atomic_t stop_is_wanted = 0;

void take_signal(const int signal) {
  stop_is_wanted = 1;
  std::signal(signal, SIG_DFL);
}

struct Solved {
  std::string solver;
  GlobalConeSolution solution; ///< in natural units
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
  Agreement worst{problem, "", "", -1.};
  for (std::size_t i = 0; i < solved.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double d = distance(solved[i].solution.u, solved[j].solution.u);
          d > worst.difference)
        worst = {problem, solved[j].solver, solved[i].solver, d};
  results.agreement.push_back(worst);
}

/// The solutions of all solvers that meet the tolerance.
std::vector<Solved> solve_all(const ProblemFile &file, const PreparedProblem &problem,
                              const Settings &settings, const Listener &listener,
                              Results &results) {
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
    solution.residual = run.residual; // whatever the solver says
    if (run.solved)
      solved.push_back({run.solver, std::move(solution)});
    results.runs.push_back(std::move(run));
  }
  return solved;
}

/// Write the solution of least residual, unless the one in the file is better.
void write_best(const ProblemFile &file, const PreparedProblem &problem,
                const std::vector<Solved> &solved, const Listener &listener, Results &results) {
  const std::string path = file.path.string();
  const auto best =
      std::min_element(solved.begin(), solved.end(), [](const Solved &a, const Solved &b) {
        return a.solution.residual < b.solution.residual;
      });
  if (best == solved.end())
    return listener.warning(path + ": no solver has solved it, hence no solution is written");
  const GlobalConeSolution solution = in_units_of_file(problem, best->solution);
  const double residual = residual_of(problem.file.problem, solution);
  if (problem.file.solution)
    if (const double other = residual_of(problem.file.problem, *problem.file.solution);
        other < residual)
      return listener.warning(path +
                              ": the solution in the file is better and stays (raw residual " +
                              scientific(other) + " against " + scientific(residual) + ")");
  try {
    write_fclib_solution(path, solution);
  } catch (const std::exception &error) {
    results.all_written = false;
    listener.warning(error.what());
  }
}

} // namespace

Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener) {
  std::signal(SIGINT, take_signal);
  std::signal(SIGTERM, take_signal);
  use_one_blas_thread();
  Results results;
  for (const auto &file : files) {
    if (stop_is_wanted)
      break;
    std::optional<PreparedProblem> problem;
    try {
      problem = prepare(read_fclib(file.path.string()), settings.warm);
    } catch (const std::exception &error) {
      results.broken.push_back({file.path.string(), error.what()});
      listener.warning(error.what());
      continue;
    }
    const auto solved = solve_all(file, *problem, settings, listener, results);
    compare(file.name, solved, results);
    if (settings.write)
      write_best(file, *problem, solved, listener, results);
  }
  results.interrupted = stop_is_wanted != 0;
  std::stable_sort(
      results.agreement.begin(), results.agreement.end(),
      [](const Agreement &a, const Agreement &b) { return a.difference > b.difference; });
  return results;
}

} // namespace percussion::fc
