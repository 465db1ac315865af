#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/body/trace.h>

namespace percussion {

/// Displacements δ = M⁻¹ f of rigid bodies by forces f on the trace, zero where the motion is
/// prescribed.
template <int dim>
class RigidMass {
public:
  /// Stores a reference to the bodies, which must outlive this object. All of them must be rigid
  /// and have no links.
  RigidMass(const System<dim> &bodies, const Trace<dim> &trace);

  /// Returns the system M δ = f, which has the entries of the trace that forces act on.
  ContactSystem &system() { return mass; }
  /// Computes δ by these forces on the entries.
  void displace(const std::vector<double> &force);
  /// Returns δ.
  const Vector &displacement() const { return delta; }

private:
  ContactSystem mass;
  const std::vector<double> prescribed; ///< zero displacements
  Vector no_force, delta;
};

} // namespace percussion
