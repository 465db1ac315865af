#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/balance/failure.h>
#include <percussion/balance/iterate.h>
#include <percussion/body/system.h>

namespace percussion {

/// Gyroscopic torques Ω × I Ω of rigid bodies in 3D in the balance of momentum, at the Ω_θ of an
/// interval: if Ω_θ at θ = ½ updates the attitude, a free body keeps its energy and its spatial
/// angular momentum (Austin, Krishnaprasad & Wang 1993). In 2D and without rigid bodies, there is
/// no torque.
template <int dim>
class Gyration {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit Gyration(const System<dim> &bodies);

  /// True if any body has a gyroscopic torque: all rigid bodies in 3D.
  bool acts() const { return dim == 3 && !bodies.rigid.empty(); }

  /// Adds factor × Ω × I Ω, with Ω in `v`, to the force on all bodies.
  void add(double factor, const Vector &v, Vector &force) const;

  /// Sets v_θ of rigid bodies with gyroscopic torques to their initial velocities.
  void start(Iterate &iterate) const;
  /// Returns the residual of the balance of the bodies' rotations with the torque factor × Ω_θ × I
  /// Ω_θ, relative to the largest term of each body; 0 if it is round-off.
  double imbalance(double factor, const Iterate &iterate) const;

  /// Sets the entries of Â for all rotations, I + factor × (Ω̂ I − (I Ω)^), with Ω in `v`. Other
  /// entries stay.
  void set_tangent(double factor, const Vector &v, BlockDiagonal &blocks) const;
  /// Sets these entries and factorises their blocks. Fails if a block is singular.
  [[nodiscard]] std::optional<Failure> factorise(double factor, const Vector &v,
                                                 ContactSystem &system) const;

private:
  const System<dim> &bodies;
};

} // namespace percussion
