#pragma once

namespace percussion {

/// Relation of the mean velocity of a step to the velocities at its ends, and its inertia and
/// internal force: see TimeRule.
enum class Integrator {
  theta,             ///< the θ-rule
  newmark,           ///< Newmark's average acceleration
  generalized_alpha, ///< generalized-α rule: Chung & Hulbert 1993
  half_steps         ///< Paoli & Schatzman's rule: velocities half a step later than positions
};

/// Choices for the balance of momentum of the bodies.
struct BalanceChoices {
  double h = 0;       ///< length of a step [time]
  double theta = 0.5; ///< parameter θ of the θ-rule
  /// False for the quasi-static balance (CA (163)): elastic bodies have no mass, θ is one, and
  /// hyperelastic stresses follow from the displacements at the end of the step.
  bool has_inertia = true;
  Integrator integrator = Integrator::theta;
  /// Spectral radius ρ∞ of the generalized-α rule: Chung & Hulbert's example.
  double spectral_radius = 0.8;
  /// Largest residual of the momentum balance, relative to its largest term.
  double newton_tolerance = 1e-10;
};

} // namespace percussion
