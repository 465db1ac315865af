#pragma once

#include <percussion/algebra/mixed_krylov.h>
#include <percussion/algebra/node_matrix.h>
#include <percussion/algebra/precision.h>
#include <percussion/algebra/single_node_matrix.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace percussion {

/// Matrix of conjugate gradients in single precision.
struct SingleCopy {
  /// diag(A)^(-½) of the entries of this process and needed ones; 0 where they are not free.
  std::vector<float> scale;
  SingleNodeMatrix matrix; ///< A with this scale on both sides
};

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
  using Modes = std::function<std::vector<std::vector<double>>()>;
  /// `is_free` marks the unknowns among the elastic degrees of freedom; each node has `block`
  /// consecutive ones. `modes` returns the motions to which A is softest, each over all of them:
  /// motions of rigid bodies. It is called for the first cycle. The partition must outlive this
  /// object. Precision::mixed has an effect in 3D if B is the diagonal.
  Multigrid(std::vector<bool> is_free, unsigned int block, Modes modes, const Partition &partition,
            double tolerance = 1e-14, Precision precision = Precision::full);
  ~Multigrid();

  /// Copies the first rows and columns of a matrix, or refers to them (NodeMatrix). Collective.
  void set_matrix(const MatrixRows &A);

  /// Prepares matrices with the pattern of A, whose values change: fill nodes(), then call
  /// update(). The preconditioner is the diagonal, or a cycle that is rebuilt for each matrix: a
  /// trial takes as long as a solution. Only a matrix with the diagonal may be divided.
  void set_pattern(const MatrixRows &A, bool takes_diagonal);
  /// Adopts the values of nodes(), or keeps the cycle of the matrix before. Returns false if an
  /// entry on the diagonal is not positive. Collective.
  [[nodiscard]] bool update(bool keeps_cycle);
  /// True if the last solve() has found that a changing matrix is not positive definite, or has not
  /// converged, and has returned the solution on the directions before.
  bool is_indefinite() const { return changing && changing->met_indefinite_matrix; }

  /// Computes x = A⁻¹ b, 0 on degrees of freedom that are not free. Iterations may also stop when
  /// the error is below `tolerance` times `scale`, a norm ‖·‖_A of other components of x. Returns
  /// this norm of x. Throws RunError after a thousand iterations. A solution that is one of several
  /// corrections may have a larger tolerance, `reduction`. Collective.
  double solve(const double *b, double *x, double scale = 0, double reduction = 0);

  /// Computes z = B⁻¹ r in the range of this process, for r that is 0 on the degrees of freedom
  /// that are not free. Collective.
  void precondition(const std::vector<double> &r, std::vector<double> &z) const;
  /// Returns true if B is the diagonal.
  bool is_diagonal() const;
  /// Returns the matrix by nodes.
  const NodeMatrix &nodes() const { return matrix; }
  NodeMatrix &nodes() { return matrix; }

  /// Returns the matrix in single precision if iterations are to use it, otherwise null.
  const SingleCopy *single() const { return single_copy ? &*single_copy : nullptr; }
  /// Receives the entries of x that products need. Collective.
  template <typename Number>
  void complete(std::vector<Number> &x) const {
    exchange(x.data());
  }

  /// Returns the number of iterations of the last solve().
  unsigned int iterations() const { return n_iterations; }

private:
  struct Preconditioner;
  /// Vectors of conjugate gradients; empty before the first solution.
  struct Vectors {
    std::vector<double> residual, direction, image, preconditioned;
  };
  /// Choices for a matrix whose values change.
  struct Changing {
    bool takes_diagonal; ///< true if the diagonal preconditions all solutions
    bool met_indefinite_matrix = false;
  };
  /// Limits of the iterations, see solve().
  struct Limits {
    double scale, reduction;
  };
  double product(const std::vector<double> &x, const std::vector<double> &y) const;
  double solve_mixed(const double *b, double *x, Limits limits);
  double inverse_entry(unsigned int i) const;
  void invert_diagonal();
  void copy_to_single();
  void make_cycle();
  void copy_nodes_to_rows();

  std::vector<bool> is_free;
  unsigned int block;
  Modes modes;
  const Partition &partition;
  double tolerance;
  NodeMatrix matrix;
  Exchange exchange; ///< exchange of the entries that products need
  std::unique_ptr<Preconditioner> preconditioner;
  Vectors vectors;
  unsigned int n_iterations = 0;
  std::optional<Changing> changing; ///< set by set_pattern()
  Precision precision;
  std::optional<SingleCopy> single_copy;
  MixedVectors mixed_vectors;
};

} // namespace percussion
