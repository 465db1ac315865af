// Law of contacts between bodies that bonds, ties or viscous resistance join.

#pragma once

#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/reaction.h>

#include "joined_bodies.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {

/// Percussions of joints, constant − S u, and velocities given by ties.
struct JointEquations {
  std::vector<double> constant;       ///< for all rows [impulse]
  std::vector<double> tie_velocities; ///< velocities that ties give to their rows
  std::vector<Joint> joints;

  explicit JointEquations(std::size_t n_rows) : constant(n_rows, 0.), tie_velocities(n_rows, 0.) {}
};

/// Returns M x, with M row by row.
inline std::vector<double> product(const std::vector<double> &M, const std::vector<double> &x) {
  const std::size_t n = x.size();
  std::vector<double> y(n);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c)
      y[r] += M[r * n + c] * x[c];
  return y;
}

inline void add(const std::vector<double> &x, std::vector<double> &sum) {
  for (std::size_t r = 0; r < x.size(); ++r)
    sum[r] += x[r];
}

inline double largest_of(const std::vector<double> &x) {
  double largest = 0;
  for (const double value : x)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// Solves the law of contacts for the response of joined bodies.
template <int dim>
class JoinedContacts {
public:
  explicit JoinedContacts(double factor) : percussion_factor(factor) {}

  /// Stores the response of the bodies without joints, with the velocities u under the applied
  /// percussions. Fails if there is no dense response.
  std::optional<Failure> start(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, const Reaction &reaction) {
    if (!system.has_interface())
      return Failure{"the degrees of freedom in contact are too many for bonds, ties and friction "
                     "that depends on the rate"};
    W = dense_delassus(law.H, dim, percussion_factor, system);
    normal_defect.assign(u.size(), 0.);
    free = u;
    const std::vector<double> response = product(W, reaction.total_percussions());
    for (std::size_t r = 0; r < u.size(); ++r)
      free[r] -= response[r];
    return {};
  }

  /// Solves the law by a solver; the reaction has its percussions. Writes the velocities of all
  /// rows, and adds the percussions of ties.
  std::optional<Failure> solve(ReactionSolver<dim> &solver, PosedLaw<dim> law,
                               const JointEquations &equations, ContactSystem &system,
                               CorrectionStage stage, Reaction &reaction,
                               std::vector<double> &velocity, std::vector<double> &ties) {
    const std::size_t n = free.size();
    const auto bodies = JoinedBodies::make(W, dim, equations.joints);
    std::vector<double> compliance = bodies ? bodies->joined_W(W) : std::vector<double>();
    if (compliance.empty())
      return Failure{"the equations of bonds, ties or friction that depends on the rate have no "
                     "solution to round-off; take a smaller Time/Step"};
    for (std::size_t k = 0; k < n * n; ++k)
      compliance[k] -= W[k];
    open_ties(equations.joints, compliance, reaction);
    std::vector<double> free_response = free, no_ties(n, 0.);
    add(normal_defect, free_response);
    add(product(W, equations.constant), free_response);
    // The solver of contacts subtracts W p with the W of the bodies, and adds the joined response
    // to other percussions. So round-off in the joined response of stiff joints, which share
    // forces, matters for the change of percussions only.
    std::vector<double> u = free_response, change_of_response = product(compliance, reaction.p);
    add(product(W, reaction.p), u);
    if (!bodies->join(equations.tie_velocities, u, no_ties))
      return Failure{"a velocity of joined contacts is not finite"};
    for (std::size_t r = 0; r < n; ++r)
      u[r] -= change_of_response[r];
    law.compliance = {{}, std::move(compliance)};
    auto failure = solver.solve(law, u, system, stage, reaction);
    for (const Joint &joint : equations.joints)
      for (std::size_t row = joint.row; row < joint.row + dim && joint.is_tie; ++row)
        reaction.offset[row] = reaction.p[row] = 0.;
    if (failure)
      return failure;
    velocity = free_response;
    add(product(W, reaction.p), velocity);
    if (!bodies->join(equations.tie_velocities, velocity, ties))
      return Failure{"a velocity of joined contacts is not finite"};
    return {};
  }

  /// Adds what round-off in the response of stiff joints has left out of the normal velocities u,
  /// under these percussions, to the next solutions.
  void correct_normal(const std::vector<double> &percussions, const std::vector<double> &u) {
    const std::vector<double> exact = velocities(percussions);
    for (std::size_t row = 0; row < u.size(); row += dim)
      normal_defect[row] += exact[row] - u[row];
  }

  /// Returns an entry of the response without joints.
  double response(std::size_t row, std::size_t column) const {
    return W[row * free.size() + column];
  }
  /// Returns the velocities of all rows under these percussions.
  std::vector<double> velocities(const std::vector<double> &percussions) const {
    std::vector<double> u = product(W, percussions);
    add(free, u);
    return u;
  }
  /// Adds the response to a percussion in one row.
  void add_response(std::size_t row, double percussion, std::vector<double> &u) const {
    for (std::size_t r = 0; r < u.size(); ++r)
      u[r] += W[r * free.size() + row] * percussion;
  }

private:
  /// Opens the law of tied contacts, whose percussions would not move them, by compliances and
  /// offsets.
  void open_ties(const std::vector<Joint> &joints, std::vector<double> &compliance,
                 Reaction &reaction) const {
    const double response = largest_of(W), speed = largest_of(free);
    const std::size_t n = free.size();
    for (const Joint &joint : joints) {
      for (std::size_t row = joint.row; row < joint.row + dim && joint.is_tie; ++row)
        compliance[row * n + row] += response;
      if (joint.is_tie)
        reaction.offset[joint.row] = speed > 0. ? speed : 1.;
    }
  }

  double percussion_factor;
  std::vector<double> W;    ///< response of the bodies without joints
  std::vector<double> free; ///< velocities without percussions
  /// Normal velocities that solutions lack by round-off; zero in other rows.
  std::vector<double> normal_defect;
};

} // namespace percussion
