#pragma once

#include <percussion/balance/failure.h>
#include <percussion/cone/solver.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/posed_law.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Last cone problem posed by a step, in natural units, and its solution. Percussions times
/// `percussion_unit` and velocities times `velocity_unit` are in units of the case.
struct PosedProblem {
  const FrictionContactProblem &problem; ///< problem in natural units
  const std::vector<double> &guess;      ///< initial percussions of the solver
  const ConeSolution &solution;          ///< solution in natural units; see its outcome
  double percussion_unit;                ///< unit of percussion [impulse]
  double velocity_unit;                  ///< unit of velocity [velocity]
  Interval interval;                     ///< interval of the step or of its current substep
};

/// Reaction of the contacts on the bodies in an interval.
struct Reaction {
  std::vector<double> p;             ///< percussions, row by row of H [impulse]
  std::vector<ContactStatus> status; ///< status of each contact
  /// True for each contact whose tangential restitution has been raised to (1−θ)/θ, see
  /// PosedLaw::takes_least_e_T; empty: none.
  std::vector<bool> is_raised;
  /// Solution before tangential restitutions were raised, if a solver raises them.
  ReactionGuess first_solution;
  bool converged = true; ///< true if p satisfies the law for the given velocities
  /// True if the tangential work of a contact is positive, or its sign uncertain, and the decision
  /// to raise its restitution is postponed to a later correction.
  bool awaits_raising = false;
  /// True if p satisfies the law only as far as early corrections need.
  bool is_preliminary = false;
  double rounding = 0;         ///< bound of the round-off of contact velocities [velocity]
  unsigned int iterations = 0; ///< iterations of the solver
  double residual = 0;         ///< residual of the law in natural units
  /// Change of the potential energy stored in addition to the energy of the law's springs [energy].
  double energy = 0;
};

/// Returns the offsets a of the contact law, row by row of H [velocity]. Tangential offsets are
/// zero at contacts whose tangential restitution the reaction has raised (Reaction::is_raised).
template <int dim>
std::vector<double> raised_offset(const PosedLaw<dim> &law, const Reaction &reaction) {
  std::vector<double> offset = law.offset;
  for (std::size_t i = 0; i < reaction.is_raised.size(); ++i)
    if (reaction.is_raised[i])
      std::fill_n(&offset[dim * i + 1], dim - 1, 0.);
  return offset;
}

/// Stage of the corrections of an interval.
struct CorrectionStage {
  /// Relative residual of the balance below which signs of contact works are decided.
  static constexpr double small_residual = 1e-4;

  bool is_first = true; ///< true at the first correction, which starts from the law's guess
  /// True if the balance is so nearly satisfied that signs of contact works are final, unless the
  /// change of the percussions in the correction is as large as they are.
  bool decides_restitutions = true;
  /// True if the solution with raised restitutions decides, too, as the balance is linear.
  bool decides_again = true;
  /// True if the error of the balance may decide signs of contact works.
  bool has_balance_error = false;
  /// Residual of an iterative solution, relative to its right-hand side, that suffices because
  /// further corrections follow; 0: round-off.
  double sufficient_residual = 0;
};

/// Data that a reaction carries from step to step; its results depend on no other data.
struct ReactionMemory {
  bool keeps_delassus = false; ///< true if these rows belong to the stored W
  ContactRows H;
  std::vector<double> mu, compliance;
  ConeMemory cone;
};

/// Solver of the contact reaction to velocities: the cone of Signorini and Coulomb, or another law
/// for the same posed contacts. It depends on the bodies only through their free velocities and the
/// operator W: from the velocities u under the percussions p, it computes p' and u' = u + W (p' −
/// p).
template <int dim>
class ReactionSolver {
public:
  virtual ~ReactionSolver() = default;

  /// Prepares the system for the solution of a law, before the system gets its degrees of freedom
  /// of contacts.
  virtual void prepare(const PosedLaw<dim> & /*law*/, ContactSystem & /*system*/) {}
  /// Chooses another method for the rest of the interval after solve() has failed. Returns false if
  /// there is none.
  virtual bool fall_back(const ContactSystem & /*system*/) { return false; }

  /// Improves `reaction`, whose percussions have already been applied, for the velocities u of the
  /// contacts relative to the opposite sides.
  [[nodiscard]] virtual std::optional<Failure> solve(const PosedLaw<dim> &law,
                                                     const std::vector<double> &u,
                                                     ContactSystem &system, CorrectionStage stage,
                                                     Reaction &reaction) = 0;

  /// Returns the last problem if the current interval has posed one, else null.
  virtual const PosedProblem *posed_problem() const = 0;
  /// Starts a new interval, without a posed problem.
  virtual void start_interval(const Interval &interval) = 0;

  virtual ReactionMemory memory(const ContactSystem &system) const = 0;
  /// Restores a memory; later results are as without interruption.
  virtual void restore(const ReactionMemory &memory, ContactSystem &system) = 0;
};

/// Creates a solver of Signorini's and Coulomb's law as a cone problem (AC24 (91)) with W, by the
/// methods of cone/. With ConeMethod::pdas and a nonlinear balance, statuses and momentum are
/// corrected in the same iterations (`one_by_one`), else each correction solves the problem.
/// `percussion_factor` is the factor of the percussions in the system's equations, TimeRule's 1/m,
/// which the formulas here call θ: W = θ H Â⁻¹ Hᵀ.
template <int dim>
std::unique_ptr<ReactionSolver<dim>> make_cone_reaction(const ConeOptions &options,
                                                        double percussion_factor, bool one_by_one);

/// Limits of ProjectedContacts.
struct ProjectionLimits {
  double tolerance;                  ///< largest residual of the law
  unsigned int max_active_sets = 30; ///< active sets before proximal steps
};

/// Creates a solver that lets the system defer its solutions if contacts have nodes of their own,
/// and there are at least `min_rows` rows of them: it solves for velocities and percussions
/// together by projected Krylov iterations (ProjectedContacts). Other laws, and laws that it fails
/// to solve, are left to `condensed`.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_projected_reaction(std::unique_ptr<ReactionSolver<dim>> condensed, ProjectionLimits limits,
                        double percussion_factor, unsigned int min_rows);

/// Creates a solver of springs whose force is the discrete gradient of their energy
/// (Penalty::conserving): each correction solves the cone problem of their tangents.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_spring_reaction(std::unique_ptr<ReactionSolver<dim>> tangent_reaction);

} // namespace percussion
