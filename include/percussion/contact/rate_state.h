#pragma once

namespace percussion {

/// Friction that depends on the slip speed V and on a state ϑ of the contact, regularised at V = 0:
/// μ = a asinh(V/(2 V₀) exp((μ₀ + b ln(V₀ ϑ/D))/a)).
struct RateStateLaw {
  enum class Evolution {
    ageing, ///< ϑ' = 1 − V ϑ/D (Dieterich)
    slip    ///< ϑ' = −(V ϑ/D) ln(V ϑ/D) (Ruina)
  };

  double direct = 0;        ///< a: direct effect [1]; zero: the law does not depend on the rate
  double evolution = 0;     ///< b: effect of the state [1]
  double length = 0;        ///< D: slip over which the state evolves [length]
  double speed = 0;         ///< V₀, at which μ is μ₀ in a steady state [velocity]
  double initial_state = 0; ///< ϑ of a new contact [time]
  double base = 0;          ///< μ₀ [1]
  Evolution kind = Evolution::ageing;

  bool exists() const { return direct > 0.; }
};

/// Coefficient of friction and its derivative by V at constant state.
struct RateFriction {
  double friction, slope;
};

/// Returns μ and ∂μ/∂V > 0 at a slip speed V ≥ 0 and a state ϑ > 0. μ is concave in V, so that its
/// tangents meet V = 0 at μ ≥ 0.
RateFriction rate_friction(const RateStateLaw &law, double speed, double state);

/// Returns the state after a time h at a constant slip speed, exactly.
double state_after(const RateStateLaw &law, double state, double speed, double h);

} // namespace percussion
