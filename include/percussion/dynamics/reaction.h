#pragma once

#include <percussion/balance/failure.h>
#include <percussion/cone/solver.h>
#include <percussion/dynamics/posed_law.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

class ContactSystem;

/// Last cone problem posed by a step, in natural units, and its solution. Percussions times
/// `percussion_unit` and velocities times `velocity_unit` are in units of the case.
struct PosedProblem {
  const FrictionContactProblem &problem; ///< problem in natural units
  const std::vector<double> &guess;      ///< initial percussions of the solver
  const ConeSolution &solution;          ///< solution in natural units; see its outcome
  double percussion_unit;                ///< unit of percussion [impulse]
  double velocity_unit;                  ///< unit of velocity [velocity]
  Interval interval;                     ///< interval of the step or of its current substep
  std::size_t n_moments = 0; ///< number of contacts at the end that are moments, see ContactMoment
};

/// Percussions of contacts, and what belongs to them.
struct ContactPercussions {
  std::vector<double> p;        ///< percussions of the law, row by row of H [impulse]
  std::vector<double> bond;     ///< percussions of bonds, row by row of H; empty: none [impulse]
  std::vector<double> friction; ///< coefficients of friction, if the law does not give them
  std::vector<ContactStatus> status; ///< status of each contact
  std::vector<double> u;             ///< velocities û of the law, offsets included [velocity]
};

/// Reaction of the contacts on the bodies in an interval.
struct Reaction : ContactPercussions {
  /// Smallest error of velocities relative to the largest free velocity, below which the sign of a
  /// work is round-off.
  static constexpr double round_off_of_velocities = 1e-13;

  double velocity_error = 0; ///< bound of the error of û, by round-off or the residual [velocity]
  /// Tangential restitution of each contact in this solution.
  std::vector<TangentialRestitution> restitution;
  /// Offsets a of the law, row by row of H, with these restitutions [velocity].
  std::vector<double> offset;
  /// Solution before tangential restitutions changed; none: they have not.
  std::optional<ReactionGuess> first_solution;
  std::vector<bool> holds; ///< true for each bond of the law that neither opens nor slides
  bool converged = true;   ///< true if p satisfies the law for the given velocities
  /// True if a contact needs another tangential restitution, or it is uncertain whether it does,
  /// and a later correction decides.
  bool awaits_restitutions = false;
  /// True if p satisfies the law only as far as the choice of restitutions needs.
  bool is_rough = false;
  /// True if p satisfies the law only as far as early corrections need.
  bool is_preliminary = false;
  double rounding = 0;         ///< bound of the round-off of contact velocities [velocity]
  unsigned int iterations = 0; ///< iterations of the solver
  double residual = 0;         ///< residual of the law in natural units
  /// Change of the potential energy stored in addition to the energy of the law's springs [energy].
  double energy = 0;

  /// Returns the percussions of contacts and bonds, row by row of H.
  std::vector<double> total_percussions() const {
    std::vector<double> total = p;
    for (std::size_t r = 0; r < bond.size(); ++r)
      total[r] += bond[r];
    return total;
  }
};

/// Stage of the corrections of an interval.
struct CorrectionStage {
  /// Relative residual of the balance below which signs of contact works are decided.
  static constexpr double small_residual = 1e-4;

  bool is_first = true; ///< true at the first correction, which starts from the law's guess
  /// True if the balance is so nearly satisfied that signs of contact works are final, unless the
  /// change of the percussions in the correction is as large as they are.
  bool decides_restitutions = true;
  /// True if the solution with other restitutions decides, too, as the balance is linear.
  bool decides_again = true;
  /// True if the error of the balance may decide signs of contact works.
  bool has_balance_error = false;
  /// Residual of an iterative solution, relative to its right-hand side, that suffices because
  /// further corrections follow; 0: round-off.
  double sufficient_residual = 0;
  /// True if a rough solution is welcome, by which restitutions are chosen first.
  bool may_be_rough = false;
  /// True if the problem of the last call is solved again from its solution, more accurately or
  /// with other offsets.
  bool repeats = false;
};

/// Data that a reaction carries from step to step; its results depend on no other data.
struct ReactionMemory {
  bool keeps_delassus = false; ///< true if these rows belong to the stored W
  ContactRows H;
  std::vector<double> mu;
  Compliance compliance;
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
  /// contacts relative to the opposite sides, with its offsets. If the stage repeats, u is as
  /// before.
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

/// Creates a solver of bonds beside the contact law: it solves the law for the response of bodies
/// that are joined by the tangents of their bonds, and repeats this until the tractions of the
/// bonds fit their openings. Laws without bonds are left to `contact_reaction`.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_bond_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction, double percussion_factor);

/// Creates a solver of friction that depends on the slip speed of the step. Laws without it are
/// left to `contact_reaction`.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_rate_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction, double percussion_factor);

/// Creates a solver of laws with moments of rolling and spinning friction: it solves the law with
/// given normal percussions in the rows of the moments, and repeats this until they are the normal
/// percussions of their contacts. Laws without moments are left to `contact_reaction`. The
/// tolerance is the tolerance of residuals in natural units.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_moment_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction, double tolerance);

} // namespace percussion
