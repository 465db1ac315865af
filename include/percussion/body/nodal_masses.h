#pragma once

#include <percussion/body/system.h>
#include <percussion/body/weighted_nodes.h>

namespace percussion {

/// Returns the nodes of an elastic body with their masses, the sums of their rows of the mass
/// matrix [mass]; all zero for a system without inertia. Collective.
template <int dim>
WeightedNodes<dim> nodal_masses(const System<dim> &system, const ElasticBody<dim> &body);

/// Mean over the mass of an elastic body.
template <int dim>
struct MassMean {
  double mass = 0;          ///< zero for a system without inertia [mass]
  WeightedNodes<dim> nodes; ///< all nodes with their fractions of the mass; zero without inertia
};

/// Returns the mean over the mass of an elastic body. Collective.
template <int dim>
MassMean<dim> mass_mean(const System<dim> &system, const ElasticBody<dim> &body);

} // namespace percussion
