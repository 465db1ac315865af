#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/cholesky.h>
#include <percussion/algebra/linear_solver.h>
#include <percussion/algebra/multigrid.h>
#include <percussion/algebra/ties.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace percussion {

/// Linear system Â x = b + f of a correction. The right-hand side b is known at the start; the
/// contact force f, which acts on few degrees of freedom, depends on x at these degrees of freedom:
///
///     use(entries)          sets the entries of the trace that contacts act on
///     start(b, …)           computes x without f on them
///     compliance(i, j)      returns (Â⁻¹)_ij between them, for the Delassus operator
///     add_force(f)
///     finish(x)             computes all of x
///
/// Â is symmetric positive definite, except for the gyroscopic terms of rigid bodies in 3D. Elastic
/// degrees of freedom come first and are factorised; those that contacts may act on are the
/// interface of the Cholesky factor: x, Â⁻¹ and f there cost operations on a dense triangle of
/// their number, whatever the size of Â. The remaining degrees of freedom (of rigid bodies) are
/// coupled in blocks of at most three: this part of Â is inverted block by block. Prescribed
/// degrees of freedom have a given x and are moved to the right-hand side.
///
/// Ties add to Â matrices of few rows B, Bᵀ D B, or conditions B x = c: use() includes their
/// degrees of freedom, and start(), add_force() and compliance() refer to Â with the ties.
///
/// If contacts act on too many elastic degrees of freedom for a dense triangle, there is no
/// interface: two full solves are needed per correction, and compliance() must not be called.
///
/// If the factor of a constant matrix would be too large, conjugate gradients replace it: one
/// solution for b, one for f, and one for each degree of freedom at the first call of compliance()
/// for it.
///
/// A solution may be deferred to a solver of x and f together. start() then keeps the right-hand
/// side and sets x to zero, except for prescribed degrees of freedom, and finish() writes the
/// solution of the solver.
class ContactSystem {
public:
  /// The sparsity pattern and everything else that does not change with the values.
  struct Pattern {
    const SparseMatrix &matrix; ///< pattern of nonzero entries; its values are ignored
    unsigned int n_coupled;     ///< degrees of freedom from here on are in small blocks
    std::vector<unsigned int> prescribed;
    std::vector<unsigned int> may_touch; ///< degrees of freedom that contacts may act on
    bool is_constant; ///< few factorisations for many solutions: (Â⁻¹) of the interface is stored
    unsigned int block_size = 1;                ///< number of rows of a small block: 1 (a diagonal)
                                                ///< or 3
    LinearSolver solver = LinearSolver::direct; ///< anything but `direct` requires a constant
                                                ///< matrix
    /// For conjugate gradients: motions of the coupled degrees of freedom to which the matrix is
    /// softest, and the number of degrees of freedom of a node.
    std::function<std::vector<std::vector<double>>()> modes = {};
    unsigned int node_size = 1;
    /// True if solutions may be deferred, see ContactSystem::defer().
    bool may_defer = false;
    /// True if the diagonal preconditions deferred solutions although there is a factor.
    bool takes_diagonal = false;
    /// Order of elimination of the coupled degrees of freedom, shared with other systems. Called if
    /// there are many unknowns; if it is empty, this system computes its own order.
    std::function<const std::vector<unsigned int> &()> order = {};
    /// Degree of freedom of each entry of the trace; empty: entries are degrees of freedom.
    std::vector<unsigned int> trace = {};
  };
  /// `pattern.matrix` must outlive this object.
  explicit ContactSystem(Pattern pattern);

  /// Returns the factor of the coupled block: fill its values(), then call factorise().
  Cholesky &cholesky() { return factor; }
  /// Returns the uncoupled block, from n_coupled on.
  BlockDiagonal &blocks() { return uncoupled; }
  /// Returns the uncoupled block, to be read.
  const BlockDiagonal &blocks() const { return uncoupled; }
  /// Copies values, blocks and the columns of prescribed degrees of freedom from a matrix.
  void set_matrix(const SparseMatrix &A);
  /// Returns false if Â is not positive definite.
  bool factorise();
  /// Factorises the blocks only. Returns false if one has no inverse.
  bool factorise_blocks();
  /// Returns a number that identifies the current factors and ties.
  unsigned long version() const { return factors + ties.version(); }
  /// Sets the rows of the ties over these degrees of freedom, which must be the same in all calls.
  void set_ties(const std::vector<unsigned int> &dofs, std::vector<TieRow> rows) {
    tied = dofs;
    ties.set(std::move(rows), tied.size());
  }
  /// Returns the forces of the ties, one for each row, that x contains after add_force().
  const std::vector<double> &tie_forces() const { return ties.forces(); }

