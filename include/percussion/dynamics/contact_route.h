#pragma once

#include <percussion/body/system.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/time_rule.h>

#include <limits>
#include <string>

namespace percussion {

/// Linear solver and elimination for the contacts of linear bodies.
struct ContactRoute {
  static constexpr unsigned int never = std::numeric_limits<unsigned int>::max();

  LinearSolver solver = LinearSolver::direct;
  /// Number of contact rows from which on projected iterations solve the law; `never`: condensed.
  unsigned int min_projected_rows = never;
  bool takes_diagonal =
      false;          ///< true if the diagonal preconditions them although there is a factor
  std::string reason; ///< description for the log; empty in 2D and without contacts

  bool may_project() const { return min_projected_rows != never; }
};

/// Returns an estimate of the entries of a factor: in 3D, a fit of nested dissection of hexahedra
/// between 9e4 and 1e6 unknowns.
double entries_of_factor(double n_unknowns, unsigned int dim);

/// Returns the route by an estimate of the time of a step, in multiplications: factor, products of
/// the iterations (as many as the Courant number requires), and dense operator of the contacts.
/// Few contacts, and cases in 2D, keep the dense operator unless a choice demands projection.
/// Contacts may act on `n_contact_dofs` elastic degrees of freedom. Contacts with springs or at
/// quadrature points of faces are condensed, unless a choice demands projection for the others. The
/// factor is left out only if all contacts are projectable.
template <int dim>
ContactRoute choose_contact_route(const System<dim> &system, const StepChoices &choices,
                                  const TimeRule &rule, std::size_t n_contact_dofs,
                                  Projectable projectable);

} // namespace percussion
