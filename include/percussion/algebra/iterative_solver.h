#pragma once

#include <percussion/algebra/multigrid.h>
#include <percussion/algebra/system_pattern.h>

#include <vector>

namespace percussion {

/// Conjugate gradients for the elastic degrees of freedom of a ContactSystem, instead of a factor.
class IterativeSolver {
public:
  /// Stores a reference to the pattern, which must outlive this object.
  explicit IterativeSolver(const SystemPattern &pattern);

  /// Sets the values of the matrix.
  void set_matrix(const MatrixRows &A);
  /// Adopts the values of multigrid().nodes(), of a matrix that is not constant. Returns false if
  /// it is not positive definite, as far as the diagonal shows. See Multigrid::update().
  [[nodiscard]] bool update(bool keeps_cycle);
  /// Returns the solver of single solutions.
  Multigrid &multigrid() { return solver; }
  const Multigrid &multigrid() const { return solver; }
  /// Returns (Â⁻¹)_ij between candidates for contact. A column of Â⁻¹ is computed at its first use.
  double compliance(unsigned int dof_i, unsigned int dof_j);

private:
  void share_blocks_of_trace();

  const SystemPattern &pattern;
  Multigrid solver;
  std::vector<std::vector<double>> columns; ///< columns of Â⁻¹ between candidates
};

} // namespace percussion
