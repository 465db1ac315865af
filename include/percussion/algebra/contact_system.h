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

/// The linear system Â x = b + f of a correction, where b is known at once and the force f of the
/// contacts, which acts on few degrees of freedom, is found only after x on those has been seen:
///
///     use(dofs)             these are what the contacts act on
///     start(b, …)           x without f on them
///     compliance(i, j)      (Â⁻¹)_ij between them, for the Delassus operator
///     add_force(f)
///     finish(x)             x everywhere
///
/// Â is symmetric positive definite, but for rigid bodies that spin in space. Elastic degrees of
/// freedom come first and are factorised, with those that contacts may act on as the interface of
/// the Cholesky factor: x, Â⁻¹ and f there cost operations on a dense triangle of their number,
/// whatever the size of Â. The others (of rigid bodies) are coupled in blocks of three at most:
/// that part of Â is inverted block by block. Prescribed degrees of freedom have a given x and are
/// moved to the right-hand side.
///
/// Ties add to Â matrices of few rows B, Bᵀ D B, or conditions B x = c: use() takes their degrees
/// of freedom in, and what start(), add_force() and compliance() say is of Â with them.
///
/// Where more elastic degrees of freedom are in use than a dense triangle is good for, there is no
/// interface: x is seen after a whole solution, another one follows the forces, and compliance() is
/// not to be asked for.
///
/// Where the factor of a matrix that is constant would be too large, conjugate gradients take its
/// place: one solution for b and one for f, and one for each degree of freedom when compliance() is
/// first asked for it.
class ContactSystem {
public:
  /// What of a matrix stays while its values change.
  struct Pattern {
    const SparseMatrix &matrix; ///< entries that do not vanish; its values are not looked at
    unsigned int n_coupled;     ///< degrees of freedom from here on are in small blocks
    std::vector<unsigned int> prescribed;
    std::vector<unsigned int> may_touch; ///< what contacts may act on
    bool is_constant; ///< few factorisations for many solutions: (Â⁻¹) of the interface is kept
    unsigned int block_size = 1;                ///< of the small blocks: 1, a diagonal, or 3
    LinearSolver solver = LinearSolver::direct; ///< only of a matrix that is constant another
    /// Where conjugate gradients may be chosen: the motions of the coupled degrees of freedom to
    /// which the matrix is softest, and how many degrees of freedom a node has.
    std::function<std::vector<std::vector<double>>()> modes = {};
    unsigned int node_size = 1;
    /// An order of elimination of the coupled degrees of freedom that others have, too. It is asked
    /// for where there are many unknowns; without it they are ordered here.
    std::function<const std::vector<unsigned int> &()> order = {};
  };
  /// `pattern.matrix` must live as long.
  explicit ContactSystem(Pattern pattern);

  /// The factor of the coupled part: fill its values(), then factorise().
  Cholesky &cholesky() { return factor; }
  /// The uncoupled part, from n_coupled on.
  BlockDiagonal &blocks() { return uncoupled; }
  /// See above.
  const BlockDiagonal &blocks() const { return uncoupled; }
  /// Take values, blocks and what prescribed degrees of freedom act on from a matrix.
  void set_matrix(const SparseMatrix &A);
  /// False where Â is not positive definite.
  bool factorise();
  /// The same of the blocks alone.
  bool factorise_blocks();
  /// Names the present factors and ties.
  unsigned long version() const { return factors + ties.version(); }
  /// Let these be the ties, over these degrees of freedom, which are to stay the same.
  void set_ties(const std::vector<unsigned int> &dofs, std::vector<TieRow> rows) {
    tied = dofs;
    ties.set(std::move(rows), tied.size());
  }
  /// Forces of the ties, one for each row, that x has after add_force().
  const std::vector<double> &tie_forces() const { return ties.forces(); }

  /// Let these degrees of freedom, in ascending order, be those that contacts act on until the next
  /// call. True where the interface had to grow for them, or the pattern is analysed only now (one
  /// that is not constant): the matrix is to be filled and factorised then, with entries at other
  /// places.
  bool use(const std::vector<unsigned int> &dofs);
  /// The degrees of freedom of the interface.
  const std::vector<unsigned int> &interface_dofs() const { return interface; }
  /// Take another interface; the matrix is to be filled and factorised again then.
  void set_interface(const std::vector<unsigned int> &dofs);

  /// Begin with the right-hand side b (all degrees of freedom) and the prescribed values: writes
  /// the prescribed, the uncoupled and the used entries of x.
  void start(const double *b, const std::vector<double> &prescribed_values, double *x);
  /// Add forces on the degrees of freedom in use.
  void add_force(const std::vector<double> &force);
  /// Write the entries of x that are free.
  void finish(double *x);

