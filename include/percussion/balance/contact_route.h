#pragma once

#include <percussion/algebra/linear_solver.h>
#include <percussion/algebra/precision.h>
#include <percussion/algebra/system_pattern.h>

#include <limits>
#include <string>

namespace percussion {

/// Linear solver and elimination for the contacts of elastic bodies.
struct ContactRoute {
  static constexpr unsigned int never = std::numeric_limits<unsigned int>::max();

  LinearSolver solver = LinearSolver::direct;
  /// Number of contact rows from which on projected iterations solve the law; `never`: condensed.
  unsigned int min_projected_rows = never;
  /// Preconditioner of these iterations, and of conjugate gradients of a matrix that changes.
  Preconditioning preconditioning = Preconditioning::factor_or_multigrid;
  Precision precision = Precision::full; ///< precision of iterations: full or mixed
  std::string reason; ///< description for the log; empty in 2D and without contacts

  bool may_project() const { return min_projected_rows != never; }
  Solutions solutions() const {
    return may_project() ? Solutions::deferrable : Solutions::immediate;
  }
};

} // namespace percussion
