#include "strategies.h"

#include <percussion/cone/admm.h>
#include <percussion/cone/lemke.h>
#include <percussion/cone/multipliers.h>
#include <percussion/cone/natural_map.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>

#include "central_path.h"
#include "check.h"
#include "delassus.h"
#include "linear_system.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <utility>

namespace percussion {

template <int d>
void Strategies<d>::run(ConeMethod method) {
  start_method(method);
  if (solution.residual == std::numeric_limits<double>::infinity())
    complete_solution("none"); // no method has produced a result
  restore_best();
}

template <int d>
bool Strategies<d>::start_method(ConeMethod method) {
  switch (method) {
  case ConeMethod::nsgs:
    return nsgs(unlimited);
  case ConeMethod::newton:
    return newton_from_start("newton");
  case ConeMethod::natural_map:
    return natural_map();
  case ConeMethod::hybrid:
    return hybrid();
  case ConeMethod::proximal:
    return proximal(unlimited) || proximal_from_other_guesses();
  case ConeMethod::interior:
    return interior();
  case ConeMethod::admm:
    return admm(unlimited);
  case ConeMethod::lemke:
    return lemke();
  case ConeMethod::automatic:
  case ConeMethod::pdas:
    break;
  }
  return automatic();
}

/// Pivoting is exact for any rank, and affordable for so many contacts.
constexpr std::size_t many_contacts = 300;
constexpr double handover = 1e-6;  ///< residual at which interior points leave off
constexpr unsigned int quick = 60; ///< iterations of a method that may be in vain

/// Newton first: exact and fast if W has full rank. If it is singular, proximal points stay as
/// close to a warm start as possible; without one, or if they are slow, interior points or sweeps
/// come near to the statuses.
template <int d>
bool Strategies<d>::automatic() {
  constexpr double loose_tolerance = 1e-4; // sweeps are faster
  constexpr unsigned int many_sweeps = 2000;
  constexpr std::size_t few = 50;
  const bool cold = solution.status.empty();
  const bool from_rest =
      cold && std::all_of(solution.p.begin(), solution.p.end(), [](double x) { return x == 0.; });
  if (from_rest && few_sweeps(problem.n_contacts <= few))
    return true;
  if (d == 2 && problem.n_contacts <= many_contacts)
    return automatic_in_the_plane(cold, from_rest);
  if (cold && problem.n_contacts > many_contacts && options.tolerance >= loose_tolerance &&
      nsgs(many_sweeps))
    return true;
  if (!from_rest && newton_from_start("newton", cold && problem.n_contacts > few ? 20 : unlimited))
    return true;
  if (!cold && d == 2 && !newtons.plain.singular() && sweeps_and_newton())
    return true;
  if (!cold && near_last_solution())
    return true;
  if (has_rigid_bodies_only())
    return automatic_for_bodies();
  if (problem.n_contacts > many_contacts)
    return automatic_for_many();
  return interior() || fall_back(false);
}

/// In space, towers have factors that cost so little that interior points take less time than
/// sweeps. Else sweeps and patient proximal points take less time than the path.
template <int d>
bool Strategies<d>::automatic_for_many() {
  constexpr double few_blocks = 16.; // in a row of a factor
  constexpr unsigned int a_while = 160, a_long_while = 2000;
  const bool has_cheap_factors = d == 3 && fill_per_row(problem.blocks) < few_blocks;
  if (!has_cheap_factors &&
      (d == 2 ? sweeps_and_patience(2, a_long_while) : sweeps_and_patience(8, a_while)))
    return true;
  if (interior(has_cheap_factors ? 0 : 1500))
    return true;
  restore_best();
  return patient_proximal(a_long_while) || sweeps_and_patience(3, a_long_while) || fall_back(false);
}

template <int d>
bool Strategies<d>::has_rigid_bodies_only() const {
  return d == 3 && problem.bodies.n_bodies > 0 && problem.bodies.compliance.empty();
}

/// In their space a step of any method takes little time. Interior points soon come near a
/// solution, but do not always reach it. Where a wall is hit, many statuses change one after the
/// other, and proximal points follow them; from the end of the central path fewer are left to
/// change.
template <int d>
bool Strategies<d>::automatic_for_bodies() {
  constexpr double near = 1e-5;
  constexpr unsigned int a_few = 50, several = 300, many = 3000;
  store_best();
  interior_points(near);
  restore_best();
  if (solution.converged || patient_proximal(a_few))
    return true;
  follow_central_path(near);
  if (solution.converged || patient_proximal(many))
    return true;
  restore_best();
  if (multipliers(several))
    return true;
  restore_best();
  return patient_proximal(unlimited);
}

/// Proximal points, which stay close to a warm start. In the space of the bodies interior points
/// are so fast that the start has to be near, and the statuses have to settle soon.
template <int d>
bool Strategies<d>::near_last_solution() {
  constexpr unsigned int many = 2000, soon = 12;
  constexpr double far = 1e-2;
  if (problem.bodies.n_bodies > 0)
    return natural_map_residual(problem, solution.p) <= far && proximal(soon, 1e-4, soon);
  return proximal(d == 2 ? many : quick);
}

/// From rest, a few sweeps find the statuses, and are exact if contacts are hardly coupled; else
/// Newton is or, where W is singular, in space proximal points with a small ε.
template <int d>
bool Strategies<d>::few_sweeps(bool few_contacts) {
  constexpr double small_epsilon = 1e-8;
  constexpr std::size_t few_to_assume = 4; // in the plane, Newton changes statuses in less time
  if (exact_sweeps(1) || (d == 2 && problem.n_contacts <= few_to_assume ? false : exact_sweeps(4)))
    return true;
  return newton_from_percussion("newton", few_contacts ? 10 : 20) ||
         (few_contacts && d == 3 && newtons.plain.singular() && proximal(10, small_epsilon, 10));
}

/// So many sweeps. Returns whether the result is exact to round-off, whatever the units.
template <int d>
bool Strategies<d>::exact_sweeps(unsigned int sweeps) {
  constexpr double round_off = 1e-13;
  const unsigned int before = solution.iterations;
  solution.iterations += percussion::nsgs<d>(problem, 0., sweeps, solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs", before);
  return solution.converged &&
         delassus::is_small(problem, solution.p, solution.residual, round_off);
}

/// Up to there in the plane, if W is singular: without a warm start Lemke's method, which takes
/// longer than sweeps where there are not few contacts; else proximal points, and Lemke's method if
/// they are slow.
template <int d>
bool Strategies<d>::automatic_in_the_plane(bool cold, bool from_rest) {
  constexpr std::size_t few_to_pivot = 50;
  bool may_pivot = true;
  if (!from_rest && newton_from_start("newton"))
    return true;
  if (newtons.plain.singular()) {
    if (cold && ((problem.n_contacts > few_to_pivot && sweeps_and_patience(1, quick)) || lemke()))
      return true;
    if (proximal(quick) || (!cold && lemke()))
      return true;
    may_pivot = false; // already tried
  }
  return fall_back(may_pivot);
}

/// If Newton cycles, a few sweeps provide new statuses.
template <int d>
bool Strategies<d>::sweeps_and_newton() {
  for (const unsigned int sweeps : {10U, 50U})
    if (nsgs(sweeps) || newton_from_percussion("hybrid") ||
        (newtons.plain.singular() && proximal(unlimited)))
      return true;
  return false;
}

/// Sweeps leave few statuses for patient proximal points to change. Where these take long, more
/// sweeps give them another start.
template <int d>
bool Strategies<d>::sweeps_and_patience(unsigned int n_attempts, unsigned int max_steps) {
  constexpr unsigned int sweeps = 1000;
  constexpr double nearly = 10.; // of the tolerance: sweeps arrive by themselves
  std::vector<double> swept = solution.p;
  for (unsigned int attempt = 0; attempt < n_attempts && !at_limit(); ++attempt) {
    store_best();
    solution.p = swept;
    if (nsgs(sweeps) || (solution.residual <= nearly * options.tolerance && nsgs(sweeps)))
      return true;
    swept = solution.p;
    if (patient_proximal(max_steps))
      return true;
  }
  restore_best();
  return false;
}

template <int d>
bool Strategies<d>::fall_back(bool may_pivot) {
  return sweeps_and_newton() || (!newtons.plain.singular() && proximal(unlimited)) ||
         (may_pivot && lemke()) || last_resort();
}

/// Interior points to where the statuses are known, then Newton or proximal points of small ε.
template <int d>
bool Strategies<d>::interior(unsigned int patient_steps) {
  constexpr double far = 1e-4;
  bool along_path = false;
  store_best();
  if (patient_steps > 0) // elsewhere than those before, which were in vain
    std::fill(solution.p.begin(), solution.p.end(), 0.);
  for (const double accuracy : {handover, 1e-3 * handover}) {
    along_path ? follow_central_path(accuracy) : interior_points(accuracy);
    if (solution.converged || at_limit())
      break;
    if (solution.residual > accuracy && !along_path) {
      if (solution.residual <= far && proximal_from_percussion(quick, 1e-5))
        break;
      if (patient_steps > 0 && patient_proximal(patient_steps))
        break;
      along_path = true;
      follow_central_path(accuracy);
      if (solution.converged)
        break;
    }
    const bool arrived = solution.residual <= accuracy, near = solution.residual <= far;
    if (proximal_from_percussion(near ? 10 * quick : quick, near ? 1e-5 : 1e-3) || !arrived)
      break;
  }
  return solution.converged;
}

/// In the space of the bodies; where statuses are all but known, proximal points of small ε end it.
template <int d>
bool Strategies<d>::multipliers(unsigned int most) {
  constexpr unsigned int soon = 12;
  constexpr double near = 1e-6, small_epsilon = 1e-5;
  store_best();
  const unsigned int before = solution.iterations;
  solution.iterations += percussion::multipliers(problem, options.tolerance, std::min(most, left()),
                                                 deadline, solution.p);
  complete_solution("multipliers");
  note("multipliers", before);
  if (solution.converged || solution.residual > near || at_limit())
    return solution.converged;
  newtons.proximal.forget();
  return proximal(soon, small_epsilon, soon);
}

/// Proximal points from p alone: the statuses are those of p, with slip directions.
template <int d>
bool Strategies<d>::proximal_from_percussion(unsigned int max_iterations, double first_epsilon) {
  newtons.proximal.forget();
  solution.status.clear();
  proximal(max_iterations, first_epsilon);
  if (solution.status.empty())
    complete_solution("interior");
  return solution.converged;
}

template <int d>
void Strategies<d>::interior_points(double accuracy) {
  constexpr unsigned int max_iterations = 100;
  const unsigned int before = solution.iterations;
  solution.iterations += interior_point<d>(problem, std::max(options.tolerance, accuracy),
                                           std::min(max_iterations, left()), deadline, solution.p);
  complete_solution("interior");
  note("interior", before);
}

/// The path for other κ where one is lost. From its end, proximal points need a few steps, unlike
/// from points of the same residual that sweeps or proximal points have found.
template <int d>
void Strategies<d>::follow_central_path(double accuracy) {
  constexpr double far = 1e-3;
  unsigned int budget = 400; // of factorisations: a path of that length has no end
  for (const double kappa : {0.5, 0.7, 0.3}) {
    store_best();
    const unsigned int before = solution.iterations;
    const unsigned int n = central_path<d>(problem, kappa, std::max(options.tolerance, accuracy),
                                           std::min(budget, left()), deadline, solution.p);
    solution.iterations += n;
    budget -= n;
    complete_solution("interior");
    note("interior, central path", before);
    if (solution.residual <= far || at_limit())
      return;
    if (budget == 0)
      break;
  }
  restore_best();
}

/// The slowly converging methods, first for a limited number of iterations, then up to the limit,
/// each followed by proximal points.
template <int d>
bool Strategies<d>::last_resort() {
  if (closes_on_what_cannot_give(problem)) {
    solution.outcome = best.outcome = ConeOutcome::no_solution;
    return false;
  }
  constexpr unsigned int a_while = 2000;
  if (admm(a_while) || proximal(a_while) || proximal_from_other_guesses() || at_limit())
    return solution.converged;
  return nsgs(left() / 2) || newton_from_percussion("hybrid") || admm(left() / 2) ||
         proximal(unlimited);
}

template <int d>
bool Strategies<d>::hybrid() {
  for (std::uint64_t sweeps = 10; sweeps / 2 < options.max_iterations && !at_limit(); sweeps *= 2)
    if (nsgs(static_cast<unsigned int>(sweeps)) || newton_from_percussion("hybrid"))
      return true;
  return false;
}

/// Remaining number of iterations, sweeps and pivots.
template <int d>
unsigned int Strategies<d>::left() const {
  return options.max_iterations - std::min(options.max_iterations, solution.iterations);
}

template <int d>
bool Strategies<d>::nsgs(unsigned int max_sweeps) {
  const unsigned int before = solution.iterations;
  store_best();
  solution.iterations += percussion::nsgs<d>(problem, options.tolerance,
                                             std::min(max_sweeps, left()), solution.p, deadline);
  complete_solution("nsgs");
  note("nsgs", before);
  return solution.converged;
}

template <int d>
bool Strategies<d>::natural_map() {
  const unsigned int before = solution.iterations;
  solution.iterations +=
      natural_map_newton<d>(problem, options.tolerance, 4 * options.max_newton_iterations,
                            options.line_search, deadline, solution.p);
  complete_solution("natural-map");
  note("natural-map", before);
  return solution.converged;
}

template <int d>
bool Strategies<d>::lemke() {
  if (d != 2) {
    solution.outcome = ConeOutcome::not_applicable;
    return false;
  }
  const unsigned int before = solution.iterations;
  solution.iterations +=
      percussion::lemke(problem, options.tolerance, left(), deadline, solution.p);
  complete_solution("lemke");
  note("lemke", before);
  return solution.converged;
}

template <int d>
bool Strategies<d>::admm(unsigned int max_iterations) {
  const unsigned int before = solution.iterations;
  solution.iterations += percussion::admm<d>(
      problem, options.tolerance, std::min(max_iterations, left()), deadline, solution.p);
  complete_solution("admm");
  note("admm", before);
  return solution.converged;
}

/// Compute all other parts of the solution from its p.
template <int d>
void Strategies<d>::complete_solution(std::string_view name) {
  delassus::velocities<d>(problem, solution.p, solution.u);
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] =
        local::local_status<d>(&solution.p[d * i], &solution.u[d * i], problem.mu[i],
                               delassus::diagonal_block<d>(problem, i))
            .status;
  solution.residual = natural_map_residual(problem, solution.p, solution.u);
  solution.converged = solution.residual <= options.tolerance;
  solution.method = name;
}

template <int d>
bool Strategies<d>::proximal(unsigned int max_iterations, double first_epsilon,
                             unsigned int max_newton_iterations) {
  typename ProximalNewton<d>::Options limits;
  limits.max_newton_iterations = max_newton_iterations;
  limits.max_iterations = max_iterations;
  limits.first_epsilon = first_epsilon;
  return proximal_within(limits, "proximal");
}

/// From percussions, but not from their statuses.
template <int d>
bool Strategies<d>::patient_proximal(unsigned int max_iterations) {
  typename ProximalNewton<d>::Options limits;
  limits.max_newton_iterations = 25; // what takes longer needs a larger ε
  limits.max_iterations = max_iterations;
  limits.is_patient = true;
  newtons.proximal.forget();
  solution.status.clear();
  proximal_within(limits, "proximal, patient");
  if (solution.status.empty())
    complete_solution(solution.method);
  return solution.converged;
}

/// Within the limits of all methods, too.
template <int d>
bool Strategies<d>::proximal_within(typename ProximalNewton<d>::Options limits,
                                    std::string_view name) {
  limits.tolerance = options.tolerance;
  limits.max_newton_iterations =
      std::min(limits.max_newton_iterations, options.max_newton_iterations);
  limits.max_iterations = std::min(limits.max_iterations, left());
  limits.deadline = deadline;
  const unsigned int before = solution.iterations;
  solution.converged = newtons.proximal.solve(problem, limits, solution);
  note(name, before);
  return solution.converged;
}

/// With friction, whether proximal steps stagnate depends on the initial guess: try zero with
/// several initial ε, and the result of some sweeps from there. The current solution stays unless
/// that is better.
template <int d>
bool Strategies<d>::proximal_from_other_guesses() {
  store_best();
  solution.p.assign(problem.q.size(), 0.);
  solution.residual = std::numeric_limits<double>::infinity();
  constexpr std::pair<unsigned int, double> sweeps_and_epsilon[] = {
      {0U, 1e-3}, {0U, 1e-4}, {0U, 1e-5}, {0U, 1e-2}, {100U, 1e-4}, {1000U, 1e-3}, {1000U, 1e-5}};
  for (const auto &[sweeps, epsilon] : sweeps_and_epsilon) {
    if (at_limit())
      break;
    nsgs(sweeps);
    newtons.proximal.forget();
    if (solution.converged || proximal(unlimited, epsilon))
      return true;
  }
  restore_best();
  return false;
}

/// A line of the record.
template <int d>
void Strategies<d>::note(std::string_view name, unsigned int iterations_before) {
  if (!options.record)
    return;
  std::ostringstream line;
  line << name << ": " << solution.iterations - iterations_before << " iterations, residual "
       << solution.residual;
  solution.record.push_back(line.str());
}

/// Store the solution if it is the best so far.
template <int d>
void Strategies<d>::store_best() {
  if (solution.residual < best.residual)
    best = solution;
}

/// Return to the best solution so far.
template <int d>
void Strategies<d>::restore_best() {
  if (best.residual < solution.residual) {
    best.iterations = solution.iterations;
    best.record = std::move(solution.record);
    solution = best;
  }
}

template <int d>
bool Strategies<d>::newton_from_start(std::string_view name, unsigned int max_iterations) {
  if (solution.status.size() == problem.n_contacts)
    newtons.plain.start_from_status(problem, solution);
  else
    newtons.plain.start_from_percussion(problem, solution.p);
  return newton(name, max_iterations);
}

template <int d>
bool Strategies<d>::newton_from_percussion(std::string_view name, unsigned int max_iterations) {
  newtons.plain.start_from_percussion(problem, solution.p);
  return newton(name, max_iterations);
}

/// Run Newton from the statuses set before, and take the result if it is better than the current
/// one. Statuses need not repeat once the tolerance is met: at a tie between two statuses they may
/// alternate although either solves the problem.
template <int d>
bool Strategies<d>::newton(std::string_view name, unsigned int max_iterations) {
  constexpr double slip_accuracy = 0.01; // against the tolerance: nearly round-off
  ActiveSetNewton<d> &newton = newtons.plain;
  const unsigned int before = solution.iterations;
  const NewtonOutcome outcome =
      newton.iterate(problem, std::min(max_iterations, options.max_newton_iterations), deadline,
                     d == 3 ? slip_accuracy * options.tolerance : 0.);
  solution.iterations += newton.iterations();
  const bool broken = outcome == NewtonOutcome::broken_down;
  const double residual = broken ? std::numeric_limits<double>::infinity()
                                 : natural_map_residual(problem, newton.p(), newton.u());
  take(name, outcome, residual);
  note(newton.singular() ? "newton, singular" : "newton", before);
  return solution.converged;
}

/// Newton's result, if usable and better than the current one.
template <int d>
void Strategies<d>::take(std::string_view name, NewtonOutcome outcome, double residual) {
  const ActiveSetNewton<d> &newton = newtons.plain;
  const bool met = residual <= options.tolerance;
  const bool usable = outcome == NewtonOutcome::repeated || met;
  if (!usable || !(residual < solution.residual))
    return;

  solution.p = newton.p();
  solution.u = newton.u();
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  solution.residual = residual;
  solution.converged = met;
  solution.method = name;
}

template class Strategies<2>;
template class Strategies<3>;

} // namespace percussion
