#include "finite_strain_momentum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

template <int dim>
FiniteStrainMomentum<dim>::FiniteStrainMomentum(const System<dim> &s, const StepChoices &choices,
                                                const std::vector<unsigned int> &contact_dofs)
    : bodies(s), theta(choices.theta),
      strains(s.elastic->space, s.elastic->material.thickness, *s.elastic->material.finite_strain),
      lu(s.operators.stiffness, s.motion.dofs(), contact_dofs) {
  for (Vector *work : {&q1, &force, &Mv_theta, &this->minus_residual})
    *work = make_vector(bodies.n_dofs());
  cell_tangent.resize(std::size_t(strains.dofs_per_cell()) * strains.dofs_per_cell());
  find_places();
}

template <int dim>
void FiniteStrainMomentum<dim>::find_places() {
  mass_values.assign(lu.values().size(), 0.);
  for (const auto &entry : bodies.operators.mass) {
    const auto row = static_cast<unsigned int>(entry.row());
    const auto column = static_cast<unsigned int>(entry.column());
    if (const int place = lu.index(row, column); place >= 0)
      mass_values[static_cast<unsigned int>(place)] = entry.value();
  }
  for (unsigned int cell = 0; cell < strains.n_cells(); ++cell)
    for (unsigned int i = 0; i < strains.dofs_per_cell(); ++i)
      for (unsigned int j = 0; j < strains.dofs_per_cell(); ++j)
        place_of_pair.push_back(lu.index(strains.dofs(cell)[i], strains.dofs(cell)[j]));
}

template <int dim>
void FiniteStrainMomentum<dim>::set_length(double length) {
  factor_is_stale = factor_is_stale || length != h;
  h = length;
}

template <int dim>
void FiniteStrainMomentum<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(bodies.n_dofs());
  bodies.operators.mass.vmult(state.Mv, state.v);
  state.kinetic = 0.5 * (state.v * state.Mv);
  state.strain = strains.strain_energy(state.q);
}

template <int dim>
Outcome FiniteStrainMomentum<dim>::predict(const State<dim> &state, const Vector &force_theta,
                                           const std::vector<double> &prescribed, FirstGuess guess,
                                           Vector &v_theta) {
  strains.begin_step(state.q);
  if (guess == FirstGuess::velocity)
    v_theta = state.v;
  else
    v_theta = 0.;
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    entries(v_theta)[bodies.motion.dofs()[i]] = prescribed[i];
  if (!evaluate(state, force_theta, v_theta))
    return Outcome::inverted;
  if (!factor_is_stale && guess == FirstGuess::velocity)
    return Outcome::fine;
  return refactor() ? Outcome::fine : Outcome::singular;
}

template <int dim>
bool FiniteStrainMomentum<dim>::evaluate(const State<dim> &state, const Vector &force_theta,
                                         const Vector &v_theta) {
  const double *const v = entries(v_theta), *const q0 = entries(state.q);
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    entries(q1)[i] = q0[i] + h * v[i];
  if (!strains.evaluate(q1, h, force))
    return false;
  bodies.operators.mass.vmult(Mv_theta, v_theta);
  const double *const Mv = entries(Mv_theta), *const Mv0 = entries(state.Mv);
  const double *const f = entries(force), *const F = entries(force_theta);
  double *const b = entries(this->minus_residual);
  momentum_square = momentum_change_square = internal_square = external_square = 0;
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i) {
    const double change = Mv[i] - Mv0[i], internal = h * theta * f[i], external = h * theta * F[i];
    b[i] = external - internal - change;
    if (!is_measured(i))
      continue;
    momentum_square += Mv[i] * Mv[i] + Mv0[i] * Mv0[i];
    momentum_change_square += change * change;
    internal_square += internal * internal;
    external_square += external * external;
  }
  return std::isfinite(momentum_change_square) && std::isfinite(internal_square);
}

