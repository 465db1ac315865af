#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/newton.h>
#include <percussion/cone/problem.h>
#include <percussion/cone/proximal.h>

#include <initializer_list>
#include <limits>
#include <memory>
#include <string_view>

namespace percussion {

/// Newton solvers that are reused from one problem to the next. Each is made at its first use: a
/// few sweeps solve many problems in less time than it takes to make one.
template <int d>
class KeptNewtons {
public:
  ActiveSetNewton<d> &plain() { return get_or_make(own_plain); }
  ProximalNewton<d> &proximal() { return get_or_make(own_proximal); }
  /// Frees the factors of plain Newton.
  void release_factors() {
    if (own_plain)
      own_plain->release_factors();
  }
  /// Returns true if Newton's last matrix was singular to round-off.
  bool is_singular() const { return own_plain && own_plain->singular(); }
  /// Returns the ε of proximal points for the next problem with this W; 0 if there is none.
  double kept_epsilon(const FrictionContactProblem &problem) const {
    return own_proximal ? own_proximal->kept_epsilon(problem) : 0.;
  }

private:
  template <typename T>
  static T &get_or_make(std::unique_ptr<T> &owner) {
    if (!owner)
      owner = std::make_unique<T>();
    return *owner;
  }

  std::unique_ptr<ActiveSetNewton<d>> own_plain;
  std::unique_ptr<ProximalNewton<d>> own_proximal;
};

/// Newton's factors of more contacts are freed while other methods run: they would be a third of
/// the memory of a solution.
constexpr std::size_t max_contacts_of_kept_factors = 1000;

constexpr unsigned int unlimited = std::numeric_limits<unsigned int>::max();
constexpr unsigned int half_of_rest = unlimited - 1; ///< half of the remaining iterations

template <int d>
class MethodRuns;

/// Method with its parameters.
template <int d>
struct Call {
  using Method = bool (MethodRuns<d>::*)(const Call &);
  /// Improves p; returns the number of iterations.
  using Iteration = unsigned int (*)(const FrictionContactProblem &, double tolerance,
                                     unsigned int max_iterations, const Deadline &,
                                     std::vector<double> &p);

  Method method = nullptr;
  unsigned int budget = unlimited; ///< largest number of iterations
  double parameter = 0.;           ///< first ε of proximal points; accuracy of interior points
  std::string_view name = {};      ///< for ConeSolution::method
  Iteration iteration = nullptr;   ///< for iterate()
  /// True for Newton and exact sweeps, which have limits of their own: one of them may still run at
  /// the limit of all methods, and the solution before them is not worth a copy.
  bool is_short = false;
};

/// Conditions of an attempt on the problem, on the start of the run, and on the current solution.
/// Conditions that take long to evaluate come last.
enum Condition : unsigned int {
  planar = 1U << 0,           ///< 2D
  tiny_planar = 1U << 1,      ///< up to 4 contacts in 2D
  few_contacts = 1U << 2,     ///< up to 50 contacts
  many_contacts = 1U << 3,    ///< more than 300 contacts: pivots, exact for any rank, take too long
  small_planar = 1U << 4,     ///< 2D, and not many contacts
  known_bodies = 1U << 5,     ///< the bodies of W are known
  rigid_bodies = 1U << 6,     ///< they are known, and contacts have no compliance
  cold_start = 1U << 7,       ///< the run started without statuses
  start_at_rest = 1U << 8,    ///< cold, with p = 0
  loose_tolerance = 1U << 9,  ///< at least 1e-4, for 2D blocks 1e-6: sweeps are faster than Newton
  singular_matrix = 1U << 10, ///< Newton's last matrix was singular to round-off
  after_pivots = 1U << 11,    ///< Lemke's method has run
  after_path = 1U << 12,      ///< the central path has been followed
  accuracy_met = 1U << 13,    ///< the last interior points or path met their accuracy
  nearly_converged = 1U << 14,  ///< residual of at most 10 tolerances: sweeps converge from here on
  accurate_residual = 1U << 15, ///< residual of at most 1e-6
  useful_residual = 1U << 16,   ///< residual of at most 1e-4
  near_solution = 1U << 17,     ///< residual of the percussions, whatever the statuses, up to 1e-2
  sparse_matrix = 1U << 18,     ///< W is given by its blocks: sweeps cost little
  costly_factors = 1U << 19,    ///< many, not rigid; in 3D, 16 blocks or more per row of a factor
  loose_crowd = 1U << 20, ///< warm start of more than 50 contacts of rigid bodies with at least as
                          ///< many velocities as rows of W
  dense_crowd = 1U << 21, ///< warm start of more than 300 contacts of rigid bodies, with fewer
                          ///< velocities than rows of a sparse W
  rough_residual = 1U << 22, ///< residual of at most 2e-3
  near_crowd = 1U << 23,     ///< residual of the percussions, whatever the statuses, up to 0.1
  swept_crowd = 1U << 24 ///< dense_crowd with a tolerance of at least 3e-5, to which sweeps come
                         ///< near in less time than interior points
};

/// Solution from which a method starts.
enum class Start {
  current,        ///< the last one
  best,           ///< the one with the smallest residual
  zero,           ///< p = 0
  kept_percussion ///< the percussions of the last keep_percussion()
};

/// Runs of single methods on one problem. Each starts from `solution`, keeps it consistent with its
/// p, adds a line to the record, and stops at the deadline. Runs of Newton, exact_sweeps() and
/// natural_map() have limits of their own, the others the remaining number of iterations. The best
/// solution is kept, whatever the methods do. Methods return true if they converged;
/// exact_sweeps(), to round-off.
template <int d>
class MethodRuns {
public:
  MethodRuns(const FrictionContactProblem &contact_problem, const ConeOptions &wanted,
             const Deadline &end, KeptNewtons<d> &reusable, ConeSolution &found)
      : problem(contact_problem), options(wanted), solution(found), deadline(end),
        newtons(reusable) {}

