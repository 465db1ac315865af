#pragma once

#include <deal.II/lac/solver_gmres.h>

namespace percussion {

/// Number of directions that GMRES keeps between restarts.
constexpr unsigned int n_directions_of_gmres = 40;

/// Returns the choices for GMRES of deal.II.
template <typename Values>
typename dealii::SolverGMRES<Values>::AdditionalData gmres_options() {
  constexpr bool right_preconditioning = true; // residuals are those of the system
  typename dealii::SolverGMRES<Values>::AdditionalData options(n_directions_of_gmres + 2,
                                                               right_preconditioning);
#if DEAL_II_VERSION_GTE(9, 6, 0) // the only choice of earlier versions
  options.orthogonalization_strategy =
      dealii::LinearAlgebra::OrthogonalizationStrategy::modified_gram_schmidt;
#endif
  return options;
}

} // namespace percussion