  /// (Â⁻¹)_ij between the i-th and the j-th degree of freedom in use; 0 where one is prescribed.
  double compliance(unsigned int i, unsigned int j);
  /// The same without a call: (Â⁻¹)_ij = values[place[i] size + place[j]]. Valid until the next
  /// factorisation or use().
  struct Compliances {
    const double *values;
    const unsigned int *place;
    std::size_t size;
    double operator()(unsigned int i, unsigned int j) const {
      return values[place[i] * size + place[j]];
    }
  };
  /// Whether compliance() is no more than that, so that compliances() may be asked for: no ties, no
  /// conjugate gradients, and what is in use all free and elastic.
  bool has_compliances() const {
    return ties.empty() && !multigrid && !in_use_are_many && !in_use.empty() &&
           place_in_inverse.size() == in_use.size();
  }
  /// See above.
  Compliances compliances();
  /// Whether conjugate gradients have taken the place of the factor.
  bool is_iterative() const { return multigrid != nullptr; }
  /// Entries that the factor has, or would have.
  double fill() const { return n_entries; }
  /// Whether compliance() may be asked for.
  bool has_interface() const { return !in_use_are_many; }

  /// Number of degrees of freedom.
  unsigned int size() const { return static_cast<unsigned int>(is_prescribed.size()); }
  /// Whether a degree of freedom is not prescribed.
  bool is_free(unsigned int dof) const { return !is_prescribed[dof]; }
  /// Call visit(j, value) for the entries of the row i of Â; prescribed degrees of freedom have the
  /// row of a unit matrix.
  template <typename Visit>
  void for_row(unsigned int i, const Visit &visit) {
    if (is_prescribed[i])
      return visit(i, 1.);
    if (i >= pattern.n_coupled) {
      const unsigned int own = i - pattern.n_coupled, d = uncoupled.block_size();
      for (unsigned int j = d * uncoupled.block(own); j < d * (uncoupled.block(own) + 1); ++j)
        if (!uncoupled.is_fixed(j))
          visit(pattern.n_coupled + j, uncoupled(own, j));
      return;
    }
    const SparseRow entries = row(pattern.matrix, i);
    for (int k = 0; k < entries.size; ++k)
      if (const auto j = static_cast<unsigned int>(entries.column[k]); factor.place(j) >= 0)
        visit(j, factor.values()[static_cast<unsigned int>(factor.index(i, j))]);
  }

  /// Whether the i-th degree of freedom in use is in a small block, and not tied to others.
  bool is_uncoupled(unsigned int i) const {
    return is_in_block(i) && !std::binary_search(tied.begin(), tied.end(), in_use[i]);
  }
  /// Which degree of freedom the i-th in use is in blocks().
  unsigned int place_in_blocks(unsigned int i) const { return in_use[i] - pattern.n_coupled; }

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
  void start_iteratively(double *x);
  void finish_iteratively(double *x);
  void add_force_iteratively(const std::vector<double> &force);
  double compliance_by_iterations(unsigned int i, unsigned int j);

  Pattern pattern;
  std::vector<bool> is_prescribed;
  std::vector<unsigned int> interface;
  std::vector<unsigned int> sequence; ///< of elimination, but for the interface, if that changes
  Cholesky factor;
  BlockDiagonal uncoupled;
  /// Entries that couple a prescribed column to a free row, as place in the order of elimination
  /// (without a factor, as degree of freedom) and value, for each prescribed degree of freedom.
  std::vector<std::vector<std::pair<unsigned int, double>>> coupling;
  unsigned long factors = 0, coupled_factors = 0;
  bool is_made = false; ///< whether the pattern has been analysed

  std::vector<unsigned int> in_use; ///< of contacts, then of ties
  std::vector<int> number_in_use;   ///< of each in the interface; −1: prescribed or uncoupled
  std::vector<unsigned int> place_in_inverse; ///< of each, if none is prescribed or uncoupled
  std::vector<int> interface_number;          ///< of each degree of freedom; −1: not in it
  std::vector<double> inverse;  ///< Â⁻¹ of the interface, or of those in use, columns
  std::size_t inverse_size = 0; ///< rows of it
  unsigned long inverted = 0;   ///< the coupled factors that it is of
  bool in_use_are_many = false;
  std::vector<double> interface_work, uncoupled_solution, forward_solution;
  std::vector<unsigned int> tied; ///< degrees of freedom of ties
  Ties ties;

  double n_entries = 0;
  std::unique_ptr<Multigrid> multigrid; ///< in place of the factor
  std::vector<double> right_side, elastic_force, elastic_solution;
  double solution_norm = 0;                 ///< ‖x‖ in Â of what start() has found
  std::vector<std::vector<double>> columns; ///< of Â⁻¹ between may_touch, where asked for
};

} // namespace percussion