  /// Starts from a solution, and runs a method unless `call` has none.
  bool run(const Call<d> &call, Start start);
  /// Returns true if a method may no longer run.
  bool is_excluded(const Call<d> &call) const {
    return is_at_limit() && (is_past_limit || !call.is_short);
  }

  /// Runs the function of the call; interior_points() compares its result with the accuracy.
  bool iterate(const Call<d> &call);
  bool interior_points(const Call<d> &call);
  bool exact_sweeps(const Call<d> &call);
  bool relax(const Call<d> &call);
  bool patches(const Call<d> &call);
  bool newton_from_status(const Call<d> &call);
  bool newton_from_percussion(const Call<d> &call);
  bool natural_map(const Call<d> &call);
  bool lemke(const Call<d> &call);
  /// Runs proximal points with the last ε; restarted ones begin with the first ε again, those from
  /// the percussion with its statuses, too, and patient ones take more steps.
  bool proximal(const Call<d> &call);
  bool restarted_proximal(const Call<d> &call);
  bool proximal_from_percussion(const Call<d> &call);
  bool patient_proximal(const Call<d> &call);
  /// Follows the path for one κ after the other, until it is near the end of a path.
  bool follow_central_path(const Call<d> &call) { return follow_paths(call, {0.5, 0.7, 0.3}); }
  bool follow_path_of_large_kappa(const Call<d> &call) { return follow_paths(call, {0.9}); }
  /// Returns true, too, if no percussions solve the problem.
  bool refute(const Call<d> &call);
  bool keep_percussion(const Call<d> &call);

  /// Returns the conditions that hold for the runs so far.
  unsigned int conditions() const {
    return progress | (newtons.is_singular() ? +singular_matrix : 0U);
  }
  void complete_solution(std::string_view name);
  void restore_best();

  const FrictionContactProblem &problem;
  const ConeOptions &options;
  ConeSolution &solution;
  bool is_patch = false; ///< true if the problem is a patch: it is not solved by patches

private:
  bool newton(const Call<d> &call);
  void take(std::string_view name, NewtonOutcome outcome, double residual);
  bool proximal_within(typename ProximalNewton<d>::Options limits, const Call<d> &call,
                       std::string_view name);
  bool follow_paths(const Call<d> &call, std::initializer_list<double> kappas);
  void note(std::string_view name, unsigned int iterations_before);
  void store_best();
  void restart_from(const std::vector<double> &p);
  void note_arrival(bool has_arrived) {
    progress = has_arrived ? progress | accuracy_met : progress & ~accuracy_met;
  }
  unsigned int remaining_iterations() const;
  bool is_at_limit() const { return remaining_iterations() == 0 || deadline.is_over(); }
  unsigned int limit_of(const Call<d> &call) const;

  const Deadline &deadline;
  KeptNewtons<d> &newtons;
  ConeSolution best; ///< best among the solutions overwritten by later methods
  std::vector<double> kept_percussion;
  unsigned int progress = 0;  ///< after_pivots, after_path and accuracy_met
  bool is_past_limit = false; ///< true if the last run began at a limit
};

extern template class MethodRuns<2>;
extern template class MethodRuns<3>;

} // namespace percussion
