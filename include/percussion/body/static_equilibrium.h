#pragma once

#include <percussion/body/system.h>

namespace percussion {

/// Supports and loads of a static preload, in addition to the prescribed displacements of elastic
/// bodies. Rigid bodies remain in their initial position.
struct Preload {
  std::vector<unsigned int> held_dofs; ///< fixed at zero: contact nodes that stick
  std::vector<std::pair<unsigned int, double>> displacements; ///< further prescribed values
  bool gravity = false;                                       ///< true if gravity acts
  bool tractions = false;                                     ///< true if tractions act
};

/// Returns the displacement q of static equilibrium at time t on the free degrees of freedom of
/// elastic bodies, f(q) = F, by Newton's method with the exact tangent, in the smallest number of
/// increments of loads and displacements that converges. Links do not act. Throws RunError if an
/// elastic body is not supported, or if no stable equilibrium is found.
template <int dim>
Vector static_equilibrium(const System<dim> &system, const Preload &preload, double t);

} // namespace percussion
