#pragma once

#include <percussion/cone/problem.h>

#include <array>
#include <cmath>
#include <limits>

/**
 * What one contact by itself knows of Coulomb's law. The solvers are written for any dimension d;
 * solve_one_contact() and reduce() are what they need for each d, and exist for d = 2.
 */
namespace percussion::local {

template <int d>
using Vector = std::array<double, d>; ///< normal component first
template <int d>
using Block = std::array<Vector<d>, d>; ///< block[row][column]
template <int d>
using Direction = std::array<double, d - 1>; ///< unit vector of the tangent plane

/// The diagonal block W_ii of a Delassus operator, seen as velocity of contact i per percussion.
template <int d>
Block<d> diagonal_block(const FrictionContactProblem &problem, std::size_t i) {
  const std::size_t n = d * problem.n_contacts;
  Block<d> block;
  for (std::size_t row = 0; row < d; ++row)
    for (std::size_t column = 0; column < d; ++column)
      block[row][column] = problem.W[(d * i + row) * n + d * i + column];
  return block;
}

/// A status and, where it is slip, the direction of the tangential percussion.
template <int d>
struct LocalStatus {
  ContactStatus status = ContactStatus::open;
  Direction<d> direction{};

  bool operator==(const LocalStatus &other) const {
    return status == other.status && direction == other.direction;
  }
};

/// The status slip along ±t; t = 0 leaves the choice free. In 2D the direction is exactly ±1.
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
  return {ContactStatus::slip, t};
}

/**
 * The status that the augmented percussion p − ρ u shows (Alart & Curnier 1991): open where
 * p_N − ρ_N u_N ≤ 0, else stick where ‖p_T − ρ_T u_T‖ ≤ μ (p_N − ρ_N u_N), else slip along
 * p_T − ρ_T u_T. At a solution this is its status for every ρ > 0; away from it ρ = 1 / diagonal of
 * W_ii weighs percussion against velocity. Without friction a closed contact slips.
 */
template <int d>
LocalStatus<d> local_status(const double *p, const double *u, double mu, const Block<d> &W_ii) {
  double trace_tangential = 0.;
  for (std::size_t k = 1; k < d; ++k)
    trace_tangential += W_ii[k][k];
  const double rho_normal = W_ii[0][0] > 0. ? 1. / W_ii[0][0] : 1.;
  const double rho_tangential = trace_tangential > 0. ? (d - 1) / trace_tangential : rho_normal;

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
    return {ContactStatus::stick, {}};
  return slip_along<d>(tangential);
}

/**
 * The exact solution p of the problem of one contact: u = W p + q, 0 ∈ u + μ‖u_T‖ n + N_K(p).
 * Where friction couples so strongly that it has several, take-off goes before stick before slip.
 * An operator that has no solution (W_NN = 0 and q_N < 0) returns zero.
 */
template <int d>
Vector<d> solve_one_contact(const Block<d> &W, const Vector<d> &q, double mu);

/**
 * What a status leaves unknown of a contact. The percussion is Σ_c basis[c] z_c, and the equations
 * for z are that the first `size` components of the velocity vanish:
 *
 *     open   p = 0           0 unknowns
 *     stick  u = 0           d unknowns
 *     slip   p = (1, ±μ) z   1 unknown,  u_N = 0    (2D)
 */
template <int d>
struct Reduction {
  std::size_t size = 0;
  std::array<Vector<d>, d> basis{};
};

template <int d>
Reduction<d> reduce(const LocalStatus<d> &local, double mu);

template <>
inline Vector<2> solve_one_contact<2>(const Block<2> &W, const Vector<2> &q, double mu) {
  if (q[0] >= 0.)
    return {0., 0.};

  const double determinant = W[0][0] * W[1][1] - W[0][1] * W[1][0];
  if (mu > 0. && determinant > std::numeric_limits<double>::epsilon() * W[0][0] * W[1][1]) {
    const Vector<2> p{(W[0][1] * q[1] - W[1][1] * q[0]) / determinant,
                      (W[1][0] * q[0] - W[0][0] * q[1]) / determinant};
    if (std::abs(p[1]) <= mu * p[0])
      return p;
  }

  // Slip along s wants s u_T ≤ 0. Between stick and slip round-off can deny both: take the nearer.
  Vector<2> slip{0., 0.};
  double least = std::numeric_limits<double>::infinity();
  for (const double s : {1., -1.}) {
    const double stiffness = W[0][0] + s * mu * W[0][1];
    if (stiffness <= 0.)
      continue;
    const double p_normal = -q[0] / stiffness;
    const double s_u_tangential = s * q[1] + (s * W[1][0] + mu * W[1][1]) * p_normal;
    if (s_u_tangential < least) {
      least = s_u_tangential;
      slip = {p_normal, s * mu * p_normal};
    }
  }
  return slip;
}

template <>
inline Reduction<2> reduce<2>(const LocalStatus<2> &local, double mu) {
  switch (local.status) {
  case ContactStatus::stick:
    return {2, {{{1., 0.}, {0., 1.}}}};
  case ContactStatus::slip:
    return {1, {{{1., local.direction[0] * mu}, {}}}};
  case ContactStatus::open:
    break;
  }
  return {};
}

} // namespace percussion::local
