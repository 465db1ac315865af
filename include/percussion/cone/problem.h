#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace percussion {

/**
 * The reduced frictional contact problem (AC24 (91), (96) and (101)): find the percussions p with
 *
 *     u = W p + q ,     0 ∈ u + μ‖u_T‖ n + N_K(p) ,     K = Π { ‖p_T‖ ≤ μ p_N } .
 *
 * With n_c contacts in dimension d all vectors are of length d n_c, contact by contact, the normal
 * component first. Units: [p] impulse, [u] = [q] velocity, [W] velocity per impulse.
 *
 * AC24 = Acary & Collins-Craft 2024.
 */
struct FrictionContactProblem {
  unsigned int dimension = 2;
  std::size_t n_contacts = 0;
  std::vector<double> W;  ///< Delassus operator: symmetric, semidefinite, dense, row by row
  std::vector<double> q;  ///< velocities without percussion, the impact law's offset included
  std::vector<double> mu; ///< friction coefficients, one a contact

  /// Names the values of W and mu: take a new number whenever either changes, so that a solver can
  /// keep what it made of them. 0 means unknown: nothing is kept.
  unsigned long version = 0;
};

enum class ContactStatus : signed char { open = 0, stick = 1, slip = 2 };

/// What a solver returns and, on entry, its warm start. Buffers keep their memory between calls.
struct ConeSolution {
  std::vector<double> p;             ///< percussions
  std::vector<double> u;             ///< local velocities W p + q
  std::vector<ContactStatus> status; ///< one a contact; without friction a closed contact slips

  unsigned int iterations = 0; ///< Newton iterations and Gauss–Seidel sweeps together
  double residual = std::numeric_limits<double>::infinity(); ///< natural_map_residual(problem, p)
  bool converged = false;                                    ///< residual ≤ tolerance
  std::string_view method = "none"; ///< what produced p; ConeSolver tells which there are
};

} // namespace percussion
