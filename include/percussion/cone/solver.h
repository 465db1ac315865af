#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

#include <memory>

namespace percussion {

/// State of a ConeSolver that influences the result of its next solution.
struct ConeMemory {
  bool keeps_epsilon = false; ///< for the W solved last
  double epsilon = 0;         ///< last ε of the proximal-point method
};

/// Solves frictional contact problems (AC24 (91)) in 2D and 3D, one after the other, by one of the
/// cone_methods(). Each is a function or class of its own in this folder:
///
/// - newton: active-set Newton, warm-started from the statuses, exact to round-off;
/// - natural-map: semi-smooth Newton on the natural map;
/// - nsgs: block Gauss–Seidel, warm-started from the percussions;
/// - hybrid: increasing numbers of Gauss–Seidel sweeps, each followed by newton;
/// - proximal: proximal points, each by Newton, for singular W; from several initial guesses;
/// - interior: interior points up to where proximal takes over, from a start of its own;
/// - admm: alternating direction method of multipliers;
/// - lemke: Lemke's pivoting, in 2D only;
/// - auto: a single contact directly; from rest a few sweeps first, then newton. Up to 300 contacts
///   in the plane: newton; if a matrix is singular, proximal or lemke, the latter first without
///   warm start (up to 50 contacts) and last with one; if newton cycles, a few sweeps to guess the
///   statuses. Else: newton for a while; nsgs if the tolerance is loose and there is no warm start;
///   proximal with a warm start; many sweeps with proximal; interior. Last sweeps and newton, admm,
///   proximal from other guesses, nsgs. Rigid bodies in space, group by group: proximal, interior,
///   the central path and proximal from its end, proximal from other starts, multipliers(),
///   proximal;
/// - pdas: for sequences of problems each of which depends on the last solution: update() does one
///   iteration of the active-set Newton. solve() does the same as auto.
///
/// If W is singular, p is not unique; proximal preserves its component in the null space of W.
///
/// A solver reuses factors and memory: pass consecutive problems of a simulation to the same solver
/// and number them by FrictionContactProblem::version.
class ConeSolver {
public:
  /// Throws std::invalid_argument unless the tolerance is positive.
  explicit ConeSolver(const ConeOptions &wanted = {});
  ~ConeSolver();
  ConeSolver(ConeSolver &&) noexcept;
  ConeSolver &operator=(ConeSolver &&) noexcept;

  /// On entry `solution` is the warm start: p and status are used if their sizes fit. On return
  /// solution.residual is evaluated from the data, whatever the method claims; solution.converged
  /// tells whether it meets the tolerance, and outcome why not.
  ///
  /// Throws std::invalid_argument if sizes or block structure do not fit, if data are not finite,
  /// if a friction coefficient or a diagonal entry of W is negative, or if the dimension is neither
  /// 2 nor 3. W and mu are checked when the version changes (on
  /// every call for version 0).
  void solve(const FrictionContactProblem &problem, ConeSolution &solution);

  /// Improves a solution of solve() to another tolerance with the same method, within some
  /// iterations. The solution stays unless the residual of the other is smaller.
  void refine(const FrictionContactProblem &problem, double tolerance, ConeSolution &solution);

  /// One iteration of the primal–dual active set method (PDAS): the percussions that satisfy the
  /// assumed statuses, which are those of `solution` for the `first` problem of a sequence, else
  /// those that followed from the last update. W may be dense or given by blocks. Returns whether
  /// the resulting statuses are the assumed ones and the residual meets the tolerance.
  ///
  /// A contact whose slip velocity turns out to be along its friction is assumed to stick next, not
  /// to slip the opposite way, so that directions cannot alternate. A settled solution dissipates:
  /// a slip along s that is confirmed has s (μ p_N s − ρ u_T) > μ p_N, hence p_T û_T < 0, and stick
  /// has û_T = 0. This û is that of the problem: for Frémond's and the persistent law û_T is twice
  /// the u_θ,T whose product with p_T is the friction work.
  bool update(const FrictionContactProblem &problem, bool first, ConeSolution &solution);

  /// State to continue with in another solver; `problem` is the one solved last, or one with its W.
  /// After restore() the next solution of a problem of that version is bitwise the same as here.
  ConeMemory memory(const FrictionContactProblem &problem) const;
  /// Restore what memory() of another solver returned for this problem.
  void restore(const FrictionContactProblem &problem, const ConeMemory &memory);

private:
  struct Kept;
  Kept &reused();

  ConeOptions options;
  std::unique_ptr<Kept> kept;
};

} // namespace percussion
