#pragma once

#include <percussion/algebra/block_diagonal.h>
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

  /// Sets the entries of Â for all rotations, I + factor × (Ω̂ I − (I Ω)^), with Ω in `v`. Other
  /// entries stay.
  void set_tangent(double factor, const Vector &v, BlockDiagonal &blocks) const;

private:
  const System<dim> &bodies;
};

} // namespace percussion
