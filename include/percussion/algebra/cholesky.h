#pragma once

#include <percussion/algebra/types.h>

#include <memory>
#include <vector>

namespace percussion {

/// Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite block of a matrix,
/// with chosen unknowns eliminated last.
///
/// Write the last unknowns c and the others i. The trailing block L_cc of the factor satisfies
/// L_cc L_ccᵀ = A_cc − A_ci A_ii⁻¹ A_ic, hence (L_cc L_ccᵀ)⁻¹ = (A⁻¹)_cc: forces that act on c only
/// are answered on c by the trailing block alone. A contact solve therefore needs one forward sweep
/// before it and one backward sweep after it, and nothing in between touches the other unknowns.
class Cholesky {
public:
  /// Factorise the rows and columns `unknowns` of A; the last `n_last` of them are eliminated last
  /// in the given order, the others in a fill-reducing order (CAMD).
  /// Throws RunError where the block is not positive definite.
  Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
           unsigned int n_last = 0);
  ~Cholesky();
  Cholesky(Cholesky &&) noexcept;
  Cholesky &operator=(Cholesky &&) noexcept;

  unsigned int size() const { return static_cast<unsigned int>(order.size()); }

  /// Degree of freedom of each unknown in the order of elimination.
  const std::vector<unsigned int> &elimination_order() const { return order; }

  /// Right-hand side, then solution, in the order of elimination.
  double *work() const;

  /// work ← L⁻¹ work.
  void forward() const;
  /// work ← L⁻ᵀ work.
  void backward() const;

  /// The dense trailing block L_cc, lower triangular, column-major, n_trailing × n_trailing.
  const std::vector<double> &trailing() const { return L_cc; }

  /// Solve A x = b on the unknowns; the other entries of x stay as they are.
  void solve(const Vector &b, Vector &x) const;

private:
  struct Factor;
  std::unique_ptr<Factor> factor;
  std::vector<unsigned int> order;
  std::vector<double> L_cc;
  unsigned int n_last;
};

} // namespace percussion
