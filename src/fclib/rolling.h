#pragma once

#include <percussion/fclib/fclib.h>

#include "matrices.h"

namespace percussion {

/// Rolling problem as stored in a file: matrices and vectors with the components p_N, p_T, m of
/// each contact; either W and q, or M, H, f and w.
struct StoredRolling {
  unsigned int dimension = 5; ///< components of a contact: 3 in 2D, 5 in 3D
  std::vector<double> mu, mu_r;
  /// Matrix and vector of a reduced problem.
  Entries W;
  std::vector<double> q;
  /// Matrices and vectors of a global problem.
  Entries M, H;
  std::vector<double> f, w;
};

/// Returns the reduced problem of contacts and moments, see RollingForm, and writes the form.
FrictionContactProblem friction_problem(StoredRolling stored, RollingForm &form);

/// Returns a solution of the file as solution of the problem of contacts and moments.
GlobalConeSolution with_moments(const RollingForm &form, GlobalConeSolution stored);

/// Returns a solution in the components of the file, with v of a global problem.
GlobalConeSolution without_moments(const RollingForm &form, const GlobalConeSolution &solution);

} // namespace percussion
