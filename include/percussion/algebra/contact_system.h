#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/interface_factor.h>
#include <percussion/algebra/iterative_solver.h>
#include <percussion/algebra/response.h>
#include <percussion/algebra/ties.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace percussion {

class DeferredResponse;

/// Linear system Â x = b + f of a correction. The right-hand side b is known at the start; the
/// contact force f, which acts on few degrees of freedom, depends on x at these degrees of freedom:
///
///     set_contact_entries(entries)   sets the entries of the trace that contacts act on
///     start(b, …)                    computes x without f on them
///     compliance(i, j)               returns (Â⁻¹)_ij between them, for the Delassus operator
///     add_force(f)
///     finish(x)                      computes all of x
///
/// Â is symmetric positive definite, except for the gyroscopic terms of rigid bodies in 3D. Elastic
/// degrees of freedom come first and are factorised; those that contacts may act on are the
/// interface of the Cholesky factor: x, Â⁻¹ and f there cost operations on a dense triangle of
/// their number, whatever the size of Â. The remaining degrees of freedom (of rigid bodies) are
/// coupled in blocks of at most three: this part of Â is inverted block by block. Prescribed
/// degrees of freedom have a given x and are moved to the right-hand side.
///
/// Ties add to Â matrices of few rows, Bᵀ D C, or conditions C x = c with forces along Bᵀ:
/// set_contact_entries() includes their degrees of freedom, and start(), add_force() and
/// compliance() refer to Â with the ties.
///
/// set_contact_entries() chooses how the bodies answer, a Response for each of these cases:
///
///     FactorResponse      elastic bodies: a factor with the interface last
///     SparseResponse      too many elastic degrees of freedom in contact for a dense triangle: no
///                         interface and no compliances, two full solutions in each correction
///     IterativeResponse   the factor of a constant matrix would be too large: conjugate gradients
///     BlockResponse       rigid bodies
///     JoinedResponse      both
///     TiedResponse        any of these, with ties
///     DeferredResponse    a solver of x and f together finds x
class ContactSystem {
public:
  using Pattern = SystemPattern;
  /// `pattern.matrix` must outlive this object.
  explicit ContactSystem(Pattern pattern);
  ~ContactSystem();
  ContactSystem(const ContactSystem &) = delete;
  ContactSystem &operator=(const ContactSystem &) = delete;

  /// Returns the factor of the coupled block.
  Cholesky &cholesky() { return factor.matrix(); }
  /// Returns the index in values() of the entry (i, j) of the coupled block, which is also (j, i);
  /// −1 if it is not in the equations of the unknowns, or on other processes only.
  int index(unsigned int i, unsigned int j) const;
  /// Returns the entries of the coupled block: of the matrix by nodes if it changes and solutions
  /// may be deferred or are iterative, else of the factor. Fill them, then call factorise().
  std::vector<double> &values();
  /// True if index() does not depend on the interface.
  bool has_fixed_pattern() const { return assembles_nodes(); }
  /// Returns the uncoupled block, from n_coupled on.
  BlockDiagonal &blocks() { return uncoupled; }
  /// Returns the uncoupled block, to be read.
  const BlockDiagonal &blocks() const { return uncoupled; }
  /// Copies values, blocks and the columns of prescribed degrees of freedom from a matrix.
  void set_matrix(const MatrixRows &A);
  /// Returns false if Â is not positive definite. Iterations may keep the preconditioner of a
  /// matrix near Â.
  [[nodiscard]] bool factorise(bool keeps_preconditioner = false);
  /// Factorises the blocks only. Returns false if one has no inverse.
  [[nodiscard]] bool factorise_blocks();
  /// Returns a number that identifies the current factors and ties.
  unsigned long version() const { return n_factors + tied.ties.version(); }
  /// Sets the rows of the ties over these degrees of freedom, which must be the same in all calls;
  /// see Ties::set().
  void set_ties(const std::vector<unsigned int> &dofs, std::vector<TieRow> rows,
                double negligible = Ties::negligible) {
    tied.dofs = dofs;
    tied.ties.set(std::move(rows), dofs.size(), negligible);
  }
  /// Returns the forces of the ties, one for each row, that x contains after add_force().
  const std::vector<double> &tie_forces() const { return tied.ties.forces(); }
  /// Returns the statuses of the ties with laws, see Ties::statuses().
  const std::vector<unsigned int> &tie_statuses() const { return tied.ties.statuses(); }

  /// Sets the entries of the trace that contacts act on until the next call, in ascending order.
  /// Returns true if the interface has grown for them, or if the pattern has been analysed only now
  /// (unless it is constant): the caller must then fill and factorise the matrix, whose entries
  /// have new positions.
  bool set_contact_entries(const std::vector<unsigned int> &entries);
  /// Returns the degree of freedom of an entry of the trace.
  unsigned int dof(unsigned int entry) const {
    return pattern.trace.empty() ? entry : pattern.trace[entry];
  }
  /// Returns the degrees of freedom of the interface.
  const std::vector<unsigned int> &interface_dofs() const { return factor.interface(); }
  /// Replaces the interface; the caller must then fill and factorise the matrix again.
  void set_interface(const std::vector<unsigned int> &dofs);

