#include "attempts.h"

#include <percussion/base/instantiate.h>
#include <percussion/cone/admm.h>
#include <percussion/cone/interior.h>
#include <percussion/cone/lemke.h>
#include <percussion/cone/multipliers.h>
#include <percussion/cone/nsgs.h>

#include <utility>

namespace percussion {
namespace {

/// Rows of the tables, by method.
template <int d>
struct Rows {
  using Run = MethodRuns<d>;
  using List = std::vector<Attempt<d>>;

  static Attempt<d> nsgs(unsigned int sweeps) {
    return {{&Run::iterate, sweeps, 0., "nsgs",
             [](const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                const Deadline &deadline, std::vector<double> &p) {
               return percussion::nsgs<d>(problem, tolerance, max_sweeps, p, deadline);
             }}};
  }
  static Attempt<d> admm(unsigned int iterations) {
    return {{&Run::iterate, iterations, 0., "admm", percussion::admm<d>}};
  }
  /// Ends at the accuracy, at which the statuses are known.
  static Attempt<d> interior(double accuracy) {
    return {{&Run::interior_points, 100, accuracy, "interior", interior_point<d>}};
  }
  /// Follows the path for one κ after the other, until it is near the end of a path.
  static Attempt<d> path(double accuracy) { return {{&Run::follow_central_path, 400, accuracy}}; }
  static Attempt<d> another_path(double accuracy) {
    return {{&Run::follow_path_of_large_kappa, 400, accuracy}};
  }
  static Attempt<d> multipliers(unsigned int iterations) {
    return {{&Run::iterate, iterations, 0., "multipliers", percussion::multipliers}};
  }
  static Attempt<d> exact_sweeps(unsigned int sweeps) {
    return {{&Run::exact_sweeps, sweeps, 0., "nsgs", nullptr, true}};
  }
  static Attempt<d> relax(unsigned int sweeps, double accuracy) {
    return {{&Run::relax, sweeps, accuracy, "nsgs"}};
  }
  static Attempt<d> accelerated_sweeps(unsigned int sweeps) {
    return {{&Run::iterate, sweeps, 0., "nsgs, accelerated",
             [](const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                const Deadline &deadline, std::vector<double> &p) {
               return percussion::accelerated_nsgs<d>(problem, tolerance, max_sweeps, p, deadline);
             }}};
  }
  static Attempt<d> patches(unsigned int rounds) {
    return {{&Run::patches, rounds, 0., "nsgs, patches"}};
  }
  static Attempt<d> newton(unsigned int iterations = unlimited) {
    return {{&Run::newton_from_status, iterations, 0., "newton", nullptr, true}};
  }
  static Attempt<d> newton_from_percussion(unsigned int iterations) {
    return {{&Run::newton_from_percussion, iterations, 0., "newton", nullptr, true}};
  }
  static Attempt<d> newton_after_sweeps() {
    return {{&Run::newton_from_percussion, unlimited, 0., "hybrid", nullptr, true}};
  }
  static Attempt<d> natural_map() { return {{&Run::natural_map}}; }
  static Attempt<d> lemke() { return {{&Run::lemke, unlimited, 0., "lemke", percussion::lemke}}; }
  static Attempt<d> proximal(unsigned int iterations = unlimited, double epsilon = 1e-3) {
    return {{&Run::proximal, iterations, epsilon}};
  }
  static Attempt<d> restarted_proximal(unsigned int iterations, double epsilon) {
    return {{&Run::restarted_proximal, iterations, epsilon}};
  }
  static Attempt<d> proximal_from_percussion(unsigned int iterations, double epsilon) {
    return {{&Run::proximal_from_percussion, iterations, epsilon}};
  }
  static Attempt<d> patient_proximal(unsigned int iterations, double epsilon = 1e-3) {
    return {{&Run::patient_proximal, iterations, epsilon}};
  }
  /// Ends the run if there is no solution.
  static Attempt<d> refute() { return {{&Run::refute}}; }
  static Attempt<d> keep_percussion() { return {{&Run::keep_percussion}}; }
  /// Returns to the best solution.
  static Attempt<d> return_to_best() { return Attempt<d>{{}}.starting_from(Start::best); }

