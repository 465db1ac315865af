#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/newton.h>
#include <percussion/cone/proximal.h>

namespace percussion {

/// What a solver keeps from one problem to the next.
template <int d>
struct KeptNewtons {
  ActiveSetNewton<d> plain;
  ProximalNewton<d> proximal;
};

/// The methods of ConeSolver on one problem. All start from `solution` and leave the rest of it
/// consistent with its p; each returns whether it has converged. run() ends with the best of what
/// its methods have found, which is the start where they have found nothing.
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
  bool to_the_end();
  bool hybrid();
  bool nsgs(unsigned int max_sweeps);
  bool newton_from_start(std::string_view name);
  bool newton_from_percussion(std::string_view name);
  bool newton(std::string_view name);
  bool natural_map();
  bool proximal(unsigned int max_iterations, double first_epsilon = 1e-3);
  bool proximal_from_elsewhere();
  bool admm(unsigned int max_iterations);
  bool lemke();
  void remember();
  void recall();
  void take_percussions(std::string_view name);
  unsigned int left() const;
  bool is_exhausted() const { return left() == 0 || deadline.is_over(); }

  const FrictionContactProblem &problem;
  const ConeOptions &options;
  const Deadline &deadline;
  KeptNewtons<d> &newtons;
  ConeSolution &solution;
  ConeSolution best; ///< of those that a method without a guard has taken the place of
};

extern template class Strategies<2>;
extern template class Strategies<3>;

} // namespace percussion
