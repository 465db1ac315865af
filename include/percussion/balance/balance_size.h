#pragma once

#include <percussion/balance/choices.h>
#include <percussion/body/system.h>

namespace percussion {

/// True if one correction solves the balance of the bodies: all cells are linear, and there are no
/// links.
template <int dim>
bool has_linear_balance(const System<dim> &system);

/// Numbers of the balance of the elastic bodies on which the time of its solutions depends.
struct BalanceSize {
  double n_unknowns;       ///< number of velocities
  double n_matrix_entries; ///< number of nonzero entries of Â
  double courant_number; ///< √(h² max K_ii/M_ii) of the stiffness in Â; infinite without inertia
};

/// Returns the size of the balance. Collective.
template <int dim>
BalanceSize balance_size(const System<dim> &system, const BalanceChoices &choices);

/// True if LinearSolver::automatic makes no factor for these bodies, because it would be too large.
/// The entries of a row are estimated from meshes of hexahedra or quadrilaterals.
template <int dim>
bool excludes_factor(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic);

} // namespace percussion
