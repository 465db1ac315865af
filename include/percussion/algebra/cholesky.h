#pragma once

#include <percussion/algebra/types.h>

#include <memory>
#include <vector>

namespace percussion {

/// Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite matrix over some of
/// the degrees of freedom (the unknowns), for any number of values in the same pattern.
///
/// Some unknowns form the interface: they are eliminated last, so that their block of L, which is
/// all that a force on them and the answer of x there depend on, is a dense triangle of their
/// number:
///
///     x_I = L_II⁻ᵀ (L⁻¹ b)_I ,     (A⁻¹)_II = L_II⁻ᵀ L_II⁻¹ .
///
/// CHOLMOD factorises, simplicial where the matrix is small and supernodal (with BLAS) where it
/// pays. The others are ordered by AMD or, where there are many, by METIS, which makes less fill.
class Cholesky {
public:
  /// A has the pattern; its values are not looked at. There may be no unknowns.
  /// Where there is one, `sequence`, which has all unknowns and perhaps others, is the order of
  /// elimination of those that are not in the interface. Throws RunError where there is not enough
  /// memory.
  Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
           const std::vector<unsigned int> &interface = {},
           const std::vector<unsigned int> &sequence = {});
  ~Cholesky();
  Cholesky(Cholesky &&) noexcept;
  Cholesky &operator=(Cholesky &&) noexcept;

  /// A sequence of the unknowns for factors whose interface changes: ordering takes longer than
  /// all else that a new interface asks for.
  static std::vector<unsigned int> fill_reducing_order(const SparseMatrix &A,
                                                       const std::vector<unsigned int> &unknowns);
  /// The same of the first n degrees of freedom, of which each node has `node_size` in a row, with
  /// the same columns each: half the time in the plane.
  static std::vector<unsigned int>
  fill_reducing_order_of_nodes(const SparseMatrix &A, unsigned int n, unsigned int node_size);
  /// METIS makes less fill than AMD from about so many unknowns on, and takes longer than the rest
  /// of an analysis.
  static constexpr std::size_t many = 20000;

  /// Number of entries of L, known before any factorisation.
  double fill() const { return n_entries; }
  /// Number of unknowns.
  unsigned int size() const { return static_cast<unsigned int>(order.size()); }
  /// Degree of freedom of each unknown in the order of elimination.
  const std::vector<unsigned int> &elimination_order() const { return order; }
  /// Place of a degree of freedom in that order; −1 for one that is no unknown.
  int place(unsigned int dof) const { return place_of[dof]; }

  /// Where the entry (i, j), which is also (j, i), stands in values(); −1 where one of the two is
  /// no unknown. It must be in the pattern.
  int index(unsigned int i, unsigned int j) const;
  /// The entries of the pattern, one for both sides of the diagonal.
  std::vector<double> &values();
  /// Take the values of A, whose pattern is that given to the constructor.
  void set_values(const SparseMatrix &A);
  /// Factorise values(). False where they are not positive definite.
  bool factorise();
  /// Free values(): there will be no others.
  void forget_values();

  /// Right-hand side, then solution, in the order of elimination.
  double *work() const;
  /// work ← L⁻¹ work.
  void forward() const;
  /// work ← L⁻ᵀ work.
  void backward() const;

  /// The unknowns of the interface in their order of elimination: their places.
  const std::vector<int> &interface_places() const { return interface_place; }
  /// L_II of the last factorisation: a lower triangle, column by column, n² entries.
  const std::vector<double> &interface_factor() const { return interface_L; }

  /// Solve A x = b on the unknowns; the other entries of x stay as they are.
  void solve(const Vector &b, Vector &x) const;

private:
  void extract_interface();

  struct Factor;
  std::unique_ptr<Factor> factor;
  std::vector<unsigned int> order;
  std::vector<int> place_of;
  double n_entries = 0;
  std::vector<int> interface_place;
  std::vector<double> interface_L;
};

} // namespace percussion
