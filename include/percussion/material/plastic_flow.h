#pragma once

#include <percussion/material/hardening_table.h>
#include <percussion/material/space_tensor.h>

namespace percussion {

/// Constants of J2 plasticity in logarithmic strain. The elastic strain stores µ |dev E|²,
/// hardening stores g(α) + H_k/3 |β|² with the equivalent plastic strain α and the strain β of the
/// back stress X = ⅔ H_k β, and the yield stress is
///
///     σ_y + R(α) ,   R = g' = H α + Q (1 − exp(−b α)) + R_t(α)
///
/// (linear hardening, that of E. Voce 1955, and a table)
/// times 1 + C ln⁺(α̇ / α̇₀) (G. R. Johnson & W. H. Cook 1983), plus η α̇ (P. Perzyna 1966).
struct PlasticFlow {
  double shear;              ///< µ [stress]
  double yield_stress;       ///< σ_y [stress]
  double hardening = 0;      ///< H [stress]
  double saturation = 0;     ///< Q [stress]
  double exponent = 0;       ///< b [1]
  double kinematic = 0;      ///< H_k [stress]
  double viscosity = 0;      ///< η [stress × time]
  double rate_factor = 0;    ///< C [1]
  double reference_rate = 1; ///< α̇₀ [1 / time]
  HardeningTable table = {}; ///< R_t

  /// Returns R(α) [stress].
  double hardening_stress(double alpha) const;
  /// Returns R'(α) [stress].
  double hardening_slope(double alpha) const;
  /// Returns g(α) [stress].
  double stored(double alpha) const;
  /// Returns g(α + Δα) − g(α) [stress].
  double stored_change(double alpha, double increment) const;
};

/// Step of J2 plasticity from the elastic strain E₀ to the trial strain E₁, with the radial return
/// at the end, Δα = 0 or
///
///     q* − (3 µ + H_k) Δα = σ_y + R(α₀ + Δα) + overstress ,   E^p grows by Δα n ,
///
/// n = 3/2 ξ*/q*, q* = √(3/2) |ξ*|, ξ* = 2 µ dev E₁ − X₀. With the mean of the elastic stresses of
/// both ends the step would lose D = ½ (ξ₀ : n + q₁) Δα − Δg, which may be too little, or negative,
/// as the start of a step is not on the yield surface. Hence
///
///     c = max(0, σ_y Δα − D) / (n : ΔE) ,   T = ½ (σ₀ + σ₁) + c n ,   loss = max(D, σ_y Δα) ,
///
/// for which T : ΔE = Δψ + loss exactly. c is bounded by µ Δα + (R₁ − R₀)/3, and without overstress
/// the loss is σ_y Δα if R is concave: the dissipation of the law.
class PlasticReturn {
public:
  /// Takes the strains, ΔE = E₁ − E₀, β and α at the start, and the length of the step [time]. If
  /// `is_of_end`, T is the stress at the end, and the loss is (σ_y + overstress) Δα. The law must
  /// outlive this object.
  PlasticReturn(const PlasticFlow &law, const SpaceTensor &E0, const SpaceTensor &E1,
                const SpaceTensor &dE, const SpaceTensor &back_strain, double alpha, double h,
                bool is_of_end);

  /// Returns dT for dE₁; with the stress at the end half of it.
  SpaceTensor stress_change(const SpaceTensor &dE1) const;

  SpaceTensor stress;    ///< T, deviatoric [stress]
  SpaceTensor direction; ///< n; zero without flow
  double increment = 0;  ///< Δα
  double loss = 0;       ///< [stress]

private:
  /// Yield stress with overstress, and its derivative by Δα.
  struct Resistance {
    double stress, slope;
  };
  Resistance resistance(double increment, double h) const;
  double find_increment(double h) const;
  void correct_mean_stress();

  const PlasticFlow &flow;
  bool is_of_end;
  double alpha0, q = 0;               ///< α₀ and q*
  double stiffness;                   ///< 3 µ + H_k
  double slope = 0;                   ///< derivative of the resistance
  SpaceTensor relative_start, change; ///< ξ₀, ΔE
  double start_projection = 0;        ///< ξ₀ : n
  double correction = 0;              ///< c
  double work_of_direction = 0;       ///< n : ΔE; zero without correction
};

} // namespace percussion
