#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/balance/contact_route.h>
#include <percussion/body/trace.h>

#include "rigid_motions.h"
#include <utility>
#include <vector>

namespace percussion {

/// Returns the pattern of Â on this route; contacts and links act on the degrees of freedom
/// `acted_on`. References to the system, which must outlive the pattern, are stored.
template <int dim>
ContactSystem::Pattern matrix_pattern(const System<dim> &system, const ContactRoute &route,
                                      const Trace<dim> &trace, MatrixValues values,
                                      std::vector<unsigned int> acted_on, Partition partition) {
  return {system.operators.stiffness,
          system.n_elastic_dofs(),
          system.motion.dofs(),
          std::move(acted_on),
          values,
          dim == 3 ? 3u : 1u,
          route.solver,
          [&system] { return rigid_motions(system); },
          dim,
          route.solutions(),
          {route.preconditioning, route.precision},
          [&system]() -> const std::vector<unsigned int> & { return system.elimination_order(); },
          trace.dofs(),
          {},
          std::move(partition)};
}

} // namespace percussion
