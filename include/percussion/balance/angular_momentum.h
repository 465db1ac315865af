#pragma once

#include <percussion/balance/iterate.h>
#include <percussion/body/system.h>

#include <vector>

namespace percussion {

/// Compensation of round-off in the rotations of rigid bodies in 3D by the θ-rule: with it, the
/// spatial angular momentum agrees with the impulses; without it, the steps of a free body make its
/// angular momentum a random walk. In 2D there is none.
template <int dim>
class AngularMomentum {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit AngularMomentum(const System<dim> &b) : bodies(b) {}

  /// Stores q and v at the beginning of an interval.
  void begin(const BodyState &state);
  /// Adds the round-off to v1, given q1 and v1 of the θ-rule in the state, and leaves the remainder
  /// that v1 cannot represent in State::rounding for the next step (Kahan's summation).
  /// `percussion_factor` is the factor of the percussions in the forces of contacts.
  void compensate(const Iterate &iterate, double percussion_factor, BodyState &state);
  /// Returns v at the beginning.
  const Vector &initial_velocity() const { return v0; }

private:
  using Extended = dealii::Tensor<1, 3, long double>;
  Extended lost_spin(const Iterate &iterate, const dealii::Tensor<2, 3> &inertia, unsigned int dof,
                     const BodyState &state) const;

  const System<dim> &bodies;
  Vector q0, v0;
  std::vector<double> impulse; ///< impulses of contacts and loads on all degrees of freedom
};

} // namespace percussion
