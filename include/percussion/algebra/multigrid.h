#pragma once

#include <percussion/algebra/node_matrix.h>

#include <memory>
#include <vector>

namespace percussion {

/// Solver of A x = b, A symmetric positive definite, by conjugate gradients. The preconditioner B
/// is chosen once for each A: the diagonal if it suffices, otherwise a cycle of smoothed
/// aggregation (Trilinos' ML).
///
/// Iterations stop when √(r·B⁻¹r), an estimate of the error's norm ‖x − x∞‖_A, is below `tolerance`
/// times its initial value: the work of a residual r on v is at most ‖v‖_A ‖r‖_{A⁻¹}, so that this
/// tolerance is one of the energy, independent of mesh and step. They start at zero: r is then
/// nearly orthogonal to x, and does hardly any work on it.
class Multigrid {
public:
  /// `is_free` marks the unknowns among the first degrees of freedom; each node has `block`
  /// consecutive ones. `modes`, each over all of them, are the motions to which A is softest: those
  /// of rigid bodies. With `stores_nodes`, products are those of a NodeMatrix, and rows are stored
  /// only if multigrid needs them.
  Multigrid(std::vector<bool> is_free, unsigned int block, std::vector<std::vector<double>> modes,
            bool stores_nodes = false, double tolerance = 1e-14);
  ~Multigrid();

  /// Copies the values of the first rows and columns of a matrix.
  void set_matrix(const SparseMatrix &A);

  /// Computes x = A⁻¹ b, 0 on degrees of freedom that are not free. Iterations may also stop when
  /// the error is below `tolerance` times `scale`, a norm ‖·‖_A of other components of x. Returns
  /// this norm of x. Throws RunError after a thousand iterations.
  double solve(const double *b, double *x, double scale = 0);

  /// Computes y = A x on the degrees of freedom that are free, for x that is 0 on the others.
  void multiply(const Vector &x, Vector &y) const;
  /// Computes z = B⁻¹ r, for r that is 0 on the degrees of freedom that are not free.
  void precondition(const Vector &r, Vector &z) const;
  /// Returns true if B is the diagonal.
  bool is_diagonal() const;
  /// Returns the matrix by nodes, empty unless the constructor was told to store it.
  const NodeMatrix &nodes() const { return node_matrix; }

  /// Returns the number of iterations of the last solve().
  unsigned int iterations() const { return n_iterations; }

private:
  struct Preconditioner;
  std::vector<bool> is_free;
  unsigned int block;
  std::vector<double> modes; ///< one mode after the other
  bool stores_nodes;
  double tolerance;
  NodeMatrix node_matrix;
  SparseMatrix matrix; ///< with rows of a unit matrix, times a diagonal entry, for degrees of
                       ///< freedom that are not free
  std::unique_ptr<Preconditioner> preconditioner;
  Vector residual, direction, product, preconditioned;
  unsigned int n_iterations = 0;
};

} // namespace percussion
