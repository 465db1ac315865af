#pragma once

#include <percussion/cone/interior.h>
#include <percussion/cone/method.h>
#include <percussion/cone/newton.h>
#include <percussion/cone/proximal.h>

namespace percussion {

/// Reused from one problem to the next.
template <int d>
struct KeptNewtons {
  ActiveSetNewton<d> plain;
  ProximalNewton<d> proximal;
};

/// Applies the methods of ConeSolver to one problem. Each starts from `solution`, keeps it
/// consistent with its p, and returns whether it converged. run() returns the best solution found,
/// which is the initial guess if no method improves it.
template <int d>
class Strategies {
public:
  Strategies(const FrictionContactProblem &posed, const ConeOptions &wanted, const Deadline &end,
             KeptNewtons<d> &kept, ConeSolution &found)
      : problem(posed), options(wanted), deadline(end), newtons(kept), solution(found) {}

  void run(ConeMethod method);

private:
  static constexpr unsigned int unlimited = std::numeric_limits<unsigned int>::max();

  bool start_method(ConeMethod method);
  bool automatic();
  bool has_rigid_bodies_only() const;
  bool automatic_for_bodies();
  bool automatic_for_many();
  bool near_last_solution();
  bool automatic_in_the_plane(bool cold, bool from_rest);
  bool few_sweeps(bool few_contacts);
  bool exact_sweeps(unsigned int sweeps);
  bool sweeps_and_newton();
  bool sweeps_and_patience(unsigned int n_attempts, unsigned int max_steps);
  bool fall_back(bool may_pivot);
  bool interior(unsigned int patient_steps = 0);
  bool multipliers(unsigned int most);
  void interior_points(double accuracy);
  void follow_central_path(double accuracy);
  bool last_resort();
  bool hybrid();
  bool nsgs(unsigned int max_sweeps);
  bool newton_from_start(std::string_view name, unsigned int max_iterations = unlimited);
  bool newton_from_percussion(std::string_view name, unsigned int max_iterations = unlimited);
  bool newton(std::string_view name, unsigned int max_iterations);
  void take(std::string_view name, NewtonOutcome outcome, double residual);
  bool natural_map();
  bool proximal(unsigned int max_iterations, double first_epsilon = 1e-3,
                unsigned int max_newton_iterations = unlimited);
  bool patient_proximal(unsigned int max_iterations);
  bool proximal_within(typename ProximalNewton<d>::Options limits, std::string_view name);
  bool proximal_from_percussion(unsigned int max_iterations, double first_epsilon);
  bool proximal_from_other_guesses();
  bool admm(unsigned int max_iterations);
  bool lemke();
  void note(std::string_view name, unsigned int iterations_before);
  void store_best();
  void restore_best();
  void complete_solution(std::string_view name);
  unsigned int left() const;
  bool at_limit() const { return left() == 0 || deadline.is_over(); }

  const FrictionContactProblem &problem;
  const ConeOptions &options;
  const Deadline &deadline;
  KeptNewtons<d> &newtons;
  ConeSolution &solution;
  ConeSolution best; ///< among those that later methods have overwritten
};

extern template class Strategies<2>;
extern template class Strategies<3>;

} // namespace percussion
