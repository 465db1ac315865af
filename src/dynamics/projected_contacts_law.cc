// Law of projected contacts: statuses, residual and line search.

#include <percussion/cone/residual.h>

#include "projected_contacts.h"
#include <algorithm>
#include <cmath>

namespace percussion {

/// Returns the status of the augmented percussion P − ρ û (Alart & Curnier 1991).
AssumedStatus ProjectedContacts::status_of(std::size_t i) const {
  const Components &P = state.contacts.percussion[i], &u = state.contacts.velocity[i];
  const double rho = equations.rho(i), normal = P[0] - rho * u[0];
  if (!(normal > 0.))
    return {};
  Components s{};
  for (unsigned int r = 1; r < variables.contacts[i].n_rows; ++r)
    s[r] = P[r] - rho * u[r];
  const double length = tangential_norm(s);
  if (mu[i] <= 0.)
    return {ContactStatus::slip, {}, 0.};
  constexpr double rounding = 1e-13;
  if (length <= mu[i] * normal * (1. + rounding))
    return {ContactStatus::stick, {}, 0.};
  return {ContactStatus::slip,
          {s[1] / length, s[2] / length},
          std::min(1., std::max(0., mu[i] * P[0] / length))};
}

/// Updates the statuses. A contact whose slip would reverse sticks first.
ProjectedContacts::Change ProjectedContacts::update_statuses() {
  Change change;
  for (std::size_t i = 0; i < assumed.size(); ++i) {
    AssumedStatus next = status_of(i);
    const auto &d = assumed[i].direction;
    if (next.status == ContactStatus::slip &&
        next.direction[0] * d[0] + next.direction[1] * d[1] < 0.)
      next = {ContactStatus::stick, {}, 0.};
    if (next.status != assumed[i].status)
      ++change.n_statuses;
    else
      change.turn = std::max(change.turn, std::hypot(next.direction[0] - assumed[i].direction[0],
                                                     next.direction[1] - assumed[i].direction[1]));
    assumed[i] = next;
  }
  return change;
}

/// Returns the square of the natural map of a contact, in velocities: with P/ρ as percussion.
double ProjectedContacts::natural_map_squared(std::size_t i) const {
  Components p = state.contacts.percussion[i];
  const Components &u = state.contacts.velocity[i];
  for (double &component : p)
    component /= equations.rho(i);
  Components map = p;
  map[0] -= u[0] + mu[i] * tangential_norm(u);
  for (unsigned int r = 1; r < 3; ++r)
    map[r] -= u[r];
  project_on_coulomb_cone(mu[i], 3, map.data());
  double square = 0;
  for (unsigned int r = 0; r < 3; ++r)
    square += (p[r] - map[r]) * (p[r] - map[r]);
  return square;
}

/// Computes percussions, statuses and the residual of the law under the assumed statuses,
///
///     ‖P/ρ − P_K(P/ρ − (û + μ‖û_T‖ n))‖ / (max |q| + ‖q‖)
///
/// with the free velocities q ≈ û − P/ρ, estimated with the compliance 1/ρ of each node.
void ProjectedContacts::evaluate_law() {
  const std::size_t n = variables.contacts.size();
  result.p.assign(variables.dim * n, 0.);
  result.velocity.assign(variables.dim * n, 0.);
  result.status.assign(n, ContactStatus::open);
  double square = 0, size = 0, largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Components &P = state.contacts.percussion[i];
    const Components &u = state.contacts.velocity[i];
    result.status[i] = assumed[i].status;
    for (unsigned int r = 0; r < 3; ++r)
      if (!equations.is_transferred(i, r))
        P[r] = 0.;
    variables.add_to_rows(i, P, result.p);
    variables.add_to_rows(i, u, result.velocity);
    square += natural_map_squared(i);
    for (unsigned int r = 0; r < 3; ++r) {
      const double q = u[r] - P[r] / equations.rho(i);
      size += q * q;
      largest = std::max(largest, std::abs(q));
    }
  }
  result.velocity_scale = largest + std::sqrt(size);
  result.residual = std::sqrt(square) / (result.velocity_scale > 0. ? result.velocity_scale : 1.);
}

/// Returns the energy of the residuals of law and balance.
double ProjectedContacts::merit() const {
  double sum = equations.energy_of_imbalance(state);
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    sum += equations.rho(i) * natural_map_squared(i);
  return sum;
}

/// Replaces the last change of the state by the fraction of it with the smallest merit.
void ProjectedContacts::search(const ProjectedState &old) {
  const ProjectedState whole = state;
  double best = merit(), best_fraction = 1;
  const auto move = [&](double fraction) {
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] = old.x[i] + fraction * (whole.x[i] - old.x[i]);
      state.residual[i] = old.residual[i] + fraction * (whole.residual[i] - old.residual[i]);
    }
    equations.evaluate(state);
  };
  for (const double fraction : {0.5, 0.25, 0.125, 0.0625}) {
    move(fraction);
    if (const double value = merit(); value < best) {
      best = value;
      best_fraction = fraction;
    }
  }
  if (best_fraction == 1.) {
    state = whole;
  } else {
    move(best_fraction);
    imbalance = 1. - best_fraction;
  }
}

} // namespace percussion
