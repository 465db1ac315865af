#pragma once

#include <percussion/fclib/fclib.h>

#include "matrices.h"

namespace percussion {

/// Rolling problem as stored in a file: matrices and vectors with the components p_N, p_T, m of
/// each contact.
struct StoredRolling {
  unsigned int dimension = 5; ///< components of a contact: 3 in 2D, 5 in 3D
  std::vector<double> mu, mu_r;
  Entries matrix;             ///< W of a reduced problem, M of a global problem
  std::vector<double> vector; ///< q, or f of a global problem
  Entries H;                  ///< empty for a reduced problem, likewise w
  std::vector<double> w;
};

/// Returns the reduced problem of contacts and moments, see RollingForm, and writes the form.
FrictionContactProblem friction_problem(StoredRolling stored, RollingForm &form);

/// Returns a solution of the file as solution of the problem of contacts and moments.
GlobalConeSolution with_moments(const RollingForm &form, GlobalConeSolution stored);

/// Returns a solution in the components of the file, with v of a global problem.
GlobalConeSolution without_moments(const RollingForm &form, const GlobalConeSolution &solution);

} // namespace percussion
