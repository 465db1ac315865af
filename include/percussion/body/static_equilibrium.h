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

/// Returns the displacement q of static equilibrium at time t on the free degrees of freedom of
/// elastic bodies, f(q) = F, by Newton's method with the exact tangent, in the smallest number of
/// increments of loads and displacements that converges. Links do not act. Throws RunError if an
/// elastic body is not supported, or if no stable equilibrium is found.
template <int dim>
Vector static_equilibrium(const System<dim> &system, const Preload &preload, double t);

} // namespace percussion
