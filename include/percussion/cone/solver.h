#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/newton.h>
#include <percussion/cone/problem.h>
#include <percussion/cone/proximal.h>

namespace percussion {

/**
 * Solves frictional contact problems (AC24 (91)), one after the other, by
 *
 *   nsgs    block Gauss–Seidel, warm started from the percussions; where it misses the tolerance,
 *           proximal-point iterations around Newton go on from there ("proximal-newton");
 *   newton  active-set Newton, warm started from the statuses, exact to round-off. Where it meets a
 *           singular matrix, proximal-point iterations take over ("proximal-newton"). Where it
 *           fails otherwise a few Gauss–Seidel sweeps guess the statuses anew ("hybrid"); where
 *           all that fails, Gauss–Seidel goes on to the end and the others polish the result;
 *   pdas    for problems of a sequence that changes with each solution: update() takes one
 *           iteration of the active-set Newton. solve() does what newton does.
 *
 * Where W is singular p is not unique; proximal-newton leaves what W does not see of it as it was.
 *
 * A solver keeps factors and memory from one problem to the next: give consecutive problems of a
 * simulation to the same solver, and number them by FrictionContactProblem::version.
 */
class ConeSolver {
public:
  /// Throws std::invalid_argument unless the tolerance is positive.
  explicit ConeSolver(const ConeOptions &options = {});

  /**
   * On entry `solution` is the warm start: p and status of the right size are taken, the rest is
   * made anew. On return solution.residual is re-evaluated from the data, whatever the method
   * found, and solution.converged tells whether it meets the tolerance.
   *
   * Throws std::invalid_argument if sizes do not match, if data are not finite, if a friction
   * coefficient or a diagonal entry of W is negative, or if the dimension is not 2. W and mu are
   * looked through when the version changes (at every call for version 0).
   */
  void solve(const FrictionContactProblem &problem, ConeSolution &solution);

  /**
   * The percussions that obey the statuses supposed so far: those of `solution` if it is the
   * `first` of a sequence of problems, else those that the last update has shown. Returns whether
   * the statuses that they show are the same, and the residual meets the tolerance.
   *
   * A slip whose velocity turns out to go with its friction is supposed to stick next, never to
   * slip the other way, so that no two directions can alternate. What is returned as settled
   * dissipates: a slip along s that shows itself again has s (μ p_N s − ρ u_T) > μ p_N, hence
   * p_T û_T < 0, and a stick has û_T = 0, with the û of the problem: for Frémond's and the
   * persistent law û_T is twice the u_θ,T whose product with p_T is the friction work.
   */
  bool update(const FrictionContactProblem &problem, bool first, ConeSolution &solution);

private:
  void check(const FrictionContactProblem &problem);

  template <int d>
  struct Newtons {
    ActiveSetNewton<d> plain;
    ProximalNewton<d> proximal;
  };

  template <int d>
  void solve(const FrictionContactProblem &problem, ConeSolution &solution, Newtons<d> &newtons);
  template <int d>
  void solve_by_newton(const FrictionContactProblem &problem, ConeSolution &solution,
                       Newtons<d> &newtons);
  template <int d>
  void run_nsgs(const FrictionContactProblem &problem, unsigned int max_sweeps,
                ConeSolution &solution);
  template <int d>
  bool run_newton(const FrictionContactProblem &problem, ActiveSetNewton<d> &newton,
                  std::string_view name, ConeSolution &solution);
  template <int d>
  bool run_proximal(const FrictionContactProblem &problem, ProximalNewton<d> &proximal,
                    ConeSolution &solution);
  template <int d>
  bool run_proximal_from_elsewhere(const FrictionContactProblem &problem,
                                   ProximalNewton<d> &proximal, ConeSolution &solution);

  ConeOptions options_;
  Newtons<2> newtons_2d_;
  unsigned long checked_version_ = 0;
};

} // namespace percussion
