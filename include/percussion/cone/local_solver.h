#pragma once

#include <percussion/cone/problem.h>

#include <algorithm>
#include <array>
#include <cmath>

/// Coulomb's law of a single contact in dimension d = 2 or 3. W_ii is the diagonal block of the
/// Delassus operator: velocity of contact i per percussion.
namespace percussion::local {

template <int d>
using Vector = std::array<double, d>; ///< normal component first
template <int d>
using Block = std::array<Vector<d>, d>; ///< block[row][column]
template <int d>
using Direction = std::array<double, d - 1>; ///< unit vector in the tangent plane

/// Status and, for slip, direction of the tangential percussion.
template <int d>
struct LocalStatus {
  ContactStatus status = ContactStatus::open;
  Direction<d> direction{}; ///< unit vector along p_T; zero unless the contact slips
  /// Fraction κ = μ p_N / ‖s‖ of percussion in s = p_T − ρ_T u_T, which has this direction; between
  /// 0 and 1. It enters the linearised slip direction in 3D and is unused in 2D.
  double weight = 0.;

  /// Compares bitwise.
  bool operator==(const LocalStatus &second) const {
    return status == second.status && direction == second.direction && weight == second.weight;
  }
};

/// Returns true if two statuses are equal up to changes of the direction so small that their
/// square, the error of Newton's next iteration, is below round-off.
template <int d>
bool alike(const LocalStatus<d> &a, const LocalStatus<d> &b) {
  constexpr double small_turn = 1e-8;
  double square = 0.;
  for (std::size_t k = 0; k + 1 < d; ++k)
    square += (a.direction[k] - b.direction[k]) * (a.direction[k] - b.direction[k]);
  return a.status == b.status && square <= small_turn * small_turn;
}

/// Returns slip along t, normalised; in an arbitrary direction if t = 0. In 2D the direction is
/// exactly ±1.
template <int d>
LocalStatus<d> slip_along(Direction<d> t) {
  double square = 0.;
  for (const double component : t)
    square += component * component;
  const double length = d == 2 ? std::abs(t[0]) : std::sqrt(square);
  if (length > 0.)
    for (double &component : t)
      component /= length;
  else
    t = {1.};
  return {ContactStatus::slip, t, 0.};
}

/// Returns the mean diagonal entry of the tangential block of W_ii, or the normal entry if the mean
/// is zero.
template <int d>
double tangential_diagonal(const Block<d> &W_ii) {
  double trace = 0.;
  for (std::size_t k = 1; k < d; ++k)
    trace += W_ii[k][k];
  return trace > 0. ? trace / (d - 1) : W_ii[0][0] > 0. ? W_ii[0][0] : 1.;
}

/// Returns the status of the augmented percussion p − ρ u (Alart & Curnier 1991): open if p_N − ρ_N
/// u_N ≤ 0, else stick if ‖p_T − ρ_T u_T‖ ≤ μ (p_N − ρ_N u_N), else slip along p_T − ρ_T u_T. At a
/// solution the result is the same for every ρ > 0; elsewhere ρ = 1 / diagonal of W_ii weighs
/// percussion against velocity. Without friction a closed contact slips.
template <int d>
LocalStatus<d> local_status(const double *p, const double *u, double mu, const Block<d> &W_ii) {
  const double rho_normal = W_ii[0][0] > 0. ? 1. / W_ii[0][0] : 1.;
  const double rho_tangential = 1. / tangential_diagonal<d>(W_ii);

  const double normal = p[0] - rho_normal * u[0];
  if (normal <= 0.)
    return {};
  if (mu <= 0.)
    return slip_along<d>({});

  Direction<d> tangential;
  double square = 0.;
  for (std::size_t k = 1; k < d; ++k) {
    tangential[k - 1] = p[k] - rho_tangential * u[k];
    square += tangential[k - 1] * tangential[k - 1];
  }
  if (square <= mu * mu * normal * normal)
    return {ContactStatus::stick, {}, 0.};
  LocalStatus<d> slip = slip_along<d>(tangential);
  if (d > 2)
    slip.weight = std::min(1., std::max(0., mu * p[0] / std::sqrt(square)));
  return slip;
}

/// Returns a solution p, exact to round-off, of the problem of one contact: u = W p + q, 0 ∈ u +
/// μ‖u_T‖ n + N_K(p). If strong friction admits several, take-off is preferred to stick, and stick
/// to slip. Returns zero if there is none (W_NN = 0 and q_N < 0). A solution may be missed in one
/// case only: a W in 3D that is singular or not monotone, with a null vector inside the cone in the
/// direction of q; p is then finite and stops u_N. W need not be symmetric.
///
/// In 3D slip, u_T = −λ p_T with λ > 0, is the root of one scalar equation in λ (a quartic:
/// Bonnefon & Daviet 2011), found by Newton's method inside a bracket, which always contains one if
/// W is definite.
template <int d>
Vector<d> solve_one_contact(const Block<d> &W, const Vector<d> &q, double mu);

/// Solves by cases in 2D.
template <>
Vector<2> solve_one_contact<2>(const Block<2> &W, const Vector<2> &q, double mu);
/// Solves by the scalar equation for slip in 3D.
template <>
Vector<3> solve_one_contact<3>(const Block<3> &W, const Vector<3> &q, double mu);

/// Free unknowns of a contact with a given status, and their equations. The percussion is Σ_c
/// basis[c] z_c, and z satisfies test[c] · u + shift[c] z_c = 0 with the velocity u:
///
///     open   p = 0                     0 unknowns
///     stick  u = 0                     d unknowns
///     slip   p = (1, μ t) z            1 unknown,  u_N = 0    (2D, t = ±1; without friction)
///            p = (1, μ t) z_0 + t⊥ z_1 2 unknowns, u_N = 0 and, with the direction of
///                                      s = p_T − ρ_T u_T linearised,
///                                      κ t⊥·u_T + (1 − κ) z_1 / ρ_T = 0    (3D)
///
/// Here t is the slip direction and κ the weight of LocalStatus, t⊥ is tangential and normal to t,
/// and 1/ρ_T is tangential_diagonal().
template <int d>
struct Reduction {
  std::size_t size = 0; ///< number of unknowns z
  std::array<Vector<d>, d> basis{}, test{};
  std::array<double, d> shift{};
};

/// Returns the unknowns and equations of a status, for given μ and W_ii.
template <int d>
Reduction<d> reduce(const LocalStatus<d> &local, double mu, const Block<d> &W_ii) {
  Reduction<d> reduction;
  if (local.status == ContactStatus::stick) {
    reduction.size = d;
    for (std::size_t k = 0; k < d; ++k)
      reduction.basis[k][k] = reduction.test[k][k] = 1.;
  } else if (local.status == ContactStatus::slip) {
    reduction.size = d == 2 || mu <= 0. ? 1 : 2;
    reduction.basis[0][0] = reduction.test[0][0] = 1.;
    for (std::size_t k = 1; k < d; ++k)
      reduction.basis[0][k] = mu * local.direction[k - 1];
    if (reduction.size == 2) {
      reduction.basis[1][d - 2] = -local.direction[d - 2];
      reduction.basis[1][d - 1] = local.direction[0];
      for (std::size_t k = 1; k < d; ++k)
        reduction.test[1][k] = local.weight * reduction.basis[1][k];
      reduction.shift[1] = (1. - local.weight) * tangential_diagonal<d>(W_ii);
    }
  }
  return reduction;
}

} // namespace percussion::local
