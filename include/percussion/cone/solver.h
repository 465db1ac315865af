#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

#include <memory>

namespace percussion {

/// State of a ConeSolver that influences the result of its next solution.
struct ConeMemory {
  bool keeps_epsilon = false; ///< true if `epsilon` belongs to the W solved last
  double epsilon = 0;         ///< last ε of the proximal-point method
};

/// Groups of bodies that have been solved, by their contacts. With the same W and friction, groups
/// with equal q and guess need not be solved again to a tolerance that they have met.
struct SolvedGroups {
  std::vector<double> q, p; ///< entries of the problem and of the solution
  std::vector<ContactStatus> status;
  std::vector<double> tolerance; ///< by contact; infinite if not solved
};

/// Solver of frictional contact problems (AC24 (91)) in 2D and 3D, one after the other, by one of
/// the cone_methods(). Each method is a function or class in this folder:
///
/// - newton: active-set Newton, warm-started from the statuses, exact to round-off;
/// - natural-map: semi-smooth Newton on the natural map;
/// - nsgs: block Gauss–Seidel, warm-started from the percussions;
/// - hybrid: increasing numbers of Gauss–Seidel sweeps, each followed by newton;
/// - proximal: proximal points, each by Newton, for singular W; from several initial guesses;
/// - interior: interior points from a start of its own, then proximal;
/// - admm: alternating direction method of multipliers;
/// - lemke: Lemke's pivoting, in 2D only;
/// - auto: a single contact directly; from rest some sweeps, then newton. Up to 300 contacts in 2D:
///   newton; if a matrix is singular, proximal or lemke, the latter first without warm start (up to
///   50 contacts) and last with one; if newton cycles, some sweeps to guess the statuses.
///   Otherwise: newton with a limited number of iterations; nsgs if the tolerance is loose and
///   there is no warm start; proximal with a warm start; many sweeps with proximal; interior. Last
///   sweeps and newton, admm, proximal from other guesses, nsgs. Rigid bodies in 3D, group by
///   group: proximal, interior, the central path and proximal from its end, proximal from other
///   starts, multipliers(), proximal;
/// - pdas: for sequences of problems each of which depends on the last solution: update() computes
///   one iteration of the active-set Newton. solve() is the same as for auto.
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

  /// Solves a problem. On entry `solution` is the warm start: p and status are used if their sizes
  /// fit. On return solution.residual is evaluated from the data, independently of the method;
  /// solution.converged is true if it meets the tolerance, otherwise outcome gives the reason.
  ///
  /// Throws std::invalid_argument if sizes or block structure do not fit, if data are not finite,
  /// if a friction coefficient or a diagonal entry of W is negative, or if the dimension is neither
  /// 2 nor 3. W and mu are checked when the version changes (on every call for version 0).
  void solve(const FrictionContactProblem &problem, ConeSolution &solution);
  /// Solves a problem to another tolerance. Where `auto` solves groups of bodies one by one (3D,
  /// bodies known, sparse W), it leaves those as they are that `solved` has from problems with the
  /// same W and friction, and adds those that it solves. For the first problem `solved` is empty.
  void solve(const FrictionContactProblem &problem, double tolerance, ConeSolution &solution,
             SolvedGroups &solved);

  /// Improves a solution of solve() to another tolerance with the same method, within a limited
  /// number of iterations. Keeps the solution unless the new residual is smaller.
  void refine(const FrictionContactProblem &problem, double tolerance, ConeSolution &solution);

  /// Computes one iteration of the primal–dual active set method (PDAS): the percussions that
  /// satisfy the assumed statuses. These are the statuses of `solution` for the `first` problem of
  /// a sequence, otherwise the result of the last update. W may be dense or given by blocks.
  /// Returns true if the resulting statuses equal the assumed ones and the residual meets the
  /// tolerance.
  ///
  /// A contact whose slip velocity has the direction of its friction is assumed to stick next, not
  /// to slip the opposite way, so that directions cannot alternate. A converged solution
  /// dissipates: a confirmed slip along s has s (μ p_N s − ρ u_T) > μ p_N, hence p_T û_T < 0, and
  /// stick has û_T = 0. This û is the velocity of the problem: for Frémond's and the persistent law
  /// û_T is twice the u_θ,T whose product with p_T is the friction work.
  bool update(const FrictionContactProblem &problem, bool first, ConeSolution &solution);

  /// Returns the state for continuing with another solver; `problem` is the one solved last, or one
  /// with its W. After restore() the next solution of a problem of this version is bitwise equal.
  ConeMemory memory(const FrictionContactProblem &problem) const;
  /// Restores the result of memory() of another solver for this problem.
  void restore(const FrictionContactProblem &problem, const ConeMemory &memory);

private:
  struct Kept;
  Kept &reused();
  void solve(const FrictionContactProblem &problem, const ConeOptions &adapted_options,
             ConeSolution &solution, SolvedGroups *solved);

  ConeOptions options;
  std::unique_ptr<Kept> reused_objects;
};

} // namespace percussion
