#pragma once

#include <percussion/body/system.h>

namespace percussion {

/// Supports and loads of a static preload, in addition to the prescribed displacements of elastic
/// bodies. Rigid bodies remain in their initial position.
struct Preload {
  /// Held degrees of freedom and their displacements; the last of several of one holds.
  std::vector<std::pair<unsigned int, double>> displacements;
  bool gravity = false;   ///< true if gravity acts
  bool tractions = false; ///< true if tractions act

  /// Holds a component of a node at a displacement.
  template <int dim>
  void hold(const Space<dim> &space, unsigned int node, unsigned int component,
            double displacement = 0.) {
    displacements.emplace_back(space.node_dofs[node][component], displacement);
  }
};

/// Returns the forces of the loads that act in the preload at time t.
template <int dim>
Vector preload_force(const System<dim> &system, const Preload &preload, double t);

/// Returns the displacement q of static equilibrium at time t on the free degrees of freedom of
/// elastic bodies, f(q) = F, by Newton's method with the exact tangent, in the smallest number of
/// increments of loads and displacements that converges. Links do not act. Throws RunError if an
/// elastic body is not supported, or if no stable equilibrium is found.
template <int dim>
Vector static_equilibrium(const System<dim> &system, const Preload &preload, double t);

/// Bodies without elastic inertia, viscosity, loads, links and pressures, and with a fraction of
/// the constant displacements of a preload in place of their prescribed motions, until the end of
/// this object's life. Rigid bodies keep the displacements of the start and their inertia.
template <int dim>
class BodiesAtRest {
public:
  /// Changes the bodies, which must outlive this object; the fraction is zero.
  BodiesAtRest(System<dim> &bodies, const Preload &preload, double t);
  ~BodiesAtRest();
  BodiesAtRest(const BodiesAtRest &) = delete;
  BodiesAtRest &operator=(const BodiesAtRest &) = delete;

  /// Prescribes this fraction of the displacements of elastic bodies.
  void hold(double fraction);
  /// Gives the elastic bodies their inertia again.
  void give_inertia();
  /// Returns the mass matrix of the bodies with their inertia.
  const SparseMatrix &inertia() const { return mass; }

private:
  System<dim> &bodies;
  const std::vector<std::pair<unsigned int, double>> displacements;
  std::vector<Link<dim>> links;
  std::vector<FollowerPressure<dim>> pressures;
  Loads<dim> loads;
  PrescribedMotion<dim> motion;
  SparseMatrix mass;
  bool is_viscous;
};

} // namespace percussion
