#pragma once

#include <percussion/algebra/partition.h>

#include <functional>
#include <vector>

namespace percussion {

/// Linear system A x = b with products in single precision and residuals in double precision. Its
/// diagonal is of the order of one, so that neither overflows, and the Euclidean norm is the norm
/// of residuals. Vectors have all entries; a process computes the entries of its range of the
/// partition, and the entries after the elastic ones.
struct MixedSystem {
  using Vector = std::vector<float>;
  using Map = std::function<void(Vector &x, Vector &y)>;
  Map multiply;     ///< computes y = A x; may use entries of x that others compute
  Map precondition; ///< computes y = B⁻¹ x for GMRES; empty: y = x
  /// Adds x to the solution, and writes the residual, computed in double precision, to r.
  Map correct;
  const Partition &partition;
};

/// Vectors of the iterations, kept from one solution to the next.
struct MixedVectors {
  std::vector<float> solution, residual, direction, image;
};

/// Result of iterations in mixed precision.
struct MixedResult {
  unsigned int n_iterations = 0;
  double residual = 0;        ///< norm at the end, in double precision
  bool is_indefinite = false; ///< true if a direction d had d·A d ≤ 0, or a number was not finite
  double squared_energy_norm = 0; ///< ‖x‖²_A, by conjugate gradients
};

/// Frees the vectors that deal.II keeps for further iterations.
void release_mixed_iteration_vectors();

/// Solves A x = r for the residual in vectors.residual, by conjugate gradients, A symmetric
/// positive definite. The residual of the recurrence is replaced by the true one whenever it has
/// fallen by four digits, and the directions continue (van der Vorst & Ye 2000; Clark et al. 2010):
/// hardly more iterations are needed than in double precision. Ends if the true residual is at most
/// `limit`, if it has ceased to fall, or after `max_iterations`. Collective.
MixedResult mixed_conjugate_gradients(const MixedSystem &system, double limit,
                                      unsigned int max_iterations, MixedVectors &vectors);

/// Does the same for a matrix that is not symmetric, by GMRES (Saad & Schultz 1986) with right
/// preconditioning: each restart begins with the true residual.
MixedResult mixed_gmres(const MixedSystem &system, double limit, unsigned int max_iterations,
                        MixedVectors &vectors);

} // namespace percussion
