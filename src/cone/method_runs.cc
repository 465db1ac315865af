#include "method_runs.h"

#include <percussion/cone/admm.h>
#include <percussion/cone/interior.h>
#include <percussion/cone/lemke.h>
#include <percussion/cone/multipliers.h>
#include <percussion/cone/natural_map.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>

#include "central_path.h"
#include "delassus.h"
#include <algorithm>
#include <sstream>
#include <utility>

namespace percussion {

template <int d>
bool MethodRuns<d>::nsgs(unsigned int max_sweeps) {
  const unsigned int start_iterations = solution.iterations;
  store_best();
  solution.iterations +=
      percussion::nsgs<d>(problem, options.tolerance, std::min(max_sweeps, remaining_iterations()),
                          solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs", start_iterations);
  return solution.converged;
}

/// Runs this number of sweeps. Returns true if the result is exact to round-off, in any units.
template <int d>
bool MethodRuns<d>::exact_sweeps(unsigned int sweeps) {
  constexpr double round_off = 1e-13;
  const unsigned int start_iterations = solution.iterations;
  solution.iterations += percussion::nsgs<d>(problem, 0., sweeps, solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs", start_iterations);
  return solution.converged && is_small(problem.q, solution.p, solution.residual, round_off);
}

template <int d>
bool MethodRuns<d>::newton_from_start(std::string_view name, unsigned int max_iterations) {
  if (solution.status.size() == problem.n_contacts)
    newtons.plain().start_from_status(problem, solution);
  else
    newtons.plain().start_from_percussion(problem, solution.p);
  return newton(name, max_iterations);
}

template <int d>
bool MethodRuns<d>::newton_from_percussion(std::string_view name, unsigned int max_iterations) {
  newtons.plain().start_from_percussion(problem, solution.p);
  return newton(name, max_iterations);
}

/// Runs Newton from the statuses set before, and takes the result if it is better than the current
/// one. Statuses need not repeat if the tolerance is met: at a tie between two statuses they may
/// alternate although both solve the problem.
template <int d>
bool MethodRuns<d>::newton(std::string_view name, unsigned int max_iterations) {
  constexpr double slip_accuracy = 0.01; // relative to the tolerance: nearly round-off
  ActiveSetNewton<d> &newton = newtons.plain();
  const unsigned int start_iterations = solution.iterations;
  const NewtonOutcome outcome =
      newton.iterate(problem, std::min(max_iterations, options.max_newton_iterations), deadline,
                     d == 3 ? slip_accuracy * options.tolerance : 0.);
  solution.iterations += newton.iterations();
  const bool broken = outcome == NewtonOutcome::broken_down;
  const double residual = broken ? std::numeric_limits<double>::infinity()
                                 : natural_map_residual(problem, newton.p(), newton.u());
  take(name, outcome, residual);
  note(newton.singular() ? "newton, singular" : "newton", start_iterations);
  return solution.converged;
}

/// Takes Newton's result, if usable and better than the current one.
template <int d>
void MethodRuns<d>::take(std::string_view name, NewtonOutcome outcome, double residual) {
  const ActiveSetNewton<d> &newton = newtons.plain();
  const bool meets_tolerance = residual <= options.tolerance;
  const bool usable = outcome == NewtonOutcome::repeated || meets_tolerance;
  if (!usable || !(residual < solution.residual))
    return;

  solution.p = newton.p();
  solution.u = newton.u();
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  solution.residual = residual;
  solution.converged = meets_tolerance;
  solution.method = name;
}

template <int d>
bool MethodRuns<d>::natural_map() {
  const unsigned int start_iterations = solution.iterations;
  solution.iterations +=
      natural_map_newton<d>(problem, options.tolerance, 4 * options.max_newton_iterations,
                            options.line_search, deadline, solution.p);
  complete_solution("natural-map");
  note("natural-map", start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::proximal(unsigned int max_iterations, double first_epsilon,
                             unsigned int max_newton_iterations) {
  typename ProximalNewton<d>::Options limits;
  limits.max_newton_iterations = max_newton_iterations;
  limits.max_iterations = max_iterations;
  limits.first_epsilon = first_epsilon;
  return proximal_within(limits, "proximal");
}

/// Starts from p only, like proximal_from_percussion().
template <int d>
bool MethodRuns<d>::patient_proximal(unsigned int max_iterations, double first_epsilon) {
  typename ProximalNewton<d>::Options limits;
  limits.max_newton_iterations = 25; // a longer run needs a larger ε
  limits.max_iterations = max_iterations;
  limits.first_epsilon = first_epsilon;
  limits.is_patient = true;
  newtons.proximal().forget();
  solution.status.clear();
  proximal_within(limits, "proximal, patient");
  if (solution.status.empty())
    complete_solution(solution.method);
  return solution.converged;
}

/// Runs proximal points from p only: the statuses follow from p, with slip directions.
template <int d>
bool MethodRuns<d>::proximal_from_percussion(unsigned int max_iterations, double first_epsilon) {
  newtons.proximal().forget();
  solution.status.clear();
  proximal(max_iterations, first_epsilon);
  if (solution.status.empty())
    complete_solution(solution.method);
  return solution.converged;
}

/// Runs proximal points within these limits and the limits of all methods.
template <int d>
bool MethodRuns<d>::proximal_within(typename ProximalNewton<d>::Options limits,
                                    std::string_view name) {
  limits.tolerance = options.tolerance;
  limits.max_newton_iterations =
      std::min(limits.max_newton_iterations, options.max_newton_iterations);
  limits.max_iterations = std::min(limits.max_iterations, remaining_iterations());
  limits.deadline = deadline;
  const unsigned int start_iterations = solution.iterations;
  solution.converged = newtons.proximal().solve(problem, limits, solution);
  note(name, start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::lemke() {
  if (d != 2) {
    solution.outcome = ConeOutcome::not_applicable;
    return false;
  }
  const unsigned int start_iterations = solution.iterations;
  solution.iterations +=
      percussion::lemke(problem, options.tolerance, remaining_iterations(), deadline, solution.p);
  complete_solution("lemke");
  note("lemke", start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::admm(unsigned int max_iterations) {
  const unsigned int start_iterations = solution.iterations;
  solution.iterations +=
      percussion::admm<d>(problem, options.tolerance,
                          std::min(max_iterations, remaining_iterations()), deadline, solution.p);
  complete_solution("admm");
  note("admm", start_iterations);
  return solution.converged;
}

/// Runs multipliers() in the space of the bodies.
template <int d>
bool MethodRuns<d>::multipliers(unsigned int max_iterations) {
  store_best();
  const unsigned int start_iterations = solution.iterations;
  solution.iterations += percussion::multipliers(problem, options.tolerance,
                                                 std::min(max_iterations, remaining_iterations()),
                                                 deadline, solution.p);
  complete_solution("multipliers");
  note("multipliers", start_iterations);
  return solution.converged;
}

template <int d>
void MethodRuns<d>::interior_points(double accuracy) {
  constexpr unsigned int max_iterations = 100;
  const unsigned int start_iterations = solution.iterations;
  solution.iterations +=
      interior_point<d>(problem, std::max(options.tolerance, accuracy),
                        std::min(max_iterations, remaining_iterations()), deadline, solution.p);
  complete_solution("interior");
  note("interior", start_iterations);
}

/// Follows the path for the next κ after a failure. From its end, proximal points need few steps,
/// unlike from points of the same residual found by sweeps or proximal points.
template <int d>
void MethodRuns<d>::follow_central_path(double accuracy, std::initializer_list<double> kappas) {
  constexpr double useful_residual = 1e-3;
  unsigned int budget = 400; // number of factorisations: a longer path has no end
  for (const double kappa : kappas) {
    store_best();
    const unsigned int start_iterations = solution.iterations;
    const unsigned int n =
        central_path<d>(problem, kappa, std::max(options.tolerance, accuracy),
                        std::min(budget, remaining_iterations()), deadline, solution.p);
    solution.iterations += n;
    budget -= n;
    complete_solution("interior");
    note("interior, central path", start_iterations);
    if (solution.residual <= useful_residual || at_limit())
      return;
    if (budget == 0)
      break;
  }
  restore_best();
}

/// Computes all other components of the solution from its p.
template <int d>
void MethodRuns<d>::complete_solution(std::string_view name) {
  velocities<d>(problem, solution.p, solution.u);
  const Delassus<d> W(problem);
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = local::local_status<d>(&solution.p[d * i], &solution.u[d * i],
                                                problem.mu[i], W.diagonal_block(i))
                             .status;
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  solution.converged = solution.residual <= options.tolerance;
  solution.method = name;
}

/// Adds a line to the record.
template <int d>
void MethodRuns<d>::note(std::string_view name, unsigned int iterations_before) {
  if (!options.record)
    return;
  std::ostringstream line;
  line << name << ": " << solution.iterations - iterations_before << " iterations, residual "
       << solution.residual;
  solution.record.push_back(line.str());
}

template <int d>
void MethodRuns<d>::restart() {
  store_best();
  solution.p.assign(problem.q.size(), 0.);
  solution.status.clear();
  solution.residual = std::numeric_limits<double>::infinity();
}

/// Stores the solution if it is the best so far.
template <int d>
void MethodRuns<d>::store_best() {
  if (solution.residual < best.residual)
    best = solution;
}

/// Returns to the best solution so far.
template <int d>
void MethodRuns<d>::restore_best() {
  if (best.residual < solution.residual) {
    best.iterations = solution.iterations;
    best.record = std::move(solution.record);
    solution = best;
  }
}

/// Returns the remaining number of iterations, sweeps and pivots.
template <int d>
unsigned int MethodRuns<d>::remaining_iterations() const {
  return options.max_iterations - std::min(options.max_iterations, solution.iterations);
}

template class MethodRuns<2>;
template class MethodRuns<3>;

} // namespace percussion
