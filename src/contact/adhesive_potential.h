#pragma once

#include <algorithm>
#include <cmath>

namespace percussion {

/// Incremental potential of adhesion in a step of length h (Raous, Cangémi and Cocou 1999): the
/// intensity of adhesion β, which does not grow, minimises
///
///     ½ β² K s + w (β0 − β) + b (β0 − β)²/(2 h) ,
///
/// the stored energy at the end, the energy of decohesion and the work of its viscosity. Damage is
/// 1 − β².
struct AdhesivePotential {
  double stiffness; ///< K [stress / length]
  double energy;    ///< w of decohesion [energy / length²]
  double drag;      ///< b/h [energy / length²]
  double intensity; ///< β0 at the beginning [1]

  /// Returns the s up to which adhesion stays.
  double bound() const { return energy / (stiffness * intensity); }
  /// Returns β at the end.
  double reached(double s) const {
    return s > bound() ? (energy + drag * intensity) / (stiffness * s + drag) : intensity;
  }
  /// Returns (P(s1) − P(s0))/(s1 − s0) without a difference of energies.
  double mean_slope(double s0, double s1) const {
    if (s0 > s1)
      std::swap(s0, s1);
    const double inside = 0.5 * stiffness * intensity * intensity;
    if (s1 <= bound())
      return inside;
    const double outside = std::max(s0, bound());
    const double inside_fraction = s1 > s0 ? (outside - s0) / (s1 - s0) : 0.;
    return inside_fraction * inside +
           (1. - inside_fraction) * 0.5 * stiffness * reached(outside) * reached(s1);
  }
  /// Returns P'(s).
  double slope(double s) const { return 0.5 * stiffness * reached(s) * reached(s); }
  /// Returns P''(s).
  double curvature(double s) const {
    return s > bound() ? -stiffness * stiffness * reached(s) * reached(s) / (stiffness * s + drag)
                       : 0.;
  }
  /// Returns the damage after an opening.
  double damage(double damage0, double s) const {
    return s > bound() ? std::max(damage0, 1. - reached(s) * reached(s)) : damage0;
  }
  /// Returns the energy that the loss of adhesion takes. If adhesion lags behind the opening at the
  /// beginning, that includes what it would have taken there.
  double loss(double s0, double s1) const {
    const double lost = intensity - reached(s1), lag = intensity - reached(s0);
    return lost * (energy + 0.5 * drag * lost) + 0.5 * lag * lag * (stiffness * s0 + drag);
  }
};

} // namespace percussion
