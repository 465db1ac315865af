#pragma once

#include <percussion/base/compressed_rows.h>
#include <percussion/base/contact_status.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace percussion {

/// Block-sparse matrix of square d × d blocks. Block row i holds the blocks row_start[i] to
/// row_start[i + 1] − 1; `column` has their block columns in ascending order, `value` their
/// entries, row by row.
struct BlockSparseMatrix {
  std::vector<std::size_t> row_start, column;
  std::vector<double> value;
};

/// Factors of a 3D Delassus operator of bodies that are coupled by contacts only:
///
///     W = H M⁻¹ Hᵀ + diag(c) ,
///
/// with a mass M of six velocities for each body. If many contacts act on few bodies, there are
/// fewer velocities than rows of W, and W is singular.
struct ContactingBodies {
  std::size_t n_bodies = 0;
  std::vector<double> mass; ///< 6 × 6 for each body, row by row; need not be symmetric
  /// Contact i acts on the bodies body[row_start[i]] to body[row_start[i + 1] − 1].
  std::vector<std::size_t> row_start, body;
  std::vector<double> rows;       ///< blocks of H: 3 × 6 for each entry of `body`, row by row
  std::vector<double> compliance; ///< c of each row of W
};

/// Reduced frictional contact problem (AC24 (91), (96) and (101)): find the percussions p with
///
///     u = W p + q ,     0 ∈ u + μ‖u_T‖ n + N_K(p) ,     K = Π { ‖p_T‖ ≤ μ p_N } .
///
/// With n_c contacts in dimension d, all vectors have length d n_c: contact by contact, the normal
/// component first. Units: [p] impulse, [u] = [q] velocity, [W] velocity per impulse.
///
/// AC24 = Acary & Collins-Craft 2024.
struct FrictionContactProblem {
  unsigned int dimension = 2;
  std::size_t n_contacts = 0;
  /// Delassus operator: dense, row by row, or, if W is empty, by blocks (contact against contact).
  /// No diagonal entry is negative. It need not be symmetric, nor regular; if W + Wᵀ is not
  /// semidefinite there may be no solution, or several.
  std::vector<double> W;
  BlockSparseMatrix blocks;
  /// In 3D, the same W by its bodies, if they are known; otherwise empty. Solvers then factorise in
  /// the space of the bodies.
  ContactingBodies bodies;
  std::vector<double> q; ///< velocities without percussions, including the offset of the impact law
  std::vector<double> mu; ///< friction coefficients, one per contact

  /// Number that identifies the values of W and mu: use a new number whenever either changes.
  /// Solvers reuse factors as long as the number stays the same; with 0 (unknown) they reuse none.
  unsigned long version = 0;
};

/// Global frictional contact problem: find velocities v and percussions p with
///
///     M v = H p + q ,     u = Hᵀ v + b ,     0 ∈ u + μ‖u_T‖ n + N_K(p) .
///
/// M: n × n, regular; H: n × d n_c; q of length n [impulse]; b of length d n_c [velocity].
/// Eliminating v yields the reduced problem with W = Hᵀ M⁻¹ H, and Hᵀ M⁻¹ q + b for its q. Here H
/// maps percussions to impulses; the H of a time step (AC24 (61)) is its transpose.
struct GlobalFrictionContactProblem {
  unsigned int dimension = 2;
  std::size_t n_contacts = 0;
  CompressedRows M, H;
  std::vector<double> q, b, mu;
};

/// Reason for the end of a solution.
enum class ConeOutcome {
  not_solved,     ///< no method has run
  converged,      ///< the residual meets the tolerance
  stagnated,      ///< the method makes no further progress
  out_of_sweeps,  ///< iteration limit reached
  out_of_time,    ///< time limit reached
  no_solution,    ///< none exists: no percussions can stop contacts that approach
  not_applicable, ///< the method does not handle this kind of problem
};

/// Result of a solver and, on entry, its warm start. Buffers are reused between calls.
struct ConeSolution {
  std::vector<double> p;             ///< percussions
  std::vector<double> u;             ///< local velocities W p + q
  std::vector<ContactStatus> status; ///< one per contact; without friction a closed contact slips

  unsigned int iterations = 0;                               ///< Newton iterations plus sweeps
  double residual = std::numeric_limits<double>::infinity(); ///< natural_map_residual(problem, p)
  bool converged = false;                                    ///< residual ≤ tolerance
  ConeOutcome outcome = ConeOutcome::not_solved;
  std::string_view method = "none"; ///< method that produced p, see ConeSolver
  std::vector<std::string> record;  ///< one line for each method tried, if ConeOptions::record
};

/// Solution of a global problem, including the velocities.
struct GlobalConeSolution : ConeSolution {
  std::vector<double> v;
};

} // namespace percussion
