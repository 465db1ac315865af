#pragma once

#include <percussion/cone/newton.h>
#include <percussion/cone/problem.h>

namespace percussion {

enum class ConeMethod { nsgs, newton };

struct ConeOptions {
  ConeMethod method = ConeMethod::newton;
  double tolerance = 1e-10;                ///< of natural_map_residual()
  unsigned int max_iterations = 100000;    ///< Gauss–Seidel sweeps of one solve
  unsigned int max_newton_iterations = 50; ///< of one start of Newton
};

/**
 * Solves frictional contact problems (AC24 (91)), one after the other, by
 *
 *   nsgs    block Gauss–Seidel, warm started from the percussions;
 *   newton  active-set Newton, warm started from the statuses, exact to round-off. Where it fails
 *           a few Gauss–Seidel sweeps guess the statuses anew ("hybrid"); where that fails too,
 *           Gauss–Seidel goes on to the end, and Newton polishes what misses the tolerance.
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

private:
  void check(const FrictionContactProblem &problem);

  template <int d>
  void solve(const FrictionContactProblem &problem, ConeSolution &solution,
             ActiveSetNewton<d> &newton);
  template <int d>
  void run_nsgs(const FrictionContactProblem &problem, unsigned int max_sweeps,
                ConeSolution &solution);
  template <int d>
  bool run_newton(const FrictionContactProblem &problem, ActiveSetNewton<d> &newton,
                  std::string_view name, ConeSolution &solution);

  ConeOptions options_;
  ActiveSetNewton<2> newton_2d_;
  unsigned long checked_version_ = 0;
};

} // namespace percussion
