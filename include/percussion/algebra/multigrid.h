#pragma once

#include <percussion/algebra/types.h>

#include <memory>
#include <vector>

namespace percussion {

/// Solutions of A x = b, A symmetric positive definite, by conjugate gradients. Preconditioner B,
/// once for each A: the diagonal where that does, else a cycle of smoothed aggregation (Trilinos'
/// ML).
///
/// They stop where √(r·B⁻¹r), an estimate of the error's norm ‖x − x∞‖_A, has fallen below
/// `tolerance` times that of the beginning: what a residual r does as work on v is at most
/// ‖v‖_A ‖r‖_{A⁻¹}, so that this tolerance is one of the energy, whatever mesh and step. They begin
/// at zero: r is then nearly orthogonal to x, and does hardly any work on it.
class Multigrid {
public:
  /// `is_free`: which of the first degrees of freedom are unknowns. `block` of them belong to one
  /// node, one after the other. `modes`, each over all of them, are the motions to which A is
  /// softest: those of rigid bodies.
  Multigrid(std::vector<bool> is_free, unsigned int block, std::vector<std::vector<double>> modes,
            double tolerance = 1e-14);
  ~Multigrid();

  /// Take the values of a matrix, whose first rows and columns are meant.
  void set_matrix(const SparseMatrix &A);

  /// x = A⁻¹ b, 0 where x is not free. It may stop where the error is below `tolerance` times
  /// `scale` too, a norm ‖·‖_A that other parts of x have. Returns this norm of x.
  /// Throws RunError where this takes more than a thousand iterations.
  double solve(const double *b, double *x, double scale = 0);

  /// Iterations of the last solve().
  unsigned int iterations() const { return n_iterations; }

private:
  struct Preconditioner;
  std::vector<bool> is_free;
  unsigned int block;
  std::vector<double> modes; ///< one after the other
  double tolerance;
  SparseMatrix matrix; ///< rows of a unit matrix, times a diagonal entry, where x is not free
  std::unique_ptr<Preconditioner> preconditioner;
  Vector residual, direction, product, preconditioned;
  unsigned int n_iterations = 0;
};

} // namespace percussion