  /// Starts a solution with the right-hand side b (all degrees of freedom) and the prescribed
  /// values: writes the prescribed and uncoupled entries of x, and those that contacts act on.
  void start(const Vector &b, const std::vector<double> &prescribed_values, Vector &x);
  /// Adds forces on the degrees of freedom that contacts act on.
  void add_force(const std::vector<double> &force) { current.response->add_force(force); }
  /// Writes the free entries of x.
  void finish(Vector &x) { current.response->finish(x); }

  /// Returns (Â⁻¹)_ij between the i-th and the j-th degree of freedom that contacts act on; 0 if
  /// one is prescribed.
  double compliance(unsigned int i, unsigned int j) { return current.response->compliance(i, j); }
  /// Returns compliance() without ties.
  double untied_compliance(unsigned int i, unsigned int j) {
    return current.response->untied_compliance(i, j);
  }
  /// True if ties couple degrees of freedom.
  bool has_ties() const { return !tied.ties.empty(); }
  /// Returns the table of all compliances if contacts act on the interface only, without ties;
  /// valid until the next factorisation or set_contact_entries().
  std::optional<CompliancesTable> compliances() { return current.response->compliances(); }
  /// Returns true if conjugate gradients replace the factor.
  bool is_iterative() const { return iterations != nullptr; }
  /// True if processes share the iterations of conjugate gradients.
  bool divides_solutions() const { return is_iterative() && partition().is_shared(); }
  /// True if the last iterative solution has found that a changing Â is not positive definite.
  bool is_indefinite() const { return iterations && iterations->multigrid().is_indefinite(); }
  /// Returns the number of entries of the factor, also if conjugate gradients replace it.
  double fill() const { return factor.fill(); }
  /// Returns true if compliance() may be called.
  bool has_interface() const;
  /// Returns the largest number of elastic degrees of freedom in contact for which a factor has an
  /// interface: in 3D its dense matrix may have as many entries as the factor of a body by nested
  /// dissection. The LU factor of the global contact problem, which replaces it, has more.
  static unsigned int largest_interface(unsigned int n_unknowns, unsigned int node_size);

  /// True if LinearSolver::automatic makes no factor of a matrix with so many entries.
  static bool is_too_large(double n_entries);

  /// Returns true if solutions may be deferred.
  bool may_defer() const { return pattern.may_defer() && tied.dofs.empty(); }
  /// Defers the next solutions, or does not. Call set_contact_entries() afterwards.
  void defer(bool defers);
  /// Returns the right-hand side of a deferred solution without contact forces, with the terms of
  /// prescribed degrees of freedom, which are 0 themselves; of the entries that this process
  /// computes.
  const std::vector<double> &deferred_right_side() const;
  /// Returns the ranges of elastic degrees of freedom that the processes compute in vectors of
  /// deferred solutions.
  const Partition &partition() const { return pattern.partition; }
  /// Receives the entries of x from other processes that products need, and the entries of the
  /// trace.
  void complete(std::vector<double> &x) const { exchanges.products(x.data()); }
  /// Receives the entries of the trace.
  void complete_trace(std::vector<double> &x) const { exchanges.trace(x.data()); }
  /// Computes y = Â x on the free degrees of freedom, 0 on the others, for a complete x that is 0
  /// on them. The result has the entries of this process, and all entries of rigid bodies.
  void multiply(const std::vector<double> &x, std::vector<double> &y) const;
  /// True if deferred solutions should iterate with multiply_single().
  bool has_single_copy() const { return iterations && iterations->multigrid().single() != nullptr; }
  /// Returns diag(Â)^(-½) of the elastic unknowns of this process, if has_single_copy().
  const std::vector<float> &single_scale() const { return iterations->multigrid().single()->scale; }
  /// Computes y = S Â S x in single precision on the elastic unknowns, S = diag(Â)^(-½), for x that
  /// is 0 on prescribed degrees of freedom; receives the entries of x that the product needs.
  void multiply_single(std::vector<float> &x, std::vector<float> &y) const;
  /// Computes y = Â x on the degrees of freedom of rigid bodies; 0 on prescribed ones.
  void multiply_blocks(const std::vector<double> &x, std::vector<double> &y) const;
  /// Computes z ≈ Â⁻¹ r by the preconditioner of conjugate gradients or by the factor, for r that
  /// is 0 on prescribed degrees of freedom. The result has the entries of this process, and all
  /// entries of rigid bodies.
  void precondition(const std::vector<double> &r, std::vector<double> &z);
  /// Returns true if the preconditioner is the diagonal of Â.
  bool has_diagonal_preconditioner() const {
    return iterations ? iterations->multigrid().is_diagonal() : pattern.takes_diagonal();
  }
  /// Returns the diagonal of Â in the range of this process and in the trace, with 1 at prescribed
  /// degrees of freedom; 0 elsewhere.
  std::vector<double> diagonal() const;
  /// Returns Â_ij for degrees of freedom of the same elastic node, of this process or in the trace,
  /// if solutions may be deferred.
  double entry_of_node(unsigned int i, unsigned int j) const { return nodes().entry(i, j); }
  /// Sets the solution that finish() writes, with the entries of this process. Collective.
  void set_deferred_solution(std::vector<double> x);

