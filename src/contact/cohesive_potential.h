#pragma once

#include <algorithm>
#include <cmath>

namespace percussion {

/// Bilinear law for one ratio of the modes.
struct Bilinear {
  double strength;  ///< σ
  double stiffness; ///< K, infinite for extrinsic cohesion
  double onset;     ///< δ0 = σ/K
  double final;     ///< δ_f
  double reference; ///< δ_f of tension; for extrinsic cohesion

  /// Traction on the envelope at an opening from δ0 on.
  double envelope(double opening) const {
    return strength * std::max(final - opening, 0.) / (final - onset);
  }
  /// Mean traction on the envelope between two openings.
  double mean_envelope(double a, double b) const {
    const double begin = std::min(a, final), end = std::min(b, final);
    const double fraction = b > a ? (end - begin) / (b - a) : 1.;
    return 0.5 * (envelope(begin) + envelope(end)) * fraction;
  }
  /// Secant stiffness of a bond that was opened by `largest`; zero for a rigid one that was not.
  double secant(double largest) const { return largest > 0. ? envelope(largest) / largest : 0.; }
  double secant_slope(double largest) const {
    return largest < final ? -strength * final / ((final - onset) * largest * largest) : 0.;
  }
  /// Damage of a bond that was opened by `largest`, which measures its secant stiffness.
  double damage(double largest) const {
    if (onset > 0.)
      return 1. - secant(largest) / stiffness;
    const double reached = std::min(largest, final);
    return reached * final / (reached * final + reference * (final - reached));
  }
  /// Largest opening of a bond with this damage.
  double largest(double damage) const {
    return onset > 0. ? onset * final / ((1. - damage) * (final - onset) + onset)
                      : damage * reference * final / ((1. - damage) * final + damage * reference);
  }
  /// Energy that damage takes until the largest opening is this.
  double dissipated(double largest) const {
    return 0.5 * strength * final * (std::min(largest, final) - onset) / (final - onset);
  }
};

/// Incremental potential P(s) of a bond: the stored energy at the damage reached plus the energy
/// that damage takes from the beginning, which is half the square of the openings s = δ² times a
/// secant. `Softening` has the members of Bilinear.
template <typename Softening>
struct CohesivePotential {
  Softening law;
  double largest; ///< largest opening m before the step

  /// Returns the s up to which damage does not grow.
  double bound() const { return largest * largest; }

  /// Returns (P(s1) − P(s0))/(s1 − s0) as a mean of slopes, without a difference of energies.
  double mean_slope(double s0, double s1) const {
    if (std::max(s0, s1) <= bound())
      return 0.5 * law.secant(largest);
    if (s0 > s1)
      std::swap(s0, s1);
    const double outside = std::max(s0, bound());
    const double inside_fraction = s1 > s0 ? (outside - s0) / (s1 - s0) : 0.;
    return inside_fraction * 0.5 * law.secant(largest) +
           (1. - inside_fraction) * envelope_slope(std::sqrt(outside), std::sqrt(s1));
  }
  /// Returns P'(s).
  double slope(double s) const { return 0.5 * law.secant(std::max(largest, std::sqrt(s))); }
  /// Returns P''(s).
  double curvature(double s) const {
    const double opening = std::sqrt(s);
    return opening > largest ? law.secant_slope(opening) / (4. * opening) : 0.;
  }
  /// Returns the damage after an opening.
  double damage(double damage0, double s) const {
    return s > bound() ? std::max(damage0, law.damage(std::sqrt(s))) : damage0;
  }
  /// Returns the energy that damage takes between two openings. The mode has changed if the first
  /// is beyond the largest one.
  double loss(double s0, double s1) const {
    const double reached = std::max(largest, std::sqrt(s1));
    const double excess =
        s0 > bound()
            ? (s0 - bound()) * (0.5 * law.secant(largest) - envelope_slope(largest, std::sqrt(s0)))
            : 0.;
    return law.dissipated(reached) - law.dissipated(largest) + excess;
  }

private:
  /// Mean slope by s on the envelope between two openings: the mean traction (b − a)/(b² − a²).
  double envelope_slope(double a, double b) const { return law.mean_envelope(a, b) / (a + b); }
};

} // namespace percussion
