#pragma once

#include <percussion/body/system.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/time_rule.h>

#include <algorithm>
#include <limits>
#include <string>

namespace percussion {

/// True if one correction solves the balance of the bodies: all cells are linear, and there are no
/// links.
template <int dim>
bool has_linear_balance(const System<dim> &system) {
  return system.links.empty() &&
         std::all_of(system.elastic.begin(), system.elastic.end(),
                     [](const auto &body) { return body->materials.are_linear(); });
}

/// Linear solver and elimination for the contacts of elastic bodies.
struct ContactRoute {
  static constexpr unsigned int never = std::numeric_limits<unsigned int>::max();

  LinearSolver solver = LinearSolver::direct;
  /// Number of contact rows from which on projected iterations solve the law; `never`: condensed.
  unsigned int min_projected_rows = never;
  /// True if the diagonal preconditions them although there is a factor, and conjugate gradients of
  /// a matrix that changes.
  bool takes_diagonal = false;
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
/// factor is left out only if all contacts are projectable. Contacts beside links are condensed. If
/// the balance is not linear, the solver is never `automatic`: factors that change cost more, and
/// iterations then replace them also if they would be too large.
template <int dim>
ContactRoute choose_contact_route(const System<dim> &system, const StepChoices &choices,
                                  const TimeRule &rule, std::size_t n_contact_dofs,
                                  Projectable projectable);

} // namespace percussion
