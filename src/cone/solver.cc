#include <percussion/cone/local_solver.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "dense.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace percussion {
namespace {

template <typename... Parts>
[[noreturn]] void refuse(const Parts &...parts) {
  std::ostringstream message;
  message << "frictional contact problem: ";
  (message << ... << parts);
  throw std::invalid_argument(message.str());
}

void check_size(const char *name, std::size_t found, std::size_t expected) {
  if (found != expected)
    refuse(name, " has ", found, " entries instead of ", expected);
}

void check_finite(const char *name, const std::vector<double> &values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      refuse("entry ", k, " of ", name, " is ", values[k]);
}

bool all_finite(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

} // namespace

ConeSolver::ConeSolver(const ConeOptions &options) : options_(options) {
  if (!(options_.tolerance > 0.))
    throw std::invalid_argument("cone solver: the tolerance must be positive");
}

void ConeSolver::solve(const FrictionContactProblem &problem, ConeSolution &solution) {
  check(problem);
  switch (problem.dimension) {
  case 2:
    return solve<2>(problem, solution, newtons_2d_);
  default:
    refuse("dimension ", problem.dimension, " is not available, only 2 is");
  }
}

bool ConeSolver::update(const FrictionContactProblem &problem, bool first, ConeSolution &solution) {
  check(problem);
  ActiveSetNewton<2> &newton = newtons_2d_.plain;
  if (first)
    newton.start_from_status(problem, solution);
  const NewtonOutcome outcome = newton.iterate(problem, 1);
  if (outcome == NewtonOutcome::broken_down) {
    solve(problem, solution);
    newton.start_from_status(problem, solution);
    return solution.converged;
  }
  solution.p = newton.p();
  solution.u = newton.u();
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  solution.iterations = 1;
  solution.method = "pdas";
  solution.residual = natural_map_residual(problem, solution.p);
  solution.converged = solution.residual <= options_.tolerance;
  return outcome == NewtonOutcome::repeated && solution.converged;
}

void ConeSolver::check(const FrictionContactProblem &problem) {
  const std::size_t n = problem.dimension * problem.n_contacts;
  check_size("W", problem.W.size(), n * n);
  check_size("q", problem.q.size(), n);
  check_size("mu", problem.mu.size(), problem.n_contacts);
  check_finite("q", problem.q);

  if (problem.version != 0 && problem.version == checked_version_)
    return;
  check_finite("W", problem.W);
  check_finite("mu", problem.mu);
  for (std::size_t k = 0; k < n; ++k)
    if (problem.W[k * n + k] < 0.)
      refuse("diagonal entry ", k, " of W is negative: ", problem.W[k * n + k]);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    if (problem.mu[i] < 0.)
      refuse("the friction coefficient of contact ", i, " is negative: ", problem.mu[i]);
  checked_version_ = problem.version;
}

template <int d>
void ConeSolver::solve(const FrictionContactProblem &problem, ConeSolution &solution,
                       Newtons<d> &newtons) {
  const bool know_p = solution.p.size() == problem.q.size() && all_finite(solution.p);
  if (!know_p) {
    solution.p.assign(problem.q.size(), 0.);
    solution.status.clear();
  }
  solution.iterations = 0;
  solution.residual = std::numeric_limits<double>::infinity();
  solution.converged = false;

  if (options_.method != ConeMethod::nsgs)
    return solve_by_newton<d>(problem, solution, newtons);
  run_nsgs<d>(problem, options_.max_iterations, solution);
  if (!solution.converged)
    run_proximal(problem, newtons.proximal, solution);
}

template <int d>
void ConeSolver::solve_by_newton(const FrictionContactProblem &problem, ConeSolution &solution,
                                 Newtons<d> &newtons) {
  ActiveSetNewton<d> &newton = newtons.plain;
  if (solution.status.size() == problem.n_contacts)
    newton.start_from_status(problem, solution);
  else
    newton.start_from_percussion(problem, solution.p);
  if (run_newton(problem, newton, "newton", solution))
    return;
  if (newton.singular() && run_proximal(problem, newtons.proximal, solution))
    return;

  // A few sweeps to guess the statuses anew, a few more, then all that are allowed.
  unsigned int sweeps_left = options_.max_iterations;
  for (const unsigned int round : {10U, 50U, std::numeric_limits<unsigned int>::max()}) {
    const unsigned int sweeps = std::min(round, sweeps_left);
    sweeps_left -= sweeps;
    run_nsgs<d>(problem, sweeps, solution);
    if (solution.converged)
      return;
    newton.start_from_percussion(problem, solution.p);
    if (run_newton(problem, newton, "hybrid", solution))
      return;
    if ((round == 50U || newton.singular()) && run_proximal(problem, newtons.proximal, solution))
      return;
    if (round == 50U && run_proximal_from_elsewhere(problem, newtons.proximal, solution))
      return;
    if (sweeps_left == 0)
      return;
  }
}

/// With friction proximal steps can get stuck from one start and not from another: try nothing, and
/// what some sweeps from there give, with several first ε. The solution there is stays if that does
/// no better.
template <int d>
bool ConeSolver::run_proximal_from_elsewhere(const FrictionContactProblem &problem,
                                             ProximalNewton<d> &proximal, ConeSolution &solution) {
  ConeSolution anew;
  anew.p.assign(problem.q.size(), 0.);
  constexpr std::pair<unsigned int, double> sweeps_and_epsilon[] = {
      {0U, 1e-3}, {0U, 1e-4}, {0U, 1e-5}, {0U, 1e-2}, {100U, 1e-4}, {1000U, 1e-3}, {1000U, 1e-5}};
  for (const auto &[sweeps, epsilon] : sweeps_and_epsilon) {
    anew.iterations = solution.iterations;
    run_nsgs<d>(problem, std::min(sweeps, options_.max_iterations), anew);
    proximal.forget();
    if (!anew.converged)
      anew.converged = proximal.solve(problem, options_.tolerance, options_.max_newton_iterations,
                                      anew, epsilon);
    solution.iterations = anew.iterations;
    if (anew.residual < solution.residual)
      solution = anew;
    if (solution.converged)
      return true;
  }
  return false;
}

template <int d>
void ConeSolver::run_nsgs(const FrictionContactProblem &problem, unsigned int max_sweeps,
                          ConeSolution &solution) {
  solution.iterations += nsgs<d>(problem, options_.tolerance, max_sweeps, solution.p);
  solution.u.resize(problem.q.size());
  for (std::size_t row = 0; row < problem.q.size(); ++row)
    solution.u[row] = velocity(problem, row, solution.p.data());
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = local::local_status<d>(&solution.p[d * i], &solution.u[d * i],
                                                problem.mu[i], local::diagonal_block<d>(problem, i))
                             .status;
  solution.residual = natural_map_residual(problem, solution.p);
  solution.converged = solution.residual <= options_.tolerance;
  solution.method = "nsgs";
}

/// Proximal steps from the solution there is. Returns whether it has converged.
template <int d>
bool ConeSolver::run_proximal(const FrictionContactProblem &problem, ProximalNewton<d> &proximal,
                              ConeSolution &solution) {
  solution.converged =
      proximal.solve(problem, options_.tolerance, options_.max_newton_iterations, solution);
  return solution.converged;
}

/// Iterate from where Newton was started, and take the result if it is better than what there is.
/// Statuses need not repeat where the tolerance is met: at a tie between two statuses they may
/// change for ever although either solves the problem. Returns whether the solution has converged.
template <int d>
bool ConeSolver::run_newton(const FrictionContactProblem &problem, ActiveSetNewton<d> &newton,
                            std::string_view name, ConeSolution &solution) {
  const NewtonOutcome outcome = newton.iterate(problem, options_.max_newton_iterations);
  solution.iterations += newton.iterations();
  if (outcome == NewtonOutcome::broken_down)
    return solution.converged;

  const double residual = natural_map_residual(problem, newton.p());
  const bool met = residual <= options_.tolerance;
  const bool usable = outcome == NewtonOutcome::repeated || met;
  if (!usable || !(residual < solution.residual))
    return solution.converged;

  solution.p = newton.p();
  solution.u = newton.u();
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  solution.residual = residual;
  solution.converged = met;
  solution.method = name;
  return met;
}

} // namespace percussion
