#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

#include <memory>

namespace percussion {

/// What a ConeSolver carries from one solution to the next that its result can depend on.
struct ConeMemory {
  bool keeps_epsilon = false; ///< of proximal points, for the W solved last
  double epsilon = 0;         ///< the last ε of the proximal points
};

/// Solves frictional contact problems (AC24 (91)), in 2D and 3D, one after the other, by one of
/// cone_methods(), which are functions and classes of their own in this folder:
///
/// - newton: active-set Newton, warm started from the statuses, exact to round-off;
/// - natural-map: semi-smooth Newton on the natural map;
/// - nsgs: block Gauss–Seidel, warm started from the percussions;
/// - hybrid: more and more sweeps, newton after each round;
/// - proximal: proximal points, each by Newton, for singular W; from several starts;
/// - admm: alternating directions;
/// - lemke: pivots, in 2D only;
/// - auto: many contacts from nothing to a loose tolerance by nsgs, else newton; where it meets a
/// singular matrix proximal points or, in 2D, pivots, from nothing at once and from a guess where
/// the others take long; where newton cycles a few sweeps that guess the statuses anew; at last
/// proximal from other starts, admm and nsgs;
/// - pdas: for problems of a sequence that changes with each solution: update() takes one iteration
///   of the active-set Newton. solve() does what auto does.
///
/// Where W is singular p is not unique; proximal leaves what W does not see of it as it was.
///
/// A solver keeps factors and memory from one problem to the next: give consecutive problems of a
/// simulation to the same solver, and number them by FrictionContactProblem::version.
class ConeSolver {
public:
  /// Throws std::invalid_argument unless the tolerance is positive.
  explicit ConeSolver(const ConeOptions &wanted = {});
  ~ConeSolver();
  ConeSolver(ConeSolver &&) noexcept;
  ConeSolver &operator=(ConeSolver &&) noexcept;

  /// On entry `solution` is the warm start: p and status of the right size are taken, the rest is
  /// made anew. On return solution.residual is re-evaluated from the data, whatever the method
  /// found; solution.converged tells whether it meets the tolerance, and outcome why not.
  ///
  /// Throws std::invalid_argument if sizes or block structure do not fit, if data are not finite,
  /// if W is not symmetric in 3D, if a friction coefficient or a diagonal entry of W is negative,
  /// or if the dimension is neither 2 nor 3. W and mu are looked through when the version changes
  /// (at every call for version 0).
  void solve(const FrictionContactProblem &problem, ConeSolution &solution);

  /// The percussions that obey the statuses supposed so far: those of `solution` if it is the
  /// `first` of a sequence of problems, else those that the last update has shown. Returns whether
  /// the statuses that they show are the same, and the residual meets the tolerance.
  ///
  /// A slip whose velocity turns out to go with its friction is supposed to stick next, never to
  /// slip the other way, so that no two directions can alternate. What is returned as settled
  /// dissipates: a slip along s that shows itself again has s (μ p_N s − ρ u_T) > μ p_N, hence
  /// p_T û_T < 0, and a stick has û_T = 0, with the û of the problem: for Frémond's and the
  /// persistent law û_T is twice the u_θ,T whose product with p_T is the friction work.
  bool update(const FrictionContactProblem &problem, bool first, ConeSolution &solution);

  /// To go on elsewhere: `problem` is the one solved last, or one with its W. After restore() the
  /// next solution of a problem of that version is, bit for bit, what it would be here.
  ConeMemory memory(const FrictionContactProblem &problem) const;
  /// Take what memory() of another solver gave for this problem.
  void restore(const FrictionContactProblem &problem, const ConeMemory &memory);

private:
  struct Kept;

  ConeOptions options;
  std::unique_ptr<Kept> kept;
};

} // namespace percussion
