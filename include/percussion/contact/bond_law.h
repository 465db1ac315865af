#pragma once

#include <array>

namespace percussion {

/// Law for the toughness between tension and shear.
enum class MixedMode {
  interpolation, ///< Benzeggagh and Kenane (1996)
  power_law      ///< sum of powers of the energies' fractions of the toughnesses is one
};

/// Law of a bond with damage. All quantities are for an area of one.
///
/// With the opening (w_N, w_T), s = ⟨w_N⟩² + r w_T² and the equivalent opening δ = √s, the traction
/// is (1 − damage) K (⟨w_N⟩, r w_T). Negative openings are the affair of the contact law.
///
/// * Cohesion: traction and opening are in a bilinear relation; damage begins at δ0, and at δ_f the
///   bond is broken. Both may depend on the ratio of the modes.
/// * Extrinsic cohesion (Camacho and Ortiz 1996): the bond is rigid, δ0 = 0, until its traction t
///   has ⟨t_N⟩² + t_T²/r = σ_c², with r = (shear strength/σ_c)² if there is one. With the largest δ
///   the traction is κ (⟨w_N⟩, r w_T), κ = σ_c (1/δ − 1/δ_f), where δ_f may depend on the ratio of
///   the modes. Damage is 1/(1 + κ δ_I/σ_c) with δ_f = δ_I of tension; δ/δ_f for one mode.
/// * Adhesion (Raous, Cangémi and Cocou 1999): damage is 1 − β² with the intensity of adhesion β,
///   which falls with b dβ/dt = −⟨β K s − w⟩.
struct BondLaw {
  double strength = 0;        ///< normal strength σ_c of cohesion [stress]
  double fracture_energy = 0; ///< G_c of mode I [energy / length²]
  double stiffness = 0;       ///< K [stress / length]; larger than σ_c²/(2 G_c), unless extrinsic
  bool is_extrinsic = false;  ///< true for cohesion that is rigid until its strength is reached
  double shear_ratio = 1;     ///< r: tangential over normal stiffness [1]
  /// Tangential strength [stress], and G_c of mode II [energy / length²]; zero: damage depends on δ
  /// alone.
  double shear_strength = 0, shear_fracture_energy = 0;
  MixedMode mixed_mode = MixedMode::interpolation;
  double mode_exponent = 2;      ///< exponent of the law for mixed modes [1]
  double adhesion_energy = 0;    ///< w of adhesion [energy / length²]; zero: the bond is cohesive
  double adhesion_viscosity = 0; ///< b of adhesion [energy time / length²]
  /// Time until which bonds are ties, which neither open nor slide; then they are broken. Zero:
  /// they have the cohesive law [time].
  double tied_until = 0;

  /// True if the bonds of a pair are ties.
  bool is_tie() const { return tied_until > 0.; }
  /// True if bonds have the law of adhesion.
  bool is_adhesive() const { return adhesion_energy > 0.; }
  /// True if a pair has bonds.
  bool exists() const { return strength > 0. || is_adhesive() || is_tie(); }
};

/// Opening of a bond: normal and, in a frame of the tangents, tangential [length].
template <int dim>
using BondOpening = std::array<double, dim>;

/// Returns the norm of a traction that bonds of extrinsic cohesion bear up to their strength: the
/// root of ⟨t_N⟩² + t_T²/r, with tension positive [stress].
template <int dim>
double equivalent_traction(const BondLaw &law, const std::array<double, dim> &traction);

/// Step of a bond from an opening and its damage to another opening.
template <int dim>
struct BondStep {
  std::array<double, dim> traction; ///< mean traction, which closes the bond [stress]
  /// Derivative of the traction by the opening at the end, row by row, at constant mode ratio
  /// [stress / length].
  std::array<double, dim * dim> tangent;
  /// Diagonal of the derivative without softening, ≥ 0 [stress / length].
  std::array<double, dim> secant;
  double damage;  ///< damage at the end: 0 intact, 1 broken
  double stored0; ///< stored energy at the beginning [energy / length²]
  double stored1; ///< stored energy at the end [energy / length²]
  double loss;    ///< energy of the damage of the step, ≥ 0 [energy / length²]
};

/// Traction by which a step is computed.
enum class BondTraction {
  mean, ///< discrete gradient: its work is the stored energy plus the loss, to round-off
  end   ///< traction at the end, for steps without inertia
};

/// Returns the step of a bond in a time h. The traction is the discrete gradient of the incremental
/// potential, the energy stored at the damage reached plus the energy that damage has taken since
/// the beginning: the bond takes exactly its fracture energy for any number of steps. It has the
/// mode ratio of the beginning, a step that opens a rigid bond has its own.
template <int dim>
BondStep<dim> bond_step(const BondLaw &law, double damage, const BondOpening<dim> &opening0,
                        const BondOpening<dim> &opening1, double h, BondTraction traction);

/// Returns the energy that an opened bond stores [energy / length²].
template <int dim>
double stored_energy(const BondLaw &law, double damage, const BondOpening<dim> &opening);

/// Returns the equivalent opening δ_f at which a bond is broken under pure tension, or at which a
/// hundredth of the adhesion is left [length].
double final_opening(const BondLaw &law);

} // namespace percussion
