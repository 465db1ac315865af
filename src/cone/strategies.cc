#include "strategies.h"

#include <percussion/cone/residual.h>

#include "check.h"
#include "linear_system.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace percussion {

namespace {

/// Number of contacts up to which pivoting, which is exact for any rank, is affordable.
constexpr std::size_t many_contacts = 300;
constexpr double handover = 1e-6; ///< residual at which interior points end
constexpr unsigned int max_trial_iterations =
    60; ///< iteration budget for a method that may not converge

/// Runs a few sweeps, which provide new statuses if Newton cycles.
template <int d>
bool sweeps_and_newton(MethodRuns<d> &run) {
  for (const unsigned int sweeps : {10U, 50U})
    if (run.nsgs(sweeps) || run.newton_from_percussion("hybrid") ||
        (run.is_singular() && run.proximal(unlimited)))
      return true;
  return false;
}

/// Runs sweeps, which leave few statuses for patient proximal points to change. If these take long,
/// more sweeps give them another start.
template <int d>
bool sweeps_and_patience(MethodRuns<d> &run, unsigned int n_attempts, unsigned int max_steps) {
  constexpr unsigned int sweeps = 1000;
  constexpr double nearly = 10.; // factor of the tolerance: sweeps converge from here on
  std::vector<double> swept = run.solution.p;
  for (unsigned int attempt = 0; attempt < n_attempts && !run.at_limit(); ++attempt) {
    run.store_best();
    run.solution.p = swept;
    if (run.nsgs(sweeps) ||
        (run.solution.residual <= nearly * run.options.tolerance && run.nsgs(sweeps)))
      return true;
    swept = run.solution.p;
    if (run.patient_proximal(max_steps))
      return true;
  }
  run.restore_best();
  return false;
}

/// Runs proximal points from other guesses. With friction, stagnation depends on the initial guess:
/// tries zero with several initial ε, and the result of some sweeps from there. Keeps the current
/// solution unless the new one is better.
template <int d>
bool proximal_from_other_guesses(MethodRuns<d> &run) {
  run.restart();
  constexpr std::pair<unsigned int, double> sweeps_and_epsilon[] = {
      {0U, 1e-3}, {0U, 1e-4}, {0U, 1e-5}, {0U, 1e-2}, {100U, 1e-4}, {1000U, 1e-3}, {1000U, 1e-5}};
  for (const auto &[sweeps, epsilon] : sweeps_and_epsilon) {
    if (run.at_limit())
      break;
    run.nsgs(sweeps);
    run.forget_proximal();
    if (run.solution.converged || run.proximal(unlimited, epsilon))
      return true;
  }
  run.restore_best();
  return false;
}

/// Runs the slowly converging methods, first for a limited number of iterations, then up to the
/// limit, each followed by proximal points.
template <int d>
bool last_resort(MethodRuns<d> &run) {
  if (closes_on_what_cannot_give(run.problem)) {
    run.conclude(ConeOutcome::no_solution);
    return false;
  }
  constexpr unsigned int a_while = 2000;
  if (run.admm(a_while) || run.proximal(a_while) || proximal_from_other_guesses(run) ||
      run.at_limit())
    return run.solution.converged;
  return run.nsgs(run.remaining_iterations() / 2) || run.newton_from_percussion("hybrid") ||
         run.admm(run.remaining_iterations() / 2) || run.proximal(unlimited);
}

template <int d>
bool fall_back(MethodRuns<d> &run, bool may_pivot) {
  return sweeps_and_newton(run) || (!run.is_singular() && run.proximal(unlimited)) ||
         (may_pivot && run.lemke()) || last_resort(run);
}

/// Runs interior points until the statuses are known, then proximal points of small ε.
template <int d>
bool interior(MethodRuns<d> &run, unsigned int patient_steps = 0) {
  constexpr double useful_residual = 1e-4;
  bool along_path = false;
  run.store_best();
  if (patient_steps > 0) // from a start that differs from the previous, unsuccessful ones
    std::fill(run.solution.p.begin(), run.solution.p.end(), 0.);
  for (const double accuracy : {handover, 1e-3 * handover}) {
    along_path ? run.follow_central_path(accuracy) : run.interior_points(accuracy);
    if (run.solution.converged || run.at_limit())
      break;
    if (run.solution.residual > accuracy && !along_path) {
      if (run.solution.residual <= useful_residual &&
          run.proximal_from_percussion(max_trial_iterations, 1e-5))
        break;
      if (patient_steps > 0 && run.patient_proximal(patient_steps))
        break;
      along_path = true;
      run.follow_central_path(accuracy);
      if (run.solution.converged)
        break;
    }
    const bool arrived = run.solution.residual <= accuracy,
               handover_residual = run.solution.residual <= useful_residual;
    if (run.proximal_from_percussion(handover_residual ? 10 * max_trial_iterations
                                                       : max_trial_iterations,
                                     handover_residual ? 1e-5 : 1e-3) ||
        !arrived)
      break;
  }
  return run.solution.converged;
}

/// Runs multipliers(), which determines nearly all statuses, then proximal points of small ε.
template <int d>
bool multipliers_and_proximal(MethodRuns<d> &run, unsigned int max_iterations) {
  constexpr unsigned int max_settling_steps = 12;
  constexpr double handover_residual = 1e-6, small_epsilon = 1e-5;
  if (run.multipliers(max_iterations) || run.solution.residual > handover_residual ||
      run.at_limit())
    return run.solution.converged;
  run.forget_proximal();
  return run.proximal(max_settling_steps, small_epsilon, max_settling_steps);
}

/// Runs a few sweeps: from rest, they find the statuses, and are exact if contacts are weakly
/// coupled; otherwise Newton is exact or, if W is singular, in 3D proximal points with a small ε.
template <int d>
bool few_sweeps(MethodRuns<d> &run, bool few_contacts) {
  constexpr double small_epsilon = 1e-8;
  constexpr std::size_t few_to_assume = 4; // in 2D, Newton changes statuses in less time
  if (run.exact_sweeps(1) ||
      (d == 2 && run.problem.n_contacts <= few_to_assume ? false : run.exact_sweeps(4)))
    return true;
  return run.newton_from_percussion("newton", few_contacts ? 10 : 20) ||
         (few_contacts && d == 3 && run.is_singular() && run.proximal(10, small_epsilon, 10));
}

/// Solves 2D problems with up to many_contacts. If W is singular: without a warm start by Lemke's
/// method, which takes longer than sweeps except for few contacts; otherwise by proximal points,
/// and by Lemke's method if they are slow.
template <int d>
bool automatic_2d(MethodRuns<d> &run, bool cold, bool from_rest) {
  constexpr std::size_t few_to_pivot = 50;
  bool may_pivot = true;
  if (!from_rest && run.newton_from_start("newton"))
    return true;
  if (run.is_singular()) {
    if (cold && ((run.problem.n_contacts > few_to_pivot &&
                  sweeps_and_patience(run, 1, max_trial_iterations)) ||
                 run.lemke()))
      return true;
    if (run.proximal(max_trial_iterations) || (!cold && run.lemke()))
      return true;
    may_pivot = false; // already tried
  }
  return fall_back(run, may_pivot);
}

/// Runs proximal points, which stay close to a warm start. In the space of the bodies interior
/// points are so fast that the start must be near, and the statuses must converge within few
/// iterations.
template <int d>
bool near_last_solution(MethodRuns<d> &run) {
  constexpr unsigned int max_patient_steps = 2000, max_settling_steps = 12;
  constexpr double useful_residual = 1e-2;
  if (run.problem.bodies.n_bodies > 0)
    return natural_map_residual(run.problem, run.solution.p) <= useful_residual &&
           run.proximal(max_settling_steps, 1e-4, max_settling_steps);
  return run.proximal(d == 2 ? max_patient_steps : max_trial_iterations);
}

template <int d>
bool has_rigid_bodies_only(const MethodRuns<d> &run) {
  return d == 3 && run.problem.bodies.n_bodies > 0 && run.problem.bodies.compliance.empty();
}

/// Runs patient proximal points in the space of the bodies from other starts. The order in which
/// statuses change depends on the start and on ε: from one start they may change for ever, from
/// another converge.
template <int d>
bool patience_from_other_starts(MethodRuns<d> &run, unsigned int max_iterations) {
  constexpr double smallest_epsilon = 1e-9, handover_residual = 1e-5, small_epsilon = 1e-4,
                   large_epsilon = 1e-2, other_kappa = 0.9;
  run.restart();
  if (run.patient_proximal(max_iterations) || run.at_limit())
    return run.solution.converged;
  run.restart();
  run.interior_points(smallest_epsilon);
  const std::vector<double> end = run.solution.p;
  if (run.solution.converged || run.proximal_from_percussion(max_iterations, small_epsilon) ||
      run.at_limit())
    return run.solution.converged;
  run.restart();
  run.solution.p = end;
  if (run.patient_proximal(max_iterations, large_epsilon) || run.at_limit())
    return run.solution.converged;
  run.restart();
  run.follow_central_path(handover_residual, {other_kappa});
  return run.solution.converged || run.patient_proximal(max_iterations);
}

/// Solves problems of rigid bodies. Iterations are cheap in the space of body velocities. Interior
/// points come near a solution in few iterations, but do not always reach it. In the impact of a
/// wall, many statuses change one after the other, and proximal points follow them; from the end of
/// the central path fewer are left to change.
template <int d>
bool automatic_for_bodies(MethodRuns<d> &run) {
  constexpr double handover_residual = 1e-5;
  constexpr unsigned int few_iterations = 50, intermediate_iterations = 300,
                         max_patient_steps = 3000;
  run.store_best();
  run.interior_points(handover_residual);
  run.restore_best();
  if (run.solution.converged || run.patient_proximal(few_iterations))
    return true;
  run.follow_central_path(handover_residual);
  if (run.solution.converged || run.patient_proximal(max_patient_steps))
    return true;
  if (run.at_limit() || patience_from_other_starts(run, max_patient_steps))
    return run.solution.converged;
  run.restore_best();
  if (multipliers_and_proximal(run, intermediate_iterations))
    return true;
  run.restore_best();
  return run.patient_proximal(unlimited);
}

/// Solves problems of many contacts. In 3D, the factors of towers cost so little that interior
/// points take less time than sweeps. Otherwise sweeps and patient proximal points take less time
/// than the path.
template <int d>
bool automatic_for_many(MethodRuns<d> &run) {
  constexpr double few_blocks = 16.; // blocks per row of a factor
  constexpr unsigned int a_while = 160, a_long_while = 2000;
  const bool has_cheap_factors = d == 3 && fill_per_row(run.problem.blocks) < few_blocks;
  if (!has_cheap_factors &&
      (d == 2 ? sweeps_and_patience(run, 2, a_long_while) : sweeps_and_patience(run, 8, a_while)))
    return true;
  if (interior(run, has_cheap_factors ? 0 : 1500))
    return true;
  run.restore_best();
  return run.patient_proximal(a_long_while) || sweeps_and_patience(run, 3, a_long_while) ||
         fall_back(run, false);
}

/// Runs Newton first: exact and fast if W has full rank. If it is singular, proximal points stay as
/// close to a warm start as possible; without one, or if they are slow, interior points or sweeps
/// come near to the statuses.
template <int d>
bool automatic(MethodRuns<d> &run) {
  constexpr double loose_tolerance = 1e-4; // sweeps are faster
  constexpr unsigned int many_sweeps = 2000;
  constexpr std::size_t few_contacts_limit = 50;
  const bool cold = run.solution.status.empty();
  const bool from_rest = cold && std::all_of(run.solution.p.begin(), run.solution.p.end(),
                                             [](double x) { return x == 0.; });
  if (from_rest && few_sweeps(run, run.problem.n_contacts <= few_contacts_limit))
    return true;
  if (d == 2 && run.problem.n_contacts <= many_contacts)
    return automatic_2d(run, cold, from_rest);
  if (cold && run.problem.n_contacts > many_contacts && run.options.tolerance >= loose_tolerance &&
      run.nsgs(many_sweeps))
    return true;
  if (!from_rest &&
      run.newton_from_start("newton",
                            cold && run.problem.n_contacts > few_contacts_limit ? 20 : unlimited))
    return true;
  if (!cold && d == 2 && !run.is_singular() && sweeps_and_newton(run))
    return true;
  if (!cold && near_last_solution(run))
    return true;
  if (has_rigid_bodies_only(run))
    return automatic_for_bodies(run);
  if (run.problem.n_contacts > many_contacts)
    return automatic_for_many(run);
  return interior(run) || fall_back(run, false);
}

template <int d>
bool hybrid(MethodRuns<d> &run) {
  for (std::uint64_t sweeps = 10; sweeps / 2 < run.options.max_iterations && !run.at_limit();
       sweeps *= 2)
    if (run.nsgs(static_cast<unsigned int>(sweeps)) || run.newton_from_percussion("hybrid"))
      return true;
  return false;
}

template <int d>
bool start_method(MethodRuns<d> &run, ConeMethod method) {
  switch (method) {
  case ConeMethod::nsgs:
    return run.nsgs(unlimited);
  case ConeMethod::newton:
    return run.newton_from_start("newton");
  case ConeMethod::natural_map:
    return run.natural_map();
  case ConeMethod::hybrid:
    return hybrid(run);
  case ConeMethod::proximal:
    return run.proximal(unlimited) || proximal_from_other_guesses(run);
  case ConeMethod::interior:
    return interior(run);
  case ConeMethod::admm:
    return run.admm(unlimited);
  case ConeMethod::lemke:
    return run.lemke();
  case ConeMethod::automatic:
  case ConeMethod::pdas:
    break;
  }
  return automatic(run);
}

} // namespace

template <int d>
void solve_by(ConeMethod method, MethodRuns<d> &run) {
  const bool is_warm = !run.solution.status.empty();
  const std::vector<double> guess = is_warm ? run.solution.p : std::vector<double>();
  start_method(run, method);
  if (run.solution.residual == std::numeric_limits<double>::infinity())
    run.complete_solution("none"); // no method has produced a result
  run.restore_best();
  if (is_warm && !run.solution.converged &&
      natural_map_residual(run.problem, guess) < run.solution.residual) {
    run.solution.p = guess;
    run.complete_solution("none");
  }
}

template void solve_by<2>(ConeMethod method, MethodRuns<2> &run);
template void solve_by<3>(ConeMethod method, MethodRuns<3> &run);

} // namespace percussion