  /// Returns the number of elastic degrees of freedom.
  unsigned int n_elastic() const { return pattern.n_coupled; }
  /// Returns the number of degrees of freedom of an elastic node.
  unsigned int node_size() const { return pattern.node_size; }
  /// Returns the number of degrees of freedom.
  unsigned int size() const { return pattern.size(); }
  /// Returns true if a degree of freedom is not prescribed.
  bool is_free(unsigned int dof) const { return !pattern.is_prescribed[dof]; }
  /// Calls visit(j, value) for the entries of row i of Â; prescribed degrees of freedom have the
  /// row of a unit matrix.
  template <typename Visit>
  void visit_row(unsigned int i, const Visit &visit) {
    if (pattern.is_prescribed[i])
      return visit(i, 1.);
    if (i >= pattern.n_coupled) {
      const unsigned int row_in_blocks = i - pattern.n_coupled, d = uncoupled.block_size();
      for (unsigned int j = d * uncoupled.block(row_in_blocks);
           j < d * (uncoupled.block(row_in_blocks) + 1); ++j)
        if (!uncoupled.is_fixed(j))
          visit(pattern.n_coupled + j, uncoupled(row_in_blocks, j));
      return;
    }
    const SparseRow entries = pattern.matrix.row(i);
    for (int k = 0; k < entries.size; ++k)
      if (const auto j = static_cast<unsigned int>(entries.column[k]); pattern.is_elastic(j))
        visit(j, cholesky().values()[static_cast<unsigned int>(cholesky().index(i, j))]);
  }

  /// Returns true if the i-th degree of freedom that contacts act on is in a small block and not
  /// tied.
  bool is_uncoupled(unsigned int i) const {
    return used_dofs[i] >= pattern.n_coupled &&
           !std::binary_search(tied.dofs.begin(), tied.dofs.end(), used_dofs[i]);
  }
  /// Returns the index in blocks() of the i-th degree of freedom that contacts act on.
  unsigned int index_in_blocks(unsigned int i) const { return used_dofs[i] - pattern.n_coupled; }

private:
  std::ptrdiff_t largest_interface() const;
  bool analyse_if_needed();
  bool adapt_interface();
  void make_solver(const std::vector<unsigned int> &interface);
  void copy_beside_factor(const MatrixRows &A);
  void prepare_exchange();
  std::unique_ptr<Response> make_response();
  std::unique_ptr<Response> make_elastic_response();
  std::vector<bool> free_elastic_dofs() const;
  bool factorise_elastic(bool keeps_preconditioner);
  void copy_nodes_to_factor();
  /// True if values() are the entries of the matrix by nodes.
  bool assembles_nodes() const {
    return !pattern.is_constant() && (iterations || beside_factor.matrix.size() > 0);
  }
  const NodeMatrix &nodes() const {
    return iterations ? iterations->multigrid().nodes() : beside_factor.matrix;
  }
  NodeMatrix &nodes() {
    return iterations ? iterations->multigrid().nodes() : beside_factor.matrix;
  }

  /// Matrix by nodes beside a factor, for products of deferred solutions.
  struct BesideFactor {
    NodeMatrix matrix; ///< empty if no solution may be deferred
    /// Index in the factor of each entry of the matrix, −1 for others; empty: not yet known.
    std::vector<int> index_in_factor;
  };
  /// Exchanges of the entries that deferred solutions need from other processes.
  struct Exchanges {
    Exchange products, trace;
  };
  /// Ties with the degrees of freedom that their rows refer to.
  struct TiesOfDofs {
    std::vector<unsigned int> dofs;
    Ties ties;
  };
  /// Response to the forces of contacts.
  struct CurrentResponse {
    std::unique_ptr<Response> response;
    DeferredResponse *deferred = nullptr; ///< the response, if it is deferred
    bool defers_next = false;             ///< true if the next response is deferred
  };

  Pattern pattern;
  InterfaceFactor factor;
  std::unique_ptr<IterativeSolver> iterations; ///< replaces the factor
  BlockDiagonal uncoupled;
  PrescribedColumns columns;
  BesideFactor beside_factor;
  Exchanges exchanges;
  unsigned long n_factors = 0; ///< number of factorisations of any block
  TiesOfDofs tied;
  std::vector<unsigned int> used_dofs; ///< degrees of freedom of contacts, then of ties
  CurrentResponse current;
};

} // namespace percussion
