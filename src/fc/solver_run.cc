#include <percussion/cone/deadline.h>
#include <percussion/cone/global.h>
#include <percussion/cone/natural_solve.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>
#include <percussion/fc/solver_run.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace percussion::fc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void scale(const double factor, std::vector<double> &values) {
  for (double &value : values)
    value *= factor;
}

/// Returns the time of reading the clock: about as much as a solve of one contact.
double least_time() {
  double shortest = infinity;
  for (unsigned int n = 0; n < 1000; ++n) {
    const double start_time = Deadline::processor_time();
    shortest = std::min(shortest, Deadline::processor_time() - start_time);
  }
  return shortest;
}

void solve_once(const AnyProblem &problem, const ConeOptions &options,
                GlobalConeSolution &solution) {
  if (const auto *global = std::get_if<GlobalFrictionContactProblem>(&problem))
    solve_global(*global, options, solution);
  else
    ConeSolver(options).solve(std::get<FrictionContactProblem>(problem), solution);
}

/// Solves repeatedly if one solve is fast; returns the shortest time, less the time of the clock.
/// If the clock takes as long as a solve, it is read once for many solves, each by a new solver.
double solve_timed(const AnyProblem &problem, const ConeOptions &options,
                   GlobalConeSolution &solution) {
  constexpr double resolution = 2e-8, very_fast = 2e-6; // resolution of the clock, and time of a
                                                        // solve comparable to it
  constexpr std::size_t max_repetitions = 64;
  static const double clock_time = least_time();
  double fastest = infinity, sum = 0.;
  const GlobalConeSolution start = solution;
  std::vector<GlobalConeSolution> solutions(1);
  for (unsigned int n = 1;; ++n) {
    for (GlobalConeSolution &copy : solutions)
      copy = start;
    const double start_time = Deadline::processor_time();
    for (GlobalConeSolution &copy : solutions)
      solve_once(problem, options, copy);
    const double time = std::max(Deadline::processor_time() - start_time - clock_time, resolution);
    fastest = std::min(fastest, time / static_cast<double>(solutions.size()));
    sum += time;
    // The first solve may have loaded libraries.
    if (n == 1 ? fastest > 0.1 : fastest > 1e-3 || sum > 5e-3)
      break;
    if (fastest < very_fast && solutions.size() == 1) {
      solutions.resize(max_repetitions);
      fastest = infinity;
    }
  }
  solution = std::move(solutions.front());
  return fastest;
}

bool fits(const AnyProblem &problem, const GlobalConeSolution &solution) {
  if (const auto *reduced = std::get_if<FrictionContactProblem>(&problem))
    return solution.p.size() == reduced->q.size();
  const auto &global = std::get<GlobalFrictionContactProblem>(problem);
  return solution.p.size() == global.b.size() && solution.v.size() == global.q.size();
}

std::size_t count(const GlobalConeSolution &solution, const ContactStatus status) {
  return std::count(solution.status.begin(), solution.status.end(), status);
}

} // namespace

PreparedProblem prepare(FclibFile file) {
  PreparedProblem prepared;
  if (const auto *global = std::get_if<GlobalFrictionContactProblem>(&file.problem)) {
    prepared.units = natural_units(reduced_problem(*global));
    prepared.problem = to_units(prepared.units, *global);
  } else {
    const auto &reduced = std::get<FrictionContactProblem>(file.problem);
    prepared.units = natural_units(reduced);
    prepared.problem = percussion::to_units(prepared.units, reduced);
  }
  prepared.run_units.velocity = prepared.units.velocity * file.velocity_unit;
  prepared.run_units.percussion = prepared.units.percussion * file.percussion_unit;
  prepared.file = std::move(file);
  return prepared;
}

std::string_view name_of(const Start start) {
  return start == Start::cold ? "cold" : start == Start::guess ? "guess" : "last";
}

GlobalConeSolution to_natural_units(const PreparedProblem &problem, const NaturalUnits &units,
                                    GlobalConeSolution solution) {
  if (!fits(problem.problem, solution))
    return {};
  into_units(units, solution);
  scale(1. / units.velocity, solution.v);
  return solution;
}

GlobalConeSolution out_of_natural_units(const NaturalUnits &units, GlobalConeSolution solution) {
  out_of_units(units, solution);
  scale(units.velocity, solution.v);
  return solution;
}

double residual_of(const AnyProblem &problem, const GlobalConeSolution &solution) {
  if (!fits(problem, solution))
    return infinity;
  if (const auto *reduced = std::get_if<FrictionContactProblem>(&problem))
    return natural_map_residual(*reduced, solution.p);
  return natural_map_residual(std::get<GlobalFrictionContactProblem>(problem), solution);
}

Run solve(const PreparedProblem &problem, const ConeMethodEntry &solver, ConeOptions options,
          GlobalConeSolution &solution) {
  Run run;
  run.solver = solver.name;
  std::visit(
      [&run](const auto &contact_problem) {
        run.dimension = contact_problem.dimension;
        run.n_contacts = contact_problem.n_contacts;
      },
      problem.problem);
  run.global = std::holds_alternative<GlobalFrictionContactProblem>(problem.problem);
  options.method = solver.method;
  try {
    run.time = solve_timed(problem.problem, options, solution);
  } catch (const std::invalid_argument &) {
    throw;
  } catch (const std::exception &error) {
    solution = {};
    run.message = error.what();
  }
  run.outcome = solution.outcome;
  run.method = solution.method;
  run.record = std::move(solution.record);
  run.iterations = solution.iterations;
  run.residual = residual_of(problem.problem, solution);
  run.raw_residual =
      residual_of(problem.file.problem, out_of_natural_units(problem.units, solution));
  run.solved = run.residual <= options.tolerance;
  run.n_open = count(solution, ContactStatus::open);
  run.n_stick = count(solution, ContactStatus::stick);
  run.n_slip = count(solution, ContactStatus::slip);
  return run;
}

std::string_view verdict(const Run &run) {
  if (run.solved)
    return "converged";
  if (run.outcome == ConeOutcome::converged)
    return "false claim"; // the solver claims that its result is a solution
  return outcome_name(run.outcome);
}

} // namespace percussion::fc