/// Whether a degree of freedom counts in the norms of the balance. Rigid bodies' do not: their rows
/// are linear, met to round-off by every correction, and a heavy body's would hide the others.
template <int dim>
bool FiniteStrainMomentum<dim>::is_measured(unsigned int dof) const {
  return dof < bodies.n_elastic_dofs() && !bodies.motion.is_prescribed(dof);
}

template <int dim>
bool FiniteStrainMomentum<dim>::refactor() {
  std::vector<double> &A = lu.values();
  A = mass_values;
  auto place = place_of_pair.begin();
  for (unsigned int cell = 0; cell < strains.n_cells(); ++cell) {
    strains.cell_tangent(cell, h, cell_tangent.data());
    for (const double entry : cell_tangent) {
      if (*place >= 0)
        A[static_cast<unsigned int>(*place)] += h * h * theta * entry;
      ++place;
    }
  }
  ++this->version;
  factor_is_stale = !lu.refactor();
  return !factor_is_stale;
}

template <int dim>
void FiniteStrainMomentum<dim>::restore(const MomentumMemory &memory) {
  h = memory.length;
  factor_is_stale = memory.factor_is_stale;
  lu.restore(memory.tangent);
  ++this->version;
}

template <int dim>
typename Momentum<dim>::Residual
FiniteStrainMomentum<dim>::residual(const State<dim> &state,
                                    const std::vector<double> &contact_force,
                                    const Vector &v_theta) const {
  const double *const b = entries(this->minus_residual), *const v = entries(v_theta);
  double norm_square = 0, power = 0, contact_square = 0, speed_square = 0;
  double largest_q = 0, largest_v = 0;
  for (unsigned int i = 0; i < bodies.n_elastic_dofs(); ++i) {
    largest_q = std::max(largest_q, std::abs(entries(state.q)[i]));
    largest_v = std::max(largest_v, std::abs(v[i]));
    if (!is_measured(i))
      continue;
    const int c = lu.contact_index(i);
    const double p = c >= 0 ? contact_force[static_cast<unsigned int>(c)] : 0.;
    const double r = b[i] + p;
    norm_square += r * r;
    power += r * v[i];
    contact_square += p * p;
    speed_square += v[i] * v[i];
  }
  // Of each sum of the balance its largest term counts: displacements in the internal force, both
  // momenta in their difference.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double round_off =
      h * theta * strains.round_off(largest_q + h * largest_v) +
      4. * epsilon *
          (std::sqrt(momentum_square) + std::sqrt(external_square) + std::sqrt(contact_square));
  const double scale_square =
      std::max({momentum_change_square, internal_square, external_square, contact_square});
  // The signs of rounding errors are random: their power is that of the mean speed.
  return {std::sqrt(norm_square), std::sqrt(scale_square), round_off, power / theta,
          round_off * std::sqrt(speed_square / bodies.n_elastic_dofs()) / theta};
}

template <int dim>
void FiniteStrainMomentum<dim>::finish(State<dim> &state, const Vector &force_theta,
                                       const Vector &v_theta, const Vector &velocity_change,
                                       Works &works) {
  const double *const F = entries(force_theta), *const f = entries(force);
  this->reactions.clear();
  for (const unsigned int i : bodies.motion.dofs())
    this->reactions.push_back((entries(Mv_theta)[i] - entries(state.Mv)[i]) / theta +
                              h * (f[i] - F[i]));
  // ‖v1 − v0‖²_M from what v_θ has: M v_θ − M v0 = θ M (v1 − v0).
  double jumps = 0;
  if (theta != 0.5)
    for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
      jumps += entries(velocity_change)[i] * (entries(Mv_theta)[i] - entries(state.Mv)[i]) / theta;
  works.external += h * (v_theta * force_theta);
  works.numerical += (0.5 - theta) * jumps;
  works.viscous -= strains.dissipation();
  bodies.operators.mass.vmult(state.Mv, state.v);
  state.kinetic = 0.5 * (state.v * state.Mv);
  state.strain = strains.strain_energy(state.q);
}

template class FiniteStrainMomentum<2>;

} // namespace percussion
