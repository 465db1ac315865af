#include "method_runs.h"

#include <percussion/cone/natural_map.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>

#include "central_path.h"
#include "check.h"
#include "delassus_operator.h"
#include "patches.h"
#include <algorithm>
#include <sstream>
#include <utility>

namespace percussion {
namespace {

constexpr double slip_accuracy = 0.01; ///< relative to the tolerance: nearly round-off

} // namespace

template <int d>
bool MethodRuns<d>::run(const Call<d> &call, Start start) {
  is_past_limit = is_at_limit();
  if (!call.is_short)
    store_best();
  if (start == Start::best)
    restore_best();
  else if (start != Start::current)
    restart_from(start == Start::kept_percussion ? kept_percussion
                                                 : std::vector<double>(problem.q.size(), 0.));
  return call.method && (this->*call.method)(call);
}

template <int d>
bool MethodRuns<d>::iterate(const Call<d> &call) {
  const unsigned int start_iterations = solution.iterations;
  solution.iterations += call.iteration(problem, std::max(options.tolerance, call.parameter),
                                        limit_of(call), deadline, solution.p);
  complete_solution(call.name.substr(0, call.name.find(',')));
  note(call.name, start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::interior_points(const Call<d> &call) {
  iterate(call);
  note_arrival(solution.residual <= call.parameter);
  return solution.converged;
}

/// Runs all sweeps. Returns true if the result is exact to round-off, in any units.
template <int d>
bool MethodRuns<d>::exact_sweeps(const Call<d> &call) {
  constexpr double round_off = 1e-13;
  const unsigned int start_iterations = solution.iterations;
  solution.iterations += nsgs<d>(problem, 0., call.budget, solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs", start_iterations);
  return solution.converged && is_small(problem.q, solution.p, solution.residual, round_off);
}

/// Relaxes contacts. Returns true if the result is as accurate as a result of Newton.
template <int d>
bool MethodRuns<d>::relax(const Call<d> &call) {
  const unsigned int start_iterations = solution.iterations;
  solution.iterations += percussion::relax<d>(problem, std::max(options.tolerance, call.parameter),
                                              limit_of(call), solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs, relaxation", start_iterations);
  return solution.converged &&
         is_small(problem.q, solution.p, solution.residual, slip_accuracy * options.tolerance);
}

template <int d>
bool MethodRuns<d>::patches(const Call<d> &call) {
  if (d != 3)
    return false;
  const unsigned int start_iterations = solution.iterations;
  ConeOptions remaining = options;
  remaining.max_iterations = remaining_iterations();
  solution.iterations += solve_patches(problem, remaining, limit_of(call), deadline, solution.p);
  complete_solution("nsgs");
  note(call.name, start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::newton_from_status(const Call<d> &call) {
  if (solution.status.size() == problem.n_contacts)
    newtons.plain().start_from_status(problem, solution);
  else
    newtons.plain().start_from_percussion(problem, solution.p);
  return newton(call);
}

template <int d>
bool MethodRuns<d>::newton_from_percussion(const Call<d> &call) {
  newtons.plain().start_from_percussion(problem, solution.p);
  return newton(call);
}

/// Runs Newton from the statuses set before, and takes the result if it is better than the current
/// one. Statuses need not repeat if the tolerance is met: at a tie between two statuses they may
/// alternate although both solve the problem.
template <int d>
bool MethodRuns<d>::newton(const Call<d> &call) {
  ActiveSetNewton<d> &newton = newtons.plain();
  const unsigned int start_iterations = solution.iterations;
  const NewtonOutcome outcome =
      newton.iterate(problem, std::min(call.budget, options.max_newton_iterations), deadline,
                     d == 3 ? slip_accuracy * options.tolerance : 0.);
  solution.iterations += newton.iterations();
  const bool broken = outcome == NewtonOutcome::broken_down;
  const double residual = broken ? std::numeric_limits<double>::infinity()
                                 : natural_map_residual(problem, newton.p(), newton.u());
  take(call.name, outcome, residual);
  if (!solution.converged && problem.n_contacts > max_contacts_of_kept_factors)
    newton.release_factors();
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
bool MethodRuns<d>::natural_map(const Call<d> & /*call*/) {
  const unsigned int start_iterations = solution.iterations;
  solution.iterations +=
      natural_map_newton<d>(problem, options.tolerance, 4 * options.max_newton_iterations,
                            options.line_search, deadline, solution.p);
  complete_solution("natural-map");
  note("natural-map", start_iterations);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::lemke(const Call<d> &call) {
  if (d != 2) {
    solution.outcome = ConeOutcome::not_applicable;
    return false;
  }
  progress |= after_pivots;
  return iterate(call);
}

template <int d>
bool MethodRuns<d>::proximal(const Call<d> &call) {
  return proximal_within({}, call, "proximal");
}

template <int d>
bool MethodRuns<d>::restarted_proximal(const Call<d> &call) {
  newtons.proximal().forget();
  return proximal(call);
}

template <int d>
bool MethodRuns<d>::proximal_from_percussion(const Call<d> &call) {
  solution.status.clear();
  restarted_proximal(call);
  if (solution.status.empty())
    complete_solution(solution.method);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::patient_proximal(const Call<d> &call) {
  typename ProximalNewton<d>::Options limits;
  limits.max_newton_iterations = 25; // a longer run needs a larger ε
  limits.is_patient = true;
  newtons.proximal().forget();
  solution.status.clear();
  proximal_within(limits, call, "proximal, patient");
  if (solution.status.empty())
    complete_solution(solution.method);
  return solution.converged;
}

/// Runs proximal points within these limits, the budget, and the limits of all methods.
template <int d>
bool MethodRuns<d>::proximal_within(typename ProximalNewton<d>::Options limits, const Call<d> &call,
                                    std::string_view name) {
  limits.tolerance = options.tolerance;
  limits.first_epsilon = call.parameter;
  limits.max_newton_iterations =
      std::min({limits.max_newton_iterations, call.budget, options.max_newton_iterations});
  limits.max_iterations = limit_of(call);
  limits.deadline = deadline;
  const unsigned int start_iterations = solution.iterations;
  solution.converged = newtons.proximal().solve(problem, limits, solution);
  note(name, start_iterations);
  return solution.converged;
}

/// Follows the path for the next κ after a failure. From its end, proximal points need few steps,
/// unlike from points of the same residual found by sweeps or proximal points.
template <int d>
bool MethodRuns<d>::follow_paths(const Call<d> &call, std::initializer_list<double> kappas) {
  constexpr double useful_residual = 1e-3;
  unsigned int budget = call.budget; // number of factorisations: a longer path has no end
  progress |= after_path;
  for (const double kappa : kappas) {
    store_best();
    const unsigned int start_iterations = solution.iterations;
    const unsigned int n =
        central_path<d>(problem, kappa, std::max(options.tolerance, call.parameter),
                        std::min(budget, remaining_iterations()), deadline, solution.p);
    solution.iterations += n;
    budget -= n;
    complete_solution("interior");
    note("interior, central path", start_iterations);
    if (solution.residual <= useful_residual || budget == 0 || is_at_limit())
      break;
  }
  if (solution.residual > useful_residual && !is_at_limit())
    restore_best();
  note_arrival(solution.residual <= call.parameter);
  return solution.converged;
}

template <int d>
bool MethodRuns<d>::refute(const Call<d> & /*call*/) {
  if (!closes_on_what_cannot_give(problem))
    return false;
  solution.outcome = best.outcome = ConeOutcome::no_solution;
  return true;
}

template <int d>
bool MethodRuns<d>::keep_percussion(const Call<d> & /*call*/) {
  kept_percussion = solution.p;
  return false;
}

/// Computes all other components of the solution from its p.
template <int d>
void MethodRuns<d>::complete_solution(std::string_view name) {
  velocities<d>(problem, solution.p, solution.u);
  const DelassusOperator<d> W(problem);
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
void MethodRuns<d>::restart_from(const std::vector<double> &p) {
  solution.p = p;
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

template <int d>
unsigned int MethodRuns<d>::limit_of(const Call<d> &call) const {
  const unsigned int remaining = remaining_iterations();
  return call.budget == half_of_rest ? remaining / 2 : std::min(call.budget, remaining);
}

template class MethodRuns<2>;
template class MethodRuns<3>;

} // namespace percussion
