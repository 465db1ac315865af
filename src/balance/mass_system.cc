#include <percussion/balance/mass_system.h>
#include <percussion/base/error.h>

#include "matrix_pattern.h"
#include <algorithm>
#include <utility>

namespace percussion {
namespace {

/// Returns a route without deferred solutions, which few solutions do not repay.
ContactRoute without_projection(ContactRoute route) {
  route.min_projected_rows = ContactRoute::never;
  return route;
}

} // namespace

template <int dim>
MassSystem<dim>::MassSystem(const System<dim> &bodies, const Trace<dim> &trace, ContactRoute route)
    : mass(matrix_pattern(bodies, without_projection(std::move(route)), trace,
                          MatrixValues::constant, trace.dofs(), bodies.operators.partition)),
      rows(bodies.operators.stiffness, 0.) {
  const SparseMatrix &M = bodies.operators.mass;
  double largest = 0;
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    largest = std::max(largest, M(i, i));
  rows.add(M, 1.);
  for (unsigned int i = 0; i < bodies.n_elastic_dofs(); ++i)
    if (bodies.operators.has_row(i) && M(i, i) == 0.) {
      rows.add_to_diagonal(i, largest);
      massless_dofs.push_back(i);
    }
  factorise();
}

template <int dim>
void MassSystem<dim>::set_contact_entries(const std::vector<unsigned int> &entries) {
  if (mass.set_contact_entries(entries))
    factorise();
}

template <int dim>
void MassSystem<dim>::factorise() {
  mass.set_matrix(rows);
  if (!mass.factorise())
    throw RunError("the mass matrix is not positive definite: a body has no mass, or its elements "
                   "are distorted");
}

template <int dim>
void MassSystem<dim>::finish(Vector &a) {
  mass.finish(a);
  for (const unsigned int i : massless_dofs)
    a[i] = 0.;
}

template class MassSystem<2>;
template class MassSystem<3>;

} // namespace percussion
