#include <percussion/base/blas_threads.h>
#include <percussion/fc/run_table.h>
#include <percussion/fc/session.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <exception>
#include <stdexcept>

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

/// Data shared by the runs of a session.
struct Session {
  const Settings &settings;
  const Listener &listener;
  Results &results;
  std::vector<GlobalConeSolution> last; ///< solution of each solver, in the units of the run
};

/// Runs a solver, and keeps its result if it meets the tolerance. Returns true if it does.
bool attempt(const ProblemFile &file, const PreparedProblem &problem, const ConeMethodEntry &solver,
             GlobalConeSolution solution, Start start, const Session &session,
             std::vector<Solved> &solved) {
  const bool is_cold = solution.p.empty();
  Run run = solve(problem, solver, session.settings.options, solution);
  if (start == Start::last)
    run.solver = warm_name(run.solver);
  run.start = is_cold ? Start::cold : start;
  run.problem = file.name;
  run.file = file.path.string();
  if (!run.message.empty())
    session.listener.warning(file.name + ", " + run.solver + ": " + run.message);
  session.listener.report_run(run);
  solution.residual = run.residual; // independent of the solver's value
  if (run.solved)
    solved.push_back({run.solver, std::move(solution)});
  session.results.runs.push_back(std::move(run));
  return session.results.runs.back().solved;
}

/// Returns the solutions of all solvers that meet the tolerance.
std::vector<Solved> solve_all(const ProblemFile &file, const PreparedProblem &problem,
                              Session &session) {
  std::vector<Solved> solved;
  const auto &guesses = problem.file.guesses;
  const auto first = session.settings.warm && !guesses.empty()
                         ? to_natural_units(problem, problem.units, guesses.front())
                         : GlobalConeSolution();
  for (std::size_t k = 0; k < session.settings.solvers.size() && !stop_is_wanted; ++k) {
    const auto &solver = session.settings.solvers[k];
    attempt(file, problem, solver, first, Start::guess, session, solved);
    if (!session.settings.sequence || stop_is_wanted)
      continue;
    GlobalConeSolution &last = session.last[k];
    const bool is_solved =
        attempt(file, problem, solver, to_natural_units(problem, problem.run_units, last),
                Start::last, session, solved);
    last = is_solved ? out_of_natural_units(problem.run_units, solved.back().solution)
                     : GlobalConeSolution();
  }
  return solved;
}

/// Writes the solution of smallest residual, unless the one in the file is better.
void write_best(const ProblemFile &file, const PreparedProblem &problem,
                const std::vector<Solved> &solved, const Listener &listener, Results &results) {
  const std::string path = file.path.string();
  const auto best =
      std::min_element(solved.begin(), solved.end(), [](const Solved &a, const Solved &b) {
        return a.solution.residual < b.solution.residual;
      });
  if (best == solved.end())
    return listener.warning(path +
                            ": no solver has solved the problem, hence no solution is written");
  const GlobalConeSolution solution = out_of_natural_units(problem.units, best->solution);
  const double residual = residual_of(problem.file.problem, solution);
  if (problem.file.solution)
    if (const double file_residual = residual_of(problem.file.problem, *problem.file.solution);
        file_residual < residual)
      return listener.warning(path +
                              ": the solution in the file is better and stays (raw residual " +
                              scientific(file_residual) + " against " + scientific(residual) + ")");
  try {
    write_fclib_solution(path, solution);
  } catch (const std::exception &error) {
    results.all_written = false;
    listener.warning(error.what());
  }
}

} // namespace

std::string warm_name(const std::string_view solver) { return std::string(solver) + " (warm)"; }

Results run_all(const std::vector<ProblemFile> &files, const Settings &settings,
                const Listener &listener) {
  std::signal(SIGINT, take_signal);
  std::signal(SIGTERM, take_signal);
  use_one_blas_thread();
  Results results;
  Session session{settings, listener, results,
                  std::vector<GlobalConeSolution>(settings.solvers.size())};
  for (const auto &file : files) {
    if (stop_is_wanted)
      break;
    const std::string path = file.path.string();
    const auto report = [&](const std::string &message) {
      results.broken.push_back({path, message});
      listener.warning(message);
    };
    try {
      const PreparedProblem problem = prepare(read_problem_file(path));
      const auto solved = solve_all(file, problem, session);
      compare(file.name, solved, results);
      if (settings.write)
        write_best(file, problem, solved, listener, results);
    } catch (const std::invalid_argument &error) { // the data are readable, but do not form a
                                                   // problem
      report(path + ": " + error.what());
    } catch (const std::exception &error) {
      report(error.what());
    }
  }
  results.interrupted = stop_is_wanted != 0;
  std::stable_sort(
      results.agreement.begin(), results.agreement.end(),
      [](const Agreement &a, const Agreement &b) { return a.difference > b.difference; });
  return results;
}

} // namespace percussion::fc
