#pragma once

#include <percussion/algebra/linear_solver.h>
#include <percussion/algebra/partition.h>
#include <percussion/algebra/precision.h>
#include <percussion/algebra/sparse_matrix.h>

#include <functional>
#include <vector>

namespace percussion {

/// Values of a matrix: `constant` ones have few factorisations for many solutions, and (Â⁻¹) of the
/// interface is stored.
enum class MatrixValues { constant, changing };

/// Solutions of a system: all found by it, or deferrable ones, see ContactSystem::defer().
enum class Solutions { immediate, deferrable };

/// Preconditioner of deferred solutions beside a factor, and of all solutions of a changing matrix
/// without one: the factor or multigrid, or the diagonal.
enum class Preconditioning { factor_or_multigrid, diagonal };

/// Choices for iterative solutions of a system.
struct IterationChoices {
  Preconditioning preconditioning = Preconditioning::factor_or_multigrid;
  Precision precision = Precision::full; ///< precision of iterations without a factor
};

/// Pattern of the matrix of a ContactSystem, and everything else that does not change with its
/// values.
struct SystemPattern {
  const SparseMatrix &matrix; ///< pattern of nonzero entries; its values are ignored
  unsigned int n_coupled;     ///< degrees of freedom from here on are in small blocks
  std::vector<unsigned int> prescribed;
  std::vector<unsigned int> may_touch; ///< degrees of freedom that contacts may act on
  MatrixValues values;
  unsigned int block_size = 1; ///< number of rows of a small block: 1 (a diagonal)
                               ///< or 3
  /// Solver of the coupled block; `automatic` requires a constant matrix.
  LinearSolver solver = LinearSolver::direct;
  /// For conjugate gradients: motions of the coupled degrees of freedom to which the matrix is
  /// softest, and the number of degrees of freedom of a node.
  std::function<std::vector<std::vector<double>>()> modes = {};
  unsigned int node_size = 1;
  Solutions solutions = Solutions::immediate;
  IterationChoices iterations = {};
  /// Order of elimination of the coupled degrees of freedom, shared with other systems. Called if
  /// there are many unknowns; if it is empty, this system computes its own order.
  std::function<const std::vector<unsigned int> &()> order = {};
  /// Degree of freedom of each entry of the trace; empty: entries are degrees of freedom.
  std::vector<unsigned int> trace = {};
  /// True for each prescribed degree of freedom; set by ContactSystem.
  std::vector<bool> is_prescribed = {};
  /// Ranges of the elastic degrees of freedom; empty: every process computes all of them. A matrix
  /// that changes is divided only if the diagonal preconditions all solutions, without a factor.
  Partition partition = {};

  /// Returns the number of degrees of freedom.
  unsigned int size() const { return static_cast<unsigned int>(is_prescribed.size()); }
  bool is_constant() const { return values == MatrixValues::constant; }
  bool may_defer() const { return solutions == Solutions::deferrable; }
  bool takes_diagonal() const { return iterations.preconditioning == Preconditioning::diagonal; }
  /// True for the unknowns of elastic bodies.
  bool is_elastic(unsigned int dof) const { return dof < n_coupled && !is_prescribed[dof]; }
  /// Returns the free degrees of freedom of elastic bodies, in ascending order.
  std::vector<unsigned int> unknowns() const;
  /// Returns the degrees of freedom of elastic bodies in the trace.
  std::vector<unsigned int> elastic_trace() const;
  /// Completes this pattern: sets `is_prescribed` and an empty `partition`, and keeps the unknowns
  /// among `may_touch`.
  void complete();
};

} // namespace percussion
