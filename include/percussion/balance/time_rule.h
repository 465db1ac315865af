#pragma once

#include <percussion/balance/choices.h>

namespace percussion {

/// Rule for a step of length h, with the mean velocity v̄ = (q1 − q0)/h as unknown:
///
///     M (m (v̄ − v0) + n h a0) + h C (v0 + w (v̄ − v0) + w_a h a0)
///         + h K (q0 + h (k v̄ + k_0 v0)) + h Ω_s × I Ω_s = h F_f + Hᵀ p
///     v1 = v0 + end (v̄ − v0) + end_a h a0 ,   a1 = a_jump (v̄ − v0)/h + a_a a0
///
/// with F_f = (1−f) F(t0) + f F(t1) and the angular velocities Ω_s = Ω0 + s (Ω̄ − Ω0) + s_a h Ω̇0
/// of rigid bodies in 3D, in their own frames. The θ-rule has m = end = 1/θ, k = f = θ, w = s = 1.
struct TimeRule {
  double percussion_factor;             ///< 1/m: factor of the percussions if M has the factor one
  double inertia_of_a = 0;              ///< n
  double viscous = 1, viscous_of_a = 0; ///< w, w_a
  double internal, internal_of_start = 0; ///< k, k_0
  double spin = 1, spin_of_a = 0;         ///< s, s_a
  double end, end_of_a = 0;               ///< end, end_a
  double a_of_jump = 0, a_of_a = 0;       ///< a_jump, a_a; zero: no acceleration is needed
  double load;                            ///< f

  bool has_acceleration() const { return a_of_jump != 0.; }
  /// True if the gyroscopic torque is evaluated at the mean angular velocity; it then does no work.
  bool has_mean_spin() const { return spin == 1. && spin_of_a == 0.; }
};

/// Returns the rule of a run:
///
///     theta              see above
///     generalized-alpha  Newmark's q1 and v1 with β = (1 − α_m + α_f)²/4, γ = ½ − α_m + α_f, and
///                        the balance at (1−α) t1 + α t0 of each term: α_m = (2ρ − 1)/(ρ + 1),
///                        α_f = ρ/(ρ + 1) (Chung & Hulbert 1993)
///     newmark            generalized-alpha with α_m = α_f = 0: β = ¼, γ = ½
///     half-steps         M (q1 − 2 q0 + q₋₁)/h² + K (q1 + 2 q0 + q₋₁)/4 = F(t0), a rule for
///                        positions only: v is the mean velocity of the step before, hence the
///                        velocity half a step earlier, and a its change over the last two steps
TimeRule time_rule(const BalanceChoices &choices);

} // namespace percussion
