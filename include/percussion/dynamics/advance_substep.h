#pragma once

#include <percussion/balance/momentum.h>
#include <percussion/contact/find.h>
#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/stopwatch.h>

#include <memory>

namespace percussion {

template <int dim>
class PositionProjection;

/// Rows of the contacts of a completed substep, and their percussions.
struct CompletedContacts {
  double length = 0;            ///< length of the substep [time]
  ContactRows H;                ///< rows of the contacts, then of moments: Hᵀ p is the force
  ContactRows G;                ///< rows of u = G v if they differ from H; else empty
  std::vector<ContactKey> keys; ///< keys of the contacts in the order of their rows
  std::vector<double> p;        ///< percussions of contacts and bonds, row by row of H [impulse]
};

/// Components used by a substep, independent of each other.
template <int dim>
struct Machinery {
  const System<dim> &bodies;
  const Boundary<dim> &boundary;
  const StepChoices &choices;
  ContactFinder<dim> contact_finder;
  std::unique_ptr<Momentum<dim>> momentum;
  std::unique_ptr<ReactionSolver<dim>> reaction;
  Vector force_theta, next_force; ///< force F_θ and force F(t1)
  Stopwatch stopwatch;
  /// Projection of positions; null: positions are not corrected.
  std::unique_ptr<PositionProjection<dim>> projection = nullptr;
  CompletedContacts completed = {}; ///< contacts of the last completed substep
};

/// Advances the state over an interval, a step or a substep. With the θ-rule and a law for
/// velocities (AC24 (72), BBDM24 (3.7)):
///
///     M (v1 − v0) + h f_int(q0, q1) + h f_visc = h F_θ + Hᵀ p
///     q1 = q0 + h v_θ ,   v_θ = (1−θ) v0 + θ v1
///     0 ∈ û + μ‖û_T‖ n + N_K(p) ,   û = u1 + e∘u0 ,   u = H v − velocity of the surface
///
/// TimeRule has the balance and the kinematics of other rules, GapLaw and Penalty have other laws.
/// On failure, the state is unchanged, except for bodies that have appeared. On success writes the
/// record. Throws RunError if a formula has no value or a displacement is not a number.
template <int dim>
[[nodiscard]] std::optional<Failure> advance_substep(State<dim> &state, const Interval &interval,
                                                     Machinery<dim> &machinery,
                                                     StepRecord<dim> &record);

} // namespace percussion