  /// Sets the entries of the trace that contacts act on until the next call, in ascending order.
  /// Returns true if the interface has grown for them, or if the pattern has been analysed only now
  /// (unless it is constant): the caller must then fill and factorise the matrix, whose entries
  /// have new positions.
  bool use(const std::vector<unsigned int> &entries);
  /// Returns the degree of freedom of an entry of the trace.
  unsigned int dof(unsigned int entry) const {
    return pattern.trace.empty() ? entry : pattern.trace[entry];
  }
  /// Returns the degrees of freedom of the interface.
  const std::vector<unsigned int> &interface_dofs() const { return interface; }
  /// Replaces the interface; the caller must then fill and factorise the matrix again.
  void set_interface(const std::vector<unsigned int> &dofs);

  /// Starts a solution with the right-hand side b (all degrees of freedom) and the prescribed
  /// values: writes the prescribed and uncoupled entries of x, and those that contacts act on.
  void start(const double *b, const std::vector<double> &prescribed_values, double *x);
  /// Adds forces on the degrees of freedom that contacts act on.
  void add_force(const std::vector<double> &force);
  /// Writes the free entries of x.
  void finish(double *x);

  /// Returns (Â⁻¹)_ij between the i-th and the j-th degree of freedom that contacts act on; 0 if
  /// one is prescribed.
  double compliance(unsigned int i, unsigned int j);
  /// Table of all compliances: (Â⁻¹)_ij = values[index[i] size + index[j]]. Valid until the next
  /// factorisation or use().
  struct Compliances {
    const double *values;
    const unsigned int *index;
    std::size_t size;
    double operator()(unsigned int i, unsigned int j) const {
      return values[index[i] * size + index[j]];
    }
  };
  /// Returns true if compliances() may be called: no ties, no conjugate gradients, and contacts act
  /// on free elastic degrees of freedom only.
  bool has_compliances() const {
    return ties.empty() && !multigrid && !in_use_are_many && !in_use.empty() &&
           place_in_inverse.size() == in_use.size();
  }
  /// Returns the table of all compliances, if has_compliances().
  Compliances compliances();
  /// Returns true if conjugate gradients replace the factor.
  bool is_iterative() const { return multigrid != nullptr; }
  /// Returns the number of entries of the factor, also if conjugate gradients replace it.
  double fill() const { return n_entries; }
  /// Returns true if compliance() may be called.
  bool has_interface() const { return !in_use_are_many; }

  /// Returns true if solutions may be deferred.
  bool may_defer() const { return pattern.may_defer && tied.empty(); }
  /// Defers the next solutions, or does not. Call use() afterwards.
  void defer(bool defers) {
    is_deferred = defers && may_defer();
    in_use.clear();
  }
  /// Returns the right-hand side of a deferred solution without contact forces, with the terms of
  /// prescribed degrees of freedom, which are 0 themselves.
  const std::vector<double> &deferred_right_side() const { return deferred_side; }
  /// Computes y = Â x on the free degrees of freedom, 0 on the others, for x that is 0 on them.
  void multiply(const std::vector<double> &x, std::vector<double> &y);
  /// Computes z ≈ Â⁻¹ r by the preconditioner of conjugate gradients or by the factor, for r that
  /// is 0 on prescribed degrees of freedom.
  void precondition(const std::vector<double> &r, std::vector<double> &z);
  /// Returns true if the preconditioner is the diagonal of Â.
  bool has_diagonal_preconditioner() const {
    return multigrid ? multigrid->is_diagonal() : pattern.takes_diagonal;
  }
  /// Returns the diagonal of Â, 1 at prescribed degrees of freedom.
  std::vector<double> diagonal() const;
  /// Returns Â_ij for degrees of freedom of the same elastic node, if solutions may be deferred.
  double entry_of_node(unsigned int i, unsigned int j) const { return nodes().of_node(i, j); }
  /// Sets the solution that finish() writes.
  void set_deferred_solution(std::vector<double> x) { deferred_solution = std::move(x); }

