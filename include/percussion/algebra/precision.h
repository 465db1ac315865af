#pragma once

namespace percussion {

/// Precision of the iterations of conjugate gradients and GMRES that the diagonal preconditions.
enum class Precision {
  automatic, ///< mixed, if the matrix is too large for the caches of the processor
  full,      ///< all numbers have 53 bits
  mixed      ///< numbers of 24 bits in the iterations, and residuals of 53 bits between them
};

} // namespace percussion
