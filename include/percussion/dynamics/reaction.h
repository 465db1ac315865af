#pragma once

#include <percussion/cone/solver.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/posed_law.h>

#include <memory>
#include <string>

namespace percussion {

/// The cone problem that a step has posed last, in natural units, and what came of it: times
/// `percussion_unit` and `velocity_unit` its percussions and velocities are those of the case.
struct PosedProblem {
  const FrictionContactProblem &problem; ///< in natural units
  const std::vector<double> &guess;      ///< percussions that the solver began with
  const ConeSolution &solution;          ///< in natural units; see its outcome
  double percussion_unit, velocity_unit;
  Interval interval; ///< of the step, or of the part of it that was being taken
};

/// What the contacts do to the bodies in an interval.
struct Reaction {
  std::vector<double> p;             ///< percussions, row by row of H [impulse]
  std::vector<ContactStatus> status; ///< of each contact
  /// True for each contact whose tangential restitution has been raised to (1−θ)/θ, see
  /// PosedLaw::takes_least_e_T; empty: none.
  std::vector<bool> is_raised;
  bool settled = true;         ///< whether p obeys the law for the velocities that it was asked for
  unsigned int iterations = 0; ///< of the solver
  double residual = 0;         ///< of the law, in natural units
  /// That it stores besides the springs of the law: potential at the end minus that at the
  /// beginning.
  double energy = 0;
};

/// What a reaction carries from step to step, for its results to depend on nothing else.
struct ReactionMemory {
  bool keeps_delassus = false; ///< whether these rows are those of the W that is kept
  ContactRows H;
  std::vector<double> mu, compliance;
  ConeMemory cone;
};

/// How contacts answer velocities: the cone of Signorini and Coulomb, or another law for the same
/// posed contacts. It sees the bodies through their free velocities and the operator W alone: with
/// u those under the percussions p, it looks for p' and u' = u + W (p' − p).
template <int dim>
class ReactionSolver {
public:
  virtual ~ReactionSolver() = default;

  /// Improve `reaction`, whose percussions have been applied already, for the velocities u of the
  /// contacts relative to what they touch; `first` in an interval, it begins with the law's guess.
  /// Returns why there is no answer, or nothing.
  virtual std::string solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                            ContactSystem &system, bool first, Reaction &reaction) = 0;

  /// The last problem, if one was posed in the interval begun last.
  virtual const PosedProblem *posed() const = 0;
  /// A new interval: nothing is posed yet.
  virtual void begin(const Interval &interval) = 0;

  virtual ReactionMemory memory(const ContactSystem &system) const = 0;
  /// Go on as the solver would that had this memory.
  virtual void restore(const ReactionMemory &memory, ContactSystem &system) = 0;
};

/// Signorini's and Coulomb's law as a cone problem (AC24 (91)) with W, solved by the methods of
/// cone/. With ConeMethod::pdas and a balance that is not linear statuses and momentum are
/// corrected in the same iterations (`one_by_one`), else each correction solves the problem.
/// `theta` is the share of the percussions in the system's equations: W = θ H Â⁻¹ Hᵀ.
template <int dim>
std::unique_ptr<ReactionSolver<dim>> make_cone_reaction(const ConeOptions &options, double theta,
                                                        bool one_by_one);

/// Springs whose force is the discrete gradient of their energy (Penalty::conserving): each
/// correction solves the cone problem of their tangents.
template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_spring_reaction(std::unique_ptr<ReactionSolver<dim>> of_tangents);

} // namespace percussion