  /// A few sweeps, which provide new statuses if Newton cycles.
  static List sweeps_and_newton() {
    List rows;
    for (const unsigned int sweeps : {10U, 50U})
      for (const auto &row :
           {nsgs(sweeps), newton_after_sweeps(), proximal().if_all(singular_matrix)})
        rows.push_back(row);
    return rows;
  }

  /// Sweeps, which leave few statuses for patient proximal points to change. If these take long,
  /// more sweeps give them another start.
  static List sweeps_and_proximal(unsigned int n_attempts, unsigned int max_steps) {
    List rows = {keep_percussion()};
    for (unsigned int k = 0; k < n_attempts; ++k)
      for (const auto &row :
           {nsgs(1000).starting_from(Start::kept_percussion), nsgs(1000).if_all(nearly_converged),
            keep_percussion(), patient_proximal(max_steps)})
        rows.push_back(row);
    rows.push_back(return_to_best());
    return rows;
  }

  /// Proximal points from other guesses. With friction, stagnation depends on the initial guess:
  /// zero, and results of sweeps, with several initial ε.
  static List proximal_from_other_guesses() {
    List rows;
    for (const auto &[sweeps, epsilon] :
         {std::pair(0U, 1e-3), std::pair(0U, 1e-4), std::pair(0U, 1e-5), std::pair(0U, 1e-2),
          std::pair(100U, 1e-4), std::pair(1000U, 1e-3), std::pair(1000U, 1e-5)}) {
      rows.push_back(rows.empty() ? nsgs(sweeps).starting_from(Start::zero) : nsgs(sweeps));
      rows.push_back(restarted_proximal(unlimited, epsilon));
    }
    rows.push_back(return_to_best());
    return rows;
  }

  /// Interior points until the statuses are known, then proximal points of small ε. If interior
  /// points miss the accuracy: proximal points, at once if the residual is useful and patient ones
  /// from there if the iteration budget is not zero; then the path, on which the next stage
  /// remains.
  static List interior_then_proximal(double accuracy, unsigned int iteration_budget = 0,
                                     Start start = Start::current) {
    List rows = {path(accuracy).if_all(after_path),
                 interior(accuracy).starting_from(start).if_none(after_path),
                 proximal_from_percussion(60, 1e-5)
                     .if_all(useful_residual)
                     .if_none(accuracy_met | after_path)};
    if (iteration_budget > 0)
      rows.push_back(patient_proximal(iteration_budget).if_none(accuracy_met | after_path));
    for (const auto &row : {path(accuracy).if_none(accuracy_met | after_path),
                            proximal_from_percussion(600, 1e-5).if_all(useful_residual),
                            proximal_from_percussion(60, 1e-3).if_none(useful_residual)})
      rows.push_back(row);
    return rows;
  }

