#pragma once

namespace percussion {

/// How the linear systems of elastic degrees of freedom are solved.
enum class LinearSolver {
  automatic,          ///< directly, unless the factor is too large for that
  direct,             ///< sparse Cholesky factorisation
  conjugate_gradients ///< preconditioned by algebraic multigrid
};

} // namespace percussion
