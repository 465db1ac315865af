#pragma once

namespace percussion {

/// Solver of the linear systems of elastic degrees of freedom.
enum class LinearSolver {
  automatic,          ///< direct, unless the factor is too large
  direct,             ///< sparse Cholesky factorisation
  conjugate_gradients ///< with a preconditioner by algebraic multigrid
};

} // namespace percussion