  /// Increasing numbers of sweeps, each followed by Newton.
  static List hybrid() {
    List rows;
    for (unsigned int sweeps = 10; sweeps < unlimited / 2; sweeps *= 2) {
      rows.push_back(nsgs(sweeps));
      rows.push_back(newton_after_sweeps());
    }
    return rows;
  }
};

/// Starts. From rest, sweeps find the statuses, and are exact if contacts are weakly coupled;
/// otherwise Newton is exact or, if W is singular, in 3D proximal points with a small ε. In 2D
/// Newton changes a tiny number of statuses in less time than sweeps. With a warm start Newton
/// comes first, and proximal points stay as close to the start as possible. In the space of the
/// bodies interior points are so fast that the start must be near, and the statuses must converge
/// within few iterations: Newton ends after 25. Relaxation, whose cost is proportional to the
/// contacts that change, leaves two iterations on average to groups of 5,000 contacts of spheres,
/// which take seven from the statuses of the start. In a dense crowd W is singular, and the
/// iterations of methods for all contacts grow with the number of places where statuses change:
/// patches solve one place after the other. An impact that spreads through the crowd changes so
/// many that interior points take less time; patches follow where a residual remains. To a
/// tolerance that sweeps nearly meet, sweeps come first, and interior points do not follow for the
/// last digit.
template <int d>
std::vector<Stage<d>> starts() {
  using R = Rows<d>;
  return {
      {start_at_rest,
       0,
       {R::exact_sweeps(1), R::exact_sweeps(4).if_none(tiny_planar),
        R::newton_from_percussion(10).if_all(few_contacts),
        R::newton_from_percussion(20).if_none(few_contacts),
        R::proximal(10, 1e-8).if_all(few_contacts | singular_matrix).if_none(planar)}},
      {cold_start | many_contacts | loose_tolerance, small_planar, {R::nsgs(2000)}},
      {sparse_matrix | loose_tolerance, cold_start | few_contacts, {R::nsgs(1000)}},
      {dense_crowd,
       0,
       {R::accelerated_sweeps(100).if_all(swept_crowd), R::patches(40).if_all(near_crowd),
        R::interior(1e-4).if_none(useful_residual | nearly_converged),
        R::patches(40).if_all(accuracy_met), R::accelerated_sweeps(100),
        R::patches(40).if_all(rough_residual)}},
      {0,
       start_at_rest,
       {R::newton(20).if_all(cold_start).if_none(few_contacts | small_planar),
        R::newton().if_all(cold_start | few_contacts),
        R::newton().if_all(cold_start | small_planar).if_none(few_contacts),
        R::relax(100, 1e-4).if_all(loose_crowd), R::newton_from_percussion(25).if_all(loose_crowd),
        R::newton(25).if_all(rigid_bodies).if_none(cold_start | loose_crowd),
        R::newton().if_none(cold_start | rigid_bodies)}},
      {planar, small_planar | cold_start | singular_matrix, R::sweeps_and_newton()},
      {0,
       small_planar | cold_start,
       {R::proximal(12, 1e-4).if_all(known_bodies | near_solution),
        R::proximal(2000).if_all(planar).if_none(known_bodies),
        R::proximal(60).if_none(known_bodies | planar)}},
  };
}

/// Small problems in 2D with a singular W: without a warm start Lemke's method, which takes longer
/// than sweeps except for few contacts; otherwise proximal points, and Lemke's method if they are
/// slow.
template <int d>
std::vector<Stage<d>> small_planar_problems() {
  using R = Rows<d>;
  return {
      {small_planar | singular_matrix | loose_tolerance, few_contacts, {R::nsgs(4000)}},
      {small_planar | singular_matrix | cold_start, few_contacts, R::sweeps_and_proximal(1, 60)},
      {small_planar | singular_matrix,
       0,
       {R::lemke().if_all(cold_start), R::proximal(60), R::lemke().if_none(cold_start)}}};
}

/// Rigid bodies. Iterations are cheap in the space of body velocities. Interior points come near a
/// solution in few iterations, but do not always reach it. In the impact of a wall, many statuses
/// change one after the other, and patient proximal points follow them; from the end of the central
/// path fewer are left to change. The order in which statuses change depends on the start and on ε:
/// from one start they may change for ever, from another converge. Near a solution a small ε ends
/// them; with ε = 1e-3 the residual of leaning bodies remains just above the tolerance. Multipliers
/// determine nearly all statuses.
template <int d>
std::vector<Stage<d>> rigid_problems() {
  using R = Rows<d>;
  return {{rigid_bodies,
           0,
           {R::interior(1e-5), R::return_to_best(), R::patient_proximal(400, 1e-5), R::path(1e-5),
            R::patient_proximal(3000), R::patient_proximal(3000).starting_from(Start::zero),
            R::interior(1e-9).starting_from(Start::zero), R::keep_percussion(),
            R::proximal_from_percussion(3000, 1e-4),
            R::patient_proximal(3000, 1e-2).starting_from(Start::kept_percussion),
            R::another_path(1e-5).starting_from(Start::zero), R::patient_proximal(3000),
            R::return_to_best(), R::multipliers(300),
            R::restarted_proximal(12, 1e-5).if_all(accurate_residual), R::return_to_best(),
            R::patient_proximal(unlimited)}}};
}

/// Other problems. Factors of towers cost so little that interior points take less time than
/// sweeps; sweeps and patient proximal points take less time than the path if factors are costly.
template <int d>
std::vector<Stage<d>> other_problems() {
  using R = Rows<d>;
  return {
      {many_contacts | planar, 0, R::sweeps_and_proximal(2, 2000)},
      {costly_factors, planar, R::sweeps_and_proximal(8, 160)},
      {costly_factors, 0, R::interior_then_proximal(1e-6, 1500, Start::zero)},
      {costly_factors | accuracy_met, 0, R::interior_then_proximal(1e-9, 1500)},
      {0, small_planar | rigid_bodies | costly_factors, R::interior_then_proximal(1e-6)},
      {accuracy_met, small_planar | rigid_bodies | costly_factors, R::interior_then_proximal(1e-9)},
      {many_contacts, rigid_bodies, {R::return_to_best(), R::patient_proximal(2000)}},
      {many_contacts, rigid_bodies, R::sweeps_and_proximal(3, 2000)}};
}

/// Slowly converging methods, first for a limited number of iterations, then up to the limit, each
/// followed by proximal points.
template <int d>
std::vector<Stage<d>> last_resorts() {
  using R = Rows<d>;
  return {
      {0, rigid_bodies, R::sweeps_and_newton()},
      {0, rigid_bodies, {R::proximal().if_none(singular_matrix)}},
      {small_planar, after_pivots, {R::lemke()}},
      {0, rigid_bodies, {R::refute(), R::admm(2000), R::proximal(2000)}},
      {0, rigid_bodies, R::proximal_from_other_guesses()},
      {0,
       rigid_bodies,
       {R::nsgs(half_of_rest), R::newton_after_sweeps(), R::admm(half_of_rest), R::proximal()}}};
}

template <int d>
std::vector<Stage<d>> automatic() {
  std::vector<Stage<d>> stages;
  for (const auto &next : {starts<d>(), small_planar_problems<d>(), rigid_problems<d>(),
                           other_problems<d>(), last_resorts<d>()})
    stages.insert(stages.end(), next.begin(), next.end());
  return stages;
}

} // namespace

template <int d>
const std::vector<Stage<d>> &attempts_of(ConeMethod method) {
  using R = Rows<d>;
  static const std::vector<std::pair<ConeMethod, std::vector<Stage<d>>>> table = {
      {ConeMethod::automatic, automatic<d>()},
      {ConeMethod::nsgs, {{0, 0, {R::nsgs(unlimited)}}}},
      {ConeMethod::newton, {{0, 0, {R::newton()}}}},
      {ConeMethod::natural_map, {{0, 0, {R::natural_map()}}}},
      {ConeMethod::hybrid, {{0, 0, R::hybrid()}}},
      {ConeMethod::proximal, {{0, 0, {R::proximal()}}, {0, 0, R::proximal_from_other_guesses()}}},
      {ConeMethod::interior,
       {{0, 0, R::interior_then_proximal(1e-6)},
        {accuracy_met, 0, R::interior_then_proximal(1e-9)}}},
      {ConeMethod::admm, {{0, 0, {R::admm(unlimited)}}}},
      {ConeMethod::lemke, {{0, 0, {R::lemke()}}}},
  };
  for (const auto &[name, stages] : table)
    if (name == method)
      return stages;
  return table.front().second; // pdas iterates in ConeSolver::update()
}

PERCUSSION_INSTANTIATE(attempts_of);

} // namespace percussion
