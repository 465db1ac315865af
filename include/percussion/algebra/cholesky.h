#pragma once

#include <percussion/algebra/matrix_rows.h>

#include <memory>
#include <vector>

namespace percussion {

/// Sparse Cholesky factorisation P A Pᵀ = L Lᵀ of a symmetric positive definite matrix over some of
/// the degrees of freedom (the unknowns), for any number of values in the same pattern.
///
/// Some unknowns form the interface: they are eliminated last, so that their block of L is a dense
/// triangle. A force on the interface and the solution x_I there involve this block only:
///
///     x_I = L_II⁻ᵀ (L⁻¹ b)_I ,     (A⁻¹)_II = L_II⁻ᵀ L_II⁻¹ .
///
/// CHOLMOD factorises small matrices simplicially, large ones supernodally (with BLAS). The
/// remaining unknowns are ordered by AMD or, if there are many, by METIS, which makes less fill.
class Cholesky {
public:
  /// Analyses the pattern of A; ignores its values. There may be no unknowns. `sequence`, unless
  /// empty, contains all unknowns and possibly other degrees of freedom: it prescribes the order of
  /// elimination of the unknowns outside the interface. Throws RunError if there is not enough
  /// memory.
  Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
           const std::vector<unsigned int> &interface = {},
           const std::vector<unsigned int> &sequence = {});
  ~Cholesky();
  Cholesky(Cholesky &&) noexcept;
  Cholesky &operator=(Cholesky &&) noexcept;

  /// Returns a sequence of the unknowns for factors whose interface changes: ordering takes longer
  /// than the rest of the work for a new interface.
  static std::vector<unsigned int> fill_reducing_order(const SparseMatrix &A,
                                                       const std::vector<unsigned int> &unknowns);
  /// Returns a fill-reducing sequence of the first n degrees of freedom. Each node must have
  /// `node_size` consecutive degrees of freedom with the same columns. Ordering nodes takes half
  /// the time of fill_reducing_order() in 2D.
  static std::vector<unsigned int>
  fill_reducing_order_of_nodes(const SparseMatrix &A, unsigned int n, unsigned int node_size);
  /// Number of unknowns above which METIS makes less fill than AMD. METIS takes longer than the
  /// rest of an analysis.
  static constexpr std::size_t metis_threshold = 20000;

  /// Returns the number of entries of L, known before any factorisation.
  double fill() const { return n_entries; }
  /// Returns the number of unknowns.
  unsigned int size() const { return static_cast<unsigned int>(order.size()); }
  /// Returns the degree of freedom of each unknown in the order of elimination.
  const std::vector<unsigned int> &elimination_order() const { return order; }
  /// Returns the position of a degree of freedom in the order of elimination; −1 if it is not an
  /// unknown.
  int position(unsigned int dof) const { return position_of[dof]; }

  /// Returns the index of the entry (i, j), which is also (j, i), in values(); −1 if i or j is not
  /// an unknown. The entry must be in the pattern.
  int index(unsigned int i, unsigned int j) const;
  /// Returns the entries of the pattern, one for both sides of the diagonal.
  std::vector<double> &values();
  /// Copies the values of A, which must have the pattern given to the constructor.
  void set_values(const MatrixRows &A);
  /// Factorises values(). Returns false if they are not positive definite.
  [[nodiscard]] bool factorise();

  /// Returns the right-hand side, overwritten by the solution, in the order of elimination.
  double *work() const;
  /// Computes work ← L⁻¹ work.
  void forward() const;
  /// Computes work ← L⁻ᵀ work.
  void backward() const;

  /// Returns the positions of the interface's unknowns in the order of elimination.
  const std::vector<int> &interface_positions() const { return interface_place; }
  /// Returns L_II of the last factorisation: a lower triangle, column by column, n² entries.
  const std::vector<double> &interface_factor() const { return interface_L; }

  /// Solves A x = b on the unknowns; the other entries of x do not change.
  void solve(const double *b, double *x) const;
  void solve(const Vector &b, Vector &x) const { solve(b.data(), x.data()); }

private:
  void extract_interface();

  struct Factor;
  std::unique_ptr<Factor> factor;
  std::vector<unsigned int> order;
  std::vector<int> position_of;
  double n_entries = 0;
  std::vector<int> interface_place;
  std::vector<double> interface_L;
};

} // namespace percussion
