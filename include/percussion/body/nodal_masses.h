#pragma once

#include <percussion/body/system.h>
#include <percussion/body/weighted_nodes.h>

namespace percussion {

/// Returns the nodes of an elastic body with their masses, the sums of their rows of the mass
/// matrix [mass]; all zero for a system without inertia. Collective.
template <int dim>
WeightedNodes<dim> nodal_masses(const System<dim> &system, const ElasticBody<dim> &body);

} // namespace percussion
