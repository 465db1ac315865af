#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "attempts.h"
#include "check.h"
#include "groups.h"
#include "one_contact.h"
#include "vectors.h"
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace percussion {

/// Objects reused from one problem to the next.
struct ConeSolver::Kept {
  KeptNewtons<2> plane;
  KeptNewtons<3> space;
  unsigned long checked_version = 0;

  template <int d>
  KeptNewtons<d> &newtons() {
    if constexpr (d == 2)
      return plane;
    else
      return space;
  }

  void check(const FrictionContactProblem &problem) {
    const bool is_checked = problem.version != 0 && problem.version == checked_version;
    check_problem(problem, !is_checked);
    checked_version = problem.version;
  }
};

namespace {

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

bool is_from_rest(const ConeOptions &options, const ConeSolution &solution) {
  return options.method == ConeMethod::automatic && !options.record && solution.status.empty() &&
         vanishes(solution.p);
}

/// Returns true if all contacts open without percussions: then p = 0 is exact.
bool all_open(const FrictionContactProblem &problem) {
  for (std::size_t row = 0; row < problem.q.size(); row += problem.dimension)
    if (!(problem.q[row] >= 0.))
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
  MethodRuns<d> run(problem, options, deadline, newtons, solution);
  solve_by(options.method, run);
  solution.converged = solution.residual <= options.tolerance;
}

/// Computes one iteration of Newton.
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

ConeSolver::ConeSolver(const ConeOptions &wanted) : options(wanted) {
  if (!(options.tolerance > 0.))
    throw std::invalid_argument("cone solver: the tolerance must be positive");
}

ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver &&) noexcept = default;
ConeSolver &ConeSolver::operator=(ConeSolver &&) noexcept = default;

/// Not made for a single contact, which is solved in less time.
ConeSolver::Kept &ConeSolver::reused() {
  if (!reused_objects)
    reused_objects = std::make_unique<Kept>();
  return *reused_objects;
}

void ConeSolver::solve(const FrictionContactProblem &problem, ConeSolution &solution) {
  solve(problem, options, solution, nullptr);
}

void ConeSolver::solve(const FrictionContactProblem &problem, const ConeOptions &adapted_options,
                       ConeSolution &solution, SolvedGroups *solved) {
  if (solve_one_contact(problem, adapted_options, solution))
    return;
  Kept &solvers = reused();
  solvers.check(problem);
  start(problem, solution);
  if (is_from_rest(adapted_options, solution) && all_open(problem)) {
    leave_open(problem, solution);
    return;
  }
  if (unstoppable_contact(problem, adapted_options.tolerance) < problem.n_contacts) {
    leave_without_percussions(problem, solution);
    solution.outcome = ConeOutcome::no_solution;
    return;
  }
  const Deadline deadline(
      std::min(adapted_options.time_limit, adapted_options.deadline.seconds_left()));
  const bool may_have_groups =
      adapted_options.method == ConeMethod::automatic && n_body_velocities(problem) > 0;
  if (may_have_groups && problem.n_contacts > max_contacts_of_kept_factors)
    solvers.newtons<3>().release_factors(); // groups make factors of their own
  // If a group fails, the full problem is not tried.
  const bool has_groups = adapted_options.method == ConeMethod::automatic &&
                          solve_by_groups(problem, adapted_options, deadline, solution, solved);
  if (!has_groups && problem.dimension == 2)
    percussion::solve<2>(problem, adapted_options, deadline, solvers.newtons<2>(), solution);
  else if (!has_groups)
    percussion::solve<3>(problem, adapted_options, deadline, solvers.newtons<3>(), solution);
  if (solution.converged)
    solution.outcome = ConeOutcome::converged;
  else if (solution.outcome == ConeOutcome::not_applicable ||
           solution.outcome == ConeOutcome::no_solution)
    return;
  else if (deadline.is_over())
    solution.outcome = ConeOutcome::out_of_time;
  else if (solution.iterations >= adapted_options.max_iterations)
    solution.outcome = ConeOutcome::out_of_sweeps;
  else
    solution.outcome = ConeOutcome::stagnated;
}

void ConeSolver::solve(const FrictionContactProblem &problem, double tolerance,
                       ConeSolution &solution, SolvedGroups &solved) {
  ConeOptions adapted_options = options;
  adapted_options.tolerance = tolerance;
  solve(problem, adapted_options, solution, &solved);
}

void ConeSolver::refine(const FrictionContactProblem &problem, double tolerance,
                        ConeSolution &solution) {
  constexpr unsigned int max_iterations = 2000;
  constexpr double loose = 1e-6; // a solution to this tolerance suffices unless Newton improves it
  ConeSolution refined = solution;
  ConeOptions adapted_options = options;
  adapted_options.tolerance = tolerance;
  adapted_options.max_iterations = std::min(options.max_iterations, max_iterations);
  if (options.method == ConeMethod::automatic && options.tolerance >= loose) {
    adapted_options.method = ConeMethod::newton;
    adapted_options.max_newton_iterations = 3;
  }
  solve(problem, adapted_options, refined, nullptr);
  if (!(refined.residual < solution.residual))
    return;
  refined.converged = refined.residual <= options.tolerance;
  solution = std::move(refined);
}

ConeMemory ConeSolver::memory(const FrictionContactProblem &problem) const {
  if (!reused_objects)
    return {};
  const double epsilon = problem.dimension == 2
                             ? reused_objects->newtons<2>().kept_epsilon(problem)
                             : reused_objects->newtons<3>().kept_epsilon(problem);
  return {epsilon > 0., epsilon};
}

void ConeSolver::restore(const FrictionContactProblem &problem, const ConeMemory &memory) {
  if (!memory.keeps_epsilon)
    return;
  if (problem.dimension == 2)
    reused().newtons<2>().proximal().keep_epsilon(problem, memory.epsilon);
  else
    reused().newtons<3>().proximal().keep_epsilon(problem, memory.epsilon);
}

bool ConeSolver::update(const FrictionContactProblem &problem, bool first, ConeSolution &solution) {
  Kept &solvers = reused();
  solvers.check(problem);
  const bool is_2d = problem.dimension == 2;
  const NewtonOutcome outcome =
      is_2d ? percussion::update<2>(problem, first, solvers.newtons<2>().plain(), solution)
            : percussion::update<3>(problem, first, solvers.newtons<3>().plain(), solution);
  if (outcome == NewtonOutcome::broken_down) {
    solve(problem, solution);
    if (is_2d)
      solvers.newtons<2>().plain().start_from_status(problem, solution);
    else
      solvers.newtons<3>().plain().start_from_status(problem, solution);
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
