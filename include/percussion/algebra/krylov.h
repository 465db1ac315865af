#pragma once

#include <percussion/algebra/partition.h>

#include <functional>
#include <vector>

namespace percussion {

/// Linear system A x = b that is known by its products, with a preconditioner B ≈ A. Vectors have
/// all entries; a process computes the entries of its range of the partition, and the entries after
/// the elastic ones.
struct KrylovSystem {
  using Map = std::function<void(const std::vector<double> &x, std::vector<double> &y)>;
  Map multiply;     ///< computes y = A x
  Map precondition; ///< computes y = B⁻¹ x
  /// Inverse of the diagonal D > 0 of the norm √(r·D⁻¹r) of residuals.
  const std::vector<double> &inverse_diagonal;
  const Partition &partition;
};

/// Vectors of the iterations, kept from one solution to the next: allocating them takes as long as
/// some products.
struct KrylovVectors {
  std::vector<double> argument, image, root, inverse_root; ///< the last two: D^½ and D^(-½)
};

/// Frees the vectors that deal.II keeps for further iterations.
void release_iteration_vectors();

/// Returns √(r·D⁻¹r), an estimate of the error's energy norm. Collective.
double residual_norm(const std::vector<double> &r, const std::vector<double> &inverse_diagonal,
                     const Partition &partition);

/// Adds to x the solution of A x = r by conjugate gradients, A and B symmetric positive definite,
/// and updates the residual r. Ends if its norm is at most `limit`, or after `max_iterations`.
/// Returns the number of iterations. Collective.
unsigned int conjugate_gradients(const KrylovSystem &system, double limit,
                                 unsigned int max_iterations, KrylovVectors &vectors,
                                 std::vector<double> &x, std::vector<double> &r);

/// Does the same for a matrix that is not symmetric, by GMRES (Saad & Schultz 1986) with right
/// preconditioning and restarts. Ends also if a restart does not reduce the residual.
unsigned int gmres(const KrylovSystem &system, double limit, unsigned int max_iterations,
                   KrylovVectors &vectors, std::vector<double> &x, std::vector<double> &r);

} // namespace percussion
