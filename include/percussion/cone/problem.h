#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace percussion {

/// A matrix of square blocks of which most vanish. The blocks of block row i are numbers
/// row_start[i] to row_start[i + 1] − 1: where each stands is told by `column`, in ascending order,
/// and its d × d entries, row by row, by `value`.
struct BlockSparseMatrix {
  std::vector<std::size_t> row_start, column;
  std::vector<double> value;
};

/// A sparse matrix by compressed rows, columns ascending.
struct CompressedRows {
  std::size_t n_rows = 0, n_columns = 0;
  std::vector<std::size_t> row_start, column;
  std::vector<double> value;
};

/// The transpose, with ascending columns even if those of `matrix` do not ascend.
CompressedRows transposed(const CompressedRows &matrix);

/// The reduced frictional contact problem (AC24 (91), (96) and (101)): find the percussions p with
///
///     u = W p + q ,     0 ∈ u + μ‖u_T‖ n + N_K(p) ,     K = Π { ‖p_T‖ ≤ μ p_N } .
///
/// With n_c contacts in dimension d all vectors are of length d n_c, contact by contact, the normal
/// component first. Units: [p] impulse, [u] = [q] velocity, [W] velocity per impulse.
///
/// AC24 = Acary & Collins-Craft 2024.
struct FrictionContactProblem {
  unsigned int dimension = 2;
  std::size_t n_contacts = 0;
  /// Delassus operator, semidefinite and symmetric (in 2D nearly will do): dense, row by row; or,
  /// where W is empty, by blocks of a contact against a contact.
  std::vector<double> W;
  BlockSparseMatrix blocks;
  std::vector<double> q;  ///< velocities without percussion, the impact law's offset included
  std::vector<double> mu; ///< friction coefficients, one a contact

  /// Names the values of W and mu: take a new number whenever either changes, so that a solver can
  /// keep what it made of them. 0 means unknown: nothing is kept.
  unsigned long version = 0;
};

/// The global frictional contact problem: find velocities v and percussions p with
///
///     M v = H p + q ,     u = Hᵀ v + b ,     0 ∈ u + μ‖u_T‖ n + N_K(p) .
///
/// M: n × n, symmetric, definite; H: n × d n_c; q of length n [impulse]; b of length d n_c
/// [velocity]. Elimination of v gives the reduced problem with W = Hᵀ M⁻¹ H and Hᵀ M⁻¹ q + b for
/// its q. Here H maps percussions to impulses; the H of a time step (AC24 (61)) is its transpose.
struct GlobalFrictionContactProblem {
  unsigned int dimension = 2;
  std::size_t n_contacts = 0;
  CompressedRows M, H;
  std::vector<double> q, b, mu;
};

/// What a contact does in a solution.
enum class ContactStatus : signed char { open = 0, stick = 1, slip = 2 };

/// How a solution has ended.
enum class ConeOutcome {
  not_solved,     ///< nothing has been tried
  converged,      ///< the residual meets the tolerance
  stagnated,      ///< the method has nothing more to try
  out_of_sweeps,  ///< the limit of iterations
  out_of_time,    ///< the limit of time
  no_solution,    ///< the data deny one: a contact approaches that no percussion can stop
  not_applicable, ///< the method is not made for such a problem
};

/// What a solver returns and, on entry, its warm start. Buffers keep their memory between calls.
struct ConeSolution {
  std::vector<double> p;             ///< percussions
  std::vector<double> u;             ///< local velocities W p + q
  std::vector<ContactStatus> status; ///< one a contact; without friction a closed contact slips

  unsigned int iterations = 0; ///< Newton iterations and sweeps together
  double residual = std::numeric_limits<double>::infinity(); ///< natural_map_residual(problem, p)
  bool converged = false;                                    ///< residual ≤ tolerance
  ConeOutcome outcome = ConeOutcome::not_solved;
  std::string_view method = "none"; ///< what produced p; ConeSolver tells which there are
};

/// Of a global problem: the velocities too.
struct GlobalConeSolution : ConeSolution {
  std::vector<double> v;
};

} // namespace percussion
