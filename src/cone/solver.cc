#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "check.h"
#include "delassus.h"
#include "parts.h"
#include "strategies.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace percussion {

/// Reused from one problem to the next.
struct ConeSolver::Kept {
  std::unique_ptr<KeptNewtons<2>> plane;
  std::unique_ptr<KeptNewtons<3>> space;
  unsigned long checked_version = 0;

  /// Made where needed, as one contact is solved in less time.
  template <int d>
  KeptNewtons<d> &newtons() {
    auto &wanted = [this]() -> auto & {
      if constexpr (d == 2)
        return plane;
      else
        return space;
    }
    ();
    if (!wanted)
      wanted = std::make_unique<KeptNewtons<d>>();
    return *wanted;
  }

  void check(const FrictionContactProblem &problem) {
    const bool known = problem.version != 0 && problem.version == checked_version;
    check_problem(problem, !known);
    checked_version = problem.version;
  }
};

namespace {

bool all_finite(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

void start(const FrictionContactProblem &problem, ConeSolution &solution) {
  if (solution.p.size() != problem.q.size() || !all_finite(solution.p)) {
    solution.p.assign(problem.q.size(), 0.);
    solution.status.clear();
  }
  solution.iterations = 0;
  solution.residual = std::numeric_limits<double>::infinity();
  solution.converged = false;
  solution.outcome = ConeOutcome::stagnated;
  solution.record.clear();
}

void leave_without_percussions(const FrictionContactProblem &problem, ConeSolution &solution) {
  solution.p.assign(problem.q.size(), 0.);
  solution.u = problem.q;
  solution.status.assign(problem.n_contacts, ContactStatus::open);
  solution.residual = natural_map_residual(problem, solution.p);
  solution.method = "none";
}

/// A single contact from rest, in less time than the methods take to set up. False if the result is
/// not exact to round-off.
template <int d>
bool solve_directly(const FrictionContactProblem &problem, ConeSolution &solution) {
  constexpr double round_off = 1e-13;
  const local::Block<d> W = delassus::diagonal_block<d>(problem, 0);
  local::Vector<d> q;
  std::copy_n(problem.q.begin(), d, q.begin());
  const local::Vector<d> p = local::solve_one_contact<d>(W, q, problem.mu[0]);
  std::copy(p.begin(), p.end(), solution.p.begin());
  const local::Vector<d> u = delassus::velocity<d>(problem, 0, p.data());
  solution.u.assign(u.begin(), u.end());
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  if (!delassus::is_small(problem, solution.p, solution.residual, round_off))
    return false;
  solution.status.assign(
      1, local::local_status<d>(p.data(), solution.u.data(), problem.mu[0], W).status);
  solution.iterations = 1;
  solution.method = "nsgs";
  return true;
}

bool is_from_rest(const ConeOptions &options, const ConeSolution &solution) {
  return options.method == ConeMethod::automatic && !options.record && solution.status.empty() &&
         std::all_of(solution.p.begin(), solution.p.end(), [](double x) { return x == 0.; });
}

/// Whether all contacts open by themselves: then p = 0 is exact.
bool all_open(const FrictionContactProblem &problem) {
  for (std::size_t row = 0; row < problem.q.size(); row += problem.dimension)
    if (!(problem.q[row] > 0.))
      return false;
  return problem.n_contacts > 0;
}

void leave_open(const FrictionContactProblem &problem, ConeSolution &solution) {
  solution.u = problem.q;
  solution.status.assign(problem.n_contacts, ContactStatus::open);
  solution.iterations = 1;
  solution.residual = 0.;
  solution.converged = true;
  solution.outcome = ConeOutcome::converged;
  solution.method = "nsgs";
}

template <int d>
void solve(const FrictionContactProblem &problem, const ConeOptions &options,
           const Deadline &deadline, KeptNewtons<d> &newtons, ConeSolution &solution) {
  Strategies<d>(problem, options, deadline, newtons, solution).run(options.method);
  solution.converged = solution.residual <= options.tolerance;
}

/// One iteration of Newton.
template <int d>
NewtonOutcome update(const FrictionContactProblem &problem, bool first, ActiveSetNewton<d> &newton,
                     ConeSolution &solution) {
  if (first || !newton.assumes(problem.n_contacts)) {
    if (solution.p.size() != problem.q.size())
      start(problem, solution);
    if (solution.status.size() == problem.n_contacts)
      newton.start_from_status(problem, solution);
    else
      newton.start_from_percussion(problem, solution.p);
  }
  const NewtonOutcome outcome = newton.iterate(problem, 1);
  if (outcome == NewtonOutcome::broken_down)
    return outcome;
  solution.p = newton.p();
  solution.u = newton.u();
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  return outcome;
}

} // namespace

ConeSolver::ConeSolver(const ConeOptions &wanted)
    : options(wanted), kept(std::make_unique<Kept>()) {
  if (!(options.tolerance > 0.))
    throw std::invalid_argument("cone solver: the tolerance must be positive");
}

ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver &&) noexcept = default;
ConeSolver &ConeSolver::operator=(ConeSolver &&) noexcept = default;

