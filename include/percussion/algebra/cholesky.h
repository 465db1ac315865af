#pragma once

#include <percussion/algebra/types.h>

#include <memory>
#include <vector>

namespace percussion {

/// A vector that is zero but for some entries, in ascending order of their places.
struct SparseColumn {
  std::vector<unsigned int> place;
  std::vector<double> value;
};

/// Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite block of a matrix,
/// in a fill-reducing order (AMD).
class Cholesky {
public:
  /// Factorise the rows and columns `unknowns` of A; there may be none.
  /// Throws RunError where the block is not positive definite.
  Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns);
  ~Cholesky();
  Cholesky(Cholesky &&) noexcept;
  Cholesky &operator=(Cholesky &&) noexcept;

  /// Number of unknowns.
  unsigned int size() const { return static_cast<unsigned int>(order.size()); }

  /// Degree of freedom of each unknown in the order of elimination.
  const std::vector<unsigned int> &elimination_order() const { return order; }
  /// Place of a degree of freedom in that order; −1 for one that is no unknown.
  int place(unsigned int dof) const { return place_of[dof]; }

  /// Right-hand side, then solution, in the order of elimination.
  double *work() const;

  /// work ← L⁻¹ work.
  void forward() const;
  /// work ← L⁻ᵀ work.
  void backward() const;

  /// L⁻¹ e for the unit vector e at a place: nonzero on a path of the elimination tree only.
  void forward_unit(unsigned int unit, SparseColumn &column) const;

  /// Solve A x = b on the unknowns; the other entries of x stay as they are.
  void solve(const Vector &b, Vector &x) const;

private:
  struct Factor;
  std::unique_ptr<Factor> factor;
  std::vector<unsigned int> order;
  std::vector<int> place_of;
};

} // namespace percussion
