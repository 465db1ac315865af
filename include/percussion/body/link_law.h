#pragma once

#include <percussion/body/links.h>

#include <vector>

namespace percussion {

/// Monotone law between the mean rate r of a coordinate in a step and the impulse Λ on it: Λ falls
/// with r by steps. It is `impulses[k]` between `rates[k − 1]` and `rates[k]`, and at `rates[k]` it
/// has any value from `impulses[k + 1]` to `impulses[k]`.
struct LinkLaw {
  std::vector<double> rates;    ///< ascending [coordinate / time]
  std::vector<double> impulses; ///< one more, descending; ±infinity at limits

  /// Returns the distance of a rate from the rates that the law permits with an impulse; infinite
  /// if it permits none. Impulses that differ by less than the tolerance count as equal.
  double defect(double rate, double impulse, double tolerance) const;
  /// Returns the impulse of a segment that differs by less than the tolerance, else this impulse.
  double snapped(double impulse, double tolerance) const;
};

/// Memory of the bounds of a coordinate from step to step. A bound that has held the coordinate in
/// the step before takes the rate at its beginning from its law: rates that alternate by the turn
/// of the bodies in a step are no impacts, and would make closed limits drift. A coordinate at rest
/// keeps its position, to which errors of round-off return.
struct BoundMemory {
  double lower, upper, friction;       ///< rate of each bound; not a number: it has not held
  double position;                     ///< position at rest; not a number: in motion
  static constexpr unsigned int n = 4; ///< number of values

  /// True if a bound has brought the coordinate to rest, or held it there.
  bool is_at_rest() const { return lower == 0. || upper == 0. || friction == 0.; }
};

/// Bounds of a coordinate over a step of the θ-rule. With the rate u0 of each bound and e' = min(e,
/// (1−θ)/θ) the law of a closed lower limit is Signorini's for the velocity u1 + e' u0,
///
///     λ ≥ 0 ,  r + a ≥ 0 ,  λ (r + a) = 0 ,  a = (θ(1+e') − 1) min(u0, 0) ≥ 0 ,
///
/// so that its work λ r h = −λ a h is never positive. Without restitution open limits have the same
/// law with a ≥ gap/h. Friction is Coulomb's for u1, except where its work would be positive:
///
///     Λ_f ∈ c for r < b₋ ,  [0, c] at b₋ ,  0 up to b₊ ,  [−c, 0] at b₊ ,  −c beyond ,
///
/// with b₋ ≤ b₊, which are 0 and (1−θ) u0: Λ_f r ≤ 0 on all branches.
struct PosedBounds {
  double lower_rate, upper_rate; ///< −a of the lower and a of the upper limit; ±infinity: open
  double backward_rate, forward_rate;              ///< b₋ and b₊
  double lower_start, upper_start, friction_start; ///< u0 of each bound
  double friction;        ///< friction that does not depend on the joint [force]
  double return_rate;     ///< rate that returns a coordinate at rest to its position
  double position;        ///< position at rest; not a number: in motion
  double negligible_rate; ///< rate that moves the coordinate by no more than its round-off

  /// Returns the law with the impulse c of sliding friction; `unit` is the mean rate of the
  /// coordinate per rate at the bodies.
  LinkLaw law(double c, double unit) const;
  /// Returns the memory of a step with this impulse that ends at this value of the coordinate. The
  /// bounds that have held it have the rates u1 = (r − (1−θ) u0)/θ.
  BoundMemory memory(double impulse, double c, double theta, double value) const;
};

/// Coordinate at the beginning of a step.
struct CoordinateStart {
  double value;           ///< x0 [length, or rad]
  double tolerance;       ///< round-off of x0; gap up to which a limit is closed
  double rate;            ///< dx/dt at the beginning
  BoundMemory remembered; ///< memory of the step before
};

/// Poses the bounds of a coordinate for a step of length h under the θ-rule, with this friction
/// that does not depend on the joint.
PosedBounds pose_bounds(const LinkBounds &bounds, const CoordinateStart &start, double friction,
                        double h, double theta);

/// Impulses of the bounds of a coordinate in a step [impulse].
struct BoundImpulses {
  double limit = 0, friction = 0;
};

/// Works of the bounds of coordinates in a step [energy].
struct BoundWorks {
  double limits = 0, friction = 0;
};

/// Divides an impulse into those of the limits and of friction: friction carries first.
BoundImpulses divide_impulse(double impulse, double c);

} // namespace percussion