void ConeSolver::solve(const FrictionContactProblem &problem, ConeSolution &solution) {
  kept->check(problem);
  start(problem, solution);
  const bool from_rest = is_from_rest(options, solution);
  if (from_rest && all_open(problem)) {
    leave_open(problem, solution);
    return;
  }
  if (unstoppable_contact(problem, options.tolerance) < problem.n_contacts) {
    leave_without_percussions(problem, solution);
    solution.outcome = ConeOutcome::no_solution;
    return;
  }
  if (from_rest && problem.n_contacts == 1) {
    const bool solved = problem.dimension == 2 ? solve_directly<2>(problem, solution)
                                               : solve_directly<3>(problem, solution);
    solution.converged = solved && solution.residual <= options.tolerance;
    if (solution.converged) {
      solution.outcome = ConeOutcome::converged;
      return;
    }
    start(problem, solution);
    solution.p.assign(problem.q.size(), 0.);
    solution.status.clear();
  }
  const Deadline deadline(options.time_limit);
  // What is not solved in parts is not solved as a whole either.
  const bool has_parts = options.method == ConeMethod::automatic &&
                         solve_in_parts(problem, options, deadline, solution);
  if (!has_parts && problem.dimension == 2)
    percussion::solve<2>(problem, options, deadline, kept->newtons<2>(), solution);
  else if (!has_parts)
    percussion::solve<3>(problem, options, deadline, kept->newtons<3>(), solution);
  if (solution.converged)
    solution.outcome = ConeOutcome::converged;
  else if (solution.outcome == ConeOutcome::not_applicable ||
           solution.outcome == ConeOutcome::no_solution)
    return;
  else if (deadline.is_over())
    solution.outcome = ConeOutcome::out_of_time;
  else if (solution.iterations >= options.max_iterations)
    solution.outcome = ConeOutcome::out_of_sweeps;
  else
    solution.outcome = ConeOutcome::stagnated;
}

ConeMemory ConeSolver::memory(const FrictionContactProblem &problem) const {
  const double epsilon = problem.dimension == 2 ? kept->newtons<2>().proximal.kept_epsilon(problem)
                                                : kept->newtons<3>().proximal.kept_epsilon(problem);
  return {epsilon > 0., epsilon};
}

void ConeSolver::restore(const FrictionContactProblem &problem, const ConeMemory &memory) {
  if (!memory.keeps_epsilon)
    return;
  if (problem.dimension == 2)
    kept->newtons<2>().proximal.keep_epsilon(problem, memory.epsilon);
  else
    kept->newtons<3>().proximal.keep_epsilon(problem, memory.epsilon);
}

bool ConeSolver::update(const FrictionContactProblem &problem, bool first, ConeSolution &solution) {
  kept->check(problem);
  const bool in_2d = problem.dimension == 2;
  const NewtonOutcome outcome =
      in_2d ? percussion::update<2>(problem, first, kept->newtons<2>().plain, solution)
            : percussion::update<3>(problem, first, kept->newtons<3>().plain, solution);
  if (outcome == NewtonOutcome::broken_down) {
    solve(problem, solution);
    if (in_2d)
      kept->newtons<2>().plain.start_from_status(problem, solution);
    else
      kept->newtons<3>().plain.start_from_status(problem, solution);
    return solution.converged;
  }
  solution.iterations = 1;
  solution.method = "pdas";
  solution.residual = natural_map_residual(problem, solution.p);
  solution.converged = solution.residual <= options.tolerance;
  solution.outcome = solution.converged ? ConeOutcome::converged : ConeOutcome::stagnated;
  return outcome == NewtonOutcome::repeated && solution.converged;
}

} // namespace percussion