  /// Returns the number of elastic degrees of freedom.
  unsigned int n_elastic() const { return pattern.n_coupled; }
  /// Returns the number of degrees of freedom of an elastic node.
  unsigned int node_size() const { return pattern.node_size; }
  /// Returns the number of degrees of freedom.
  unsigned int size() const { return static_cast<unsigned int>(is_prescribed.size()); }
  /// Returns true if a degree of freedom is not prescribed.
  bool is_free(unsigned int dof) const { return !is_prescribed[dof]; }
  /// Calls visit(j, value) for the entries of row i of Â; prescribed degrees of freedom have the
  /// row of a unit matrix.
  template <typename Visit>
  void for_row(unsigned int i, const Visit &visit) {
    if (is_prescribed[i])
      return visit(i, 1.);
    if (i >= pattern.n_coupled) {
      const unsigned int row_in_blocks = i - pattern.n_coupled, d = uncoupled.block_size();
      for (unsigned int j = d * uncoupled.block(row_in_blocks);
           j < d * (uncoupled.block(row_in_blocks) + 1); ++j)
        if (!uncoupled.is_fixed(j))
          visit(pattern.n_coupled + j, uncoupled(row_in_blocks, j));
      return;
    }
    const SparseRow entries = row(pattern.matrix, i);
    for (int k = 0; k < entries.size; ++k)
      if (const auto j = static_cast<unsigned int>(entries.column[k]); factor.position(j) >= 0)
        visit(j, factor.values()[static_cast<unsigned int>(factor.index(i, j))]);
  }

  /// Returns true if the i-th degree of freedom that contacts act on is in a small block and not
  /// tied.
  bool is_uncoupled(unsigned int i) const {
    return is_in_block(i) && !std::binary_search(tied.begin(), tied.end(), in_use[i]);
  }
  /// Returns the index in blocks() of the i-th degree of freedom that contacts act on.
  unsigned int index_in_blocks(unsigned int i) const { return in_use[i] - pattern.n_coupled; }

private:
  bool is_in_block(unsigned int i) const { return in_use[i] >= pattern.n_coupled; }
  double compliance_without_ties(unsigned int i, unsigned int j);
  void add_force_without_ties(const std::vector<double> &force);
  void start_without_ties(const double *b, const std::vector<double> &prescribed_values, double *x);
  void prepare_ties();
  void add_force_of_ties();
  std::vector<unsigned int> free_coupled_dofs() const;
  void make_factor();
  std::vector<unsigned int> with_surroundings(const std::vector<unsigned int> &dofs) const;
  void find_places_in_inverse();
  void invert();
  void add_forward(const std::vector<double> &force);
  void make_multigrid();
  int touch_number(unsigned int dof) const;
  const NodeMatrix &nodes() const { return multigrid ? multigrid->nodes() : matrix_beside_factor; }
  void start_deferred(const double *b, const std::vector<double> &prescribed_values, double *x);
  void start_iteratively(double *x);
  void finish_iteratively(double *x);
  void add_force_iteratively(const std::vector<double> &force);
  double compliance_by_iterations(unsigned int i, unsigned int j);

  Pattern pattern;
  std::vector<bool> is_prescribed;
  std::vector<unsigned int> interface;
  std::vector<unsigned int> sequence; ///< order of elimination outside the interface, if the
                                      ///< interface changes
  Cholesky factor;
  BlockDiagonal uncoupled;
  /// Entries that couple a prescribed column to a free row, for each prescribed degree of freedom:
  /// position of the row in the order of elimination (for conjugate gradients, its degree of
  /// freedom) and value.
  std::vector<std::vector<std::pair<unsigned int, double>>> coupling;
  unsigned long factors = 0, coupled_factors = 0;
  bool is_made = false; ///< true after the analysis of the pattern

  std::vector<unsigned int> in_use; ///< degrees of freedom of contacts, then of ties
  std::vector<int> number_in_use; ///< index in the interface of each; −1: prescribed or uncoupled
  std::vector<unsigned int> place_in_inverse; ///< index of each, if none is prescribed or uncoupled
  std::vector<int> interface_number;          ///< index in the interface of each degree of freedom;
                                              ///< −1: outside
  std::vector<double> inverse;  ///< Â⁻¹ of the interface, or of the degrees of freedom in use,
                                ///< column by column
  std::size_t inverse_size = 0; ///< number of its rows
  unsigned long inverted = 0;   ///< version of the coupled factors that `inverse` belongs to
  bool in_use_are_many = false;
  std::vector<double> interface_work, uncoupled_solution, forward_solution;
  std::vector<unsigned int> tied; ///< degrees of freedom of ties
  Ties ties;

  double n_entries = 0;
  std::unique_ptr<Multigrid> multigrid; ///< replaces the factor
  std::vector<double> right_side, elastic_force, elastic_solution;
  double solution_norm = 0;                 ///< norm ‖x‖_Â of the solution by start()
  std::vector<std::vector<double>> columns; ///< columns of Â⁻¹ between may_touch, computed at their
                                            ///< first use

  bool is_deferred = false;
  NodeMatrix matrix_beside_factor; ///< Â of elastic nodes, if solutions may be deferred beside a
                                   ///< factor
  std::vector<double> deferred_side, deferred_solution;
  Vector elastic_vector, elastic_image; ///< vectors of multigrid
};

} // namespace percussion
