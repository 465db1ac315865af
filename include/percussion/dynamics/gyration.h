#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/body/system.h>

namespace percussion {

/// The gyroscopic torques Ω × I Ω of the rigid bodies in space as part of the balance of momentum,
/// at the Ω_θ of an interval: with the attitude updated by Ω_θ at θ = ½ a free body keeps its
/// energy and its angular momentum in space (Austin, Krishnaprasad & Wang 1993). In the plane, and
/// without rigid bodies, nothing acts.
template <int dim>
class Gyration {
public:
  /// The bodies must live as long.
  explicit Gyration(const System<dim> &bodies);

  /// Whether any body has a torque: all in space.
  bool acts() const { return dim == 3 && !bodies.rigid.empty(); }

  /// force += factor × Ω × I Ω, with Ω in `v`, for all bodies.
  void add(double factor, const Vector &v, Vector &force) const;

  /// The part of Â of all rotations: I + factor × (Ω̂ I − (I Ω)^), with Ω in `v`. Other entries
  /// stay.
  void set_tangent(double factor, const Vector &v, BlockDiagonal &blocks) const;

private:
  const System<dim> &bodies;
};

} // namespace percussion
