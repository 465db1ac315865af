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

constexpr unsigned int unlimited = std::numeric_limits<unsigned int>::max();

/// Runs of single methods on one problem. Each starts from `solution`, keeps it consistent with its
/// p, adds a line to the record, and stops at the deadline. All except exact_sweeps(),
/// natural_map() and the runs of newton respect the remaining number of iterations. Returns true if
/// the method converged; exact_sweeps() to round-off.
template <int d>
class MethodRuns {
public:
  MethodRuns(const FrictionContactProblem &contact_problem, const ConeOptions &wanted,
             const Deadline &end, KeptNewtons<d> &reusable, ConeSolution &found)
      : problem(contact_problem), options(wanted), solution(found), deadline(end),
        newtons(reusable) {}

  bool nsgs(unsigned int max_sweeps);
  bool exact_sweeps(unsigned int sweeps);
  bool newton_from_start(std::string_view name, unsigned int max_iterations = unlimited);
  bool newton_from_percussion(std::string_view name, unsigned int max_iterations = unlimited);
  bool natural_map();
  bool proximal(unsigned int max_iterations, double first_epsilon = 1e-3,
                unsigned int max_newton_iterations = unlimited);
  bool patient_proximal(unsigned int max_iterations, double first_epsilon = 1e-3);
  bool proximal_from_percussion(unsigned int max_iterations, double first_epsilon);
  bool admm(unsigned int max_iterations);
  bool lemke();
  bool multipliers(unsigned int max_iterations);
  void interior_points(double accuracy);
  /// Follows the path for one κ after the other, until it is near the end of a path.
  void follow_central_path(double accuracy, std::initializer_list<double> kappas = {0.5, 0.7, 0.3});

  /// Starts proximal points with the first ε again.
  void forget_proximal() { newtons.proximal().forget(); }
  /// Returns true if Newton's last matrix was singular to round-off.
  bool is_singular() const { return newtons.plain().singular(); }

  void complete_solution(std::string_view name);
  /// Restarts from p = 0, whatever the current solution.
  void restart();
  void store_best();
  void restore_best();
  void conclude(ConeOutcome outcome) { solution.outcome = best.outcome = outcome; }
  unsigned int remaining_iterations() const;
  bool at_limit() const { return remaining_iterations() == 0 || deadline.is_over(); }

  const FrictionContactProblem &problem;
  const ConeOptions &options;
  ConeSolution &solution;

private:
  bool newton(std::string_view name, unsigned int max_iterations);
  void take(std::string_view name, NewtonOutcome outcome, double residual);
  bool proximal_within(typename ProximalNewton<d>::Options limits, std::string_view name);
  void note(std::string_view name, unsigned int iterations_before);

  const Deadline &deadline;
  KeptNewtons<d> &newtons;
  ConeSolution best; ///< best among the solutions overwritten by later methods
};

extern template class MethodRuns<2>;
extern template class MethodRuns<3>;

} // namespace percussion
