#pragma once

#include <percussion/balance/body_state.h>
#include <percussion/balance/interval.h>

#include <vector>

namespace percussion {

/// Forces of contacts on the trace in an iterate.
struct ContactForces {
  std::vector<unsigned int> entries; ///< entries of the trace on which contacts act, ascending
  std::vector<unsigned int> dofs;    ///< their degrees of freedom
  std::vector<double> applied;       ///< forces θ Hᵀ p on them that v_θ contains
};

/// Velocity v_θ of an interval with its residual, which corrections improve.
struct Iterate {
  const BodyState *start = nullptr;    ///< state at the beginning of the interval
  const Vector *force_theta = nullptr; ///< force F_θ
  Interval interval{};                 ///< interval of the balance
  Vector v_theta, minus_residual;      ///< velocity v_θ, and −θ r(v_θ) without contact forces
  double fraction = 1;                 ///< fraction of the last correction that v_θ contains
  bool replaces_velocity = false;      ///< true if the next correction is all of v_θ
  std::vector<double> prescribed;      ///< velocities that the next correction must prescribe
  ContactForces contact_forces;        ///< forces of contacts
  std::vector<double> residuals;       ///< norm of the residual after each correction, relative
                                       ///< to the largest term; empty if one is the solution
};

/// State of the contacts in a correction.
struct ContactProgress {
  bool converged = true;     ///< true if the percussions satisfy the law
  bool have_new_law = false; ///< true if this correction is the first with raised restitutions
  /// True if the percussions of the correction before did not satisfy the law to its tolerance, or
  /// with other statuses: combinations with earlier corrections do not satisfy it.
  bool are_first_exact = false;
};

} // namespace percussion
