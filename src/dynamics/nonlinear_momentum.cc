#include "nonlinear_momentum.h"

#include <percussion/algebra/paired_sums.h>
#include <percussion/algebra/semidefinite.h>
#include <percussion/body/free_rigid_motion.h>

#include "loose_bodies.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

/// Returns the free degrees of freedom of contacts on elastic bodies that prescribed motions do not
/// hold.
template <int dim>
std::vector<unsigned int> contact_dofs_of_loose_bodies(const System<dim> &system,
                                                       const std::vector<unsigned int> &contacts) {
  std::vector<bool> is_prescribed(system.n_dofs(), false);
  for (const unsigned int dof : system.motion.dofs())
    is_prescribed[dof] = true;
  std::vector<unsigned int> dofs;
  for (const auto &body : system.elastic)
    if (!free_rigid_motion(body->space, is_prescribed).empty())
      for (const unsigned int dof : contacts)
        if (!is_prescribed[dof] && dof >= body->space.first_dof &&
            dof < body->space.first_dof + body->n_dofs())
          dofs.push_back(dof);
  return dofs;
}

} // namespace

template <int dim>
NonlinearMomentum<dim>::NonlinearMomentum(const System<dim> &system,
                                          const StepChoices &step_choices,
                                          const Trace<dim> &contact_trace)
    : Momentum<dim>(system, step_choices, contact_trace), mass(system.operators.mass, dim == 2),
      links(system) {
  for (const auto &body : system.elastic) {
    group_begins.push_back(body->space.first_dof);
    group_sizes.push_back(body->n_dofs());
    stiffness_norms.push_back(0.);
    for (unsigned int m = 0; m < body->materials.list.size(); ++m)
      if (body->materials.list[m].finite_strain) {
        strains.emplace_back(*body, m);
        stiffness_norms.back() += strains.back().stiffness_norm();
      }
  }
  for (Vector *work :
       {&q1, &force, &Mv_theta, &deformation, &Kq1, &Cv_theta, &contact_force, &pressure_force})
    *work = make_vector(system.n_dofs());
  pressures.resize(system.pressures.size());
  if (!step_choices.has_inertia)
    loose_dofs = contact_dofs_of_loose_bodies(system, contact_trace.dofs());
  // Without links, rows of rigid bodies do not count in the norms of the balance: they are linear,
  // and every correction satisfies them to round-off.
  group_of.assign(system.n_dofs(), -1);
  for (std::size_t body = 0; body < system.elastic.size(); ++body)
    for (unsigned int i = 0; i < system.elastic[body]->n_dofs(); ++i)
      if (const unsigned int dof = system.elastic[body]->space.first_dof + i;
          !system.motion.is_prescribed(dof))
        group_of[dof] = static_cast<int>(body);
  for (std::size_t body = 0; system.operators.linear && body < system.elastic.size(); ++body)
    stiffness_norms[body] += norm_of_linear_cells(static_cast<int>(body));
  std::vector<double> arm(system.n_dofs(), 1.);
  std::vector<unsigned int> acted_on = contact_trace.dofs();
  if (!links.empty()) {
    measure_rigid_bodies(arm);
    acted_on.insert(acted_on.end(), links.dofs().begin(), links.dofs().end());
    std::sort(acted_on.begin(), acted_on.end());
    acted_on.erase(std::unique(acted_on.begin(), acted_on.end()), acted_on.end());
  }
  for (unsigned int i = 0; i < system.n_dofs(); ++i) {
    force_units.push_back(group_of[i] >= 0 ? 1. / arm[i] : 0.);
    speed_units.push_back(group_of[i] >= 0 ? arm[i] : 0.);
  }
  ContactSystem::Pattern pattern{
      system.operators.stiffness, system.n_elastic_dofs(), system.motion.dofs(), acted_on, false,
      dim == 3 ? 3u : 1u};
  pattern.order = [&]() -> const std::vector<unsigned int> & { return system.elimination_order(); };
  pattern.trace = contact_trace.dofs();
  this->contact_system = std::make_unique<ContactSystem>(std::move(pattern));
  this->contact_system->blocks().set(system.operators.mass, system.n_elastic_dofs());
}

/// Adds a group of all rigid bodies to the balance, because links couple them.
template <int dim>
void NonlinearMomentum<dim>::measure_rigid_bodies(std::vector<double> &arm) {
  const System<dim> &system = this->bodies;
  if (system.rigid.empty())
    return;
  const int group = static_cast<int>(group_sizes.size());
  group_begins.push_back(system.n_elastic_dofs());
  group_sizes.push_back(system.n_dofs() - system.n_elastic_dofs());
  stiffness_norms.push_back(0.);
  for (std::size_t body = 0; body < system.rigid.size(); ++body)
    for (unsigned int i = 0; i < RigidBody<dim>::n_dofs; ++i) {
      const unsigned int dof = system.rigid_dof(body) + i;
      if (!system.motion.is_prescribed(dof))
        group_of[dof] = group;
      if (i >= dim)
        arm[dof] = std::sqrt(system.operators.mass.diag_element(dof) / system.rigid[body].mass);
    }
}

/// Mixes the corrections; impulses of joints are mixed with the percussions.
template <int dim>
void NonlinearMomentum<dim>::mix(ContactProgress contacts, Vector &delta, std::vector<double> &p) {
  ++n_corrections;
  const auto &rows = links.rows();
  for (std::size_t r = 0, i = 0; r < rows.size(); ++r)
    if (std::isinf(rows[r].stiffness))
      joint_impulse[i++] -= this->contact_system->tie_forces()[r] / this->choices.theta;
  if (!contacts.converged || contacts.have_new_law)
    return mixing.clear();
  const std::size_t n_percussions = p.size();
  p.insert(p.end(), joint_impulse.begin(), joint_impulse.end());
  mixing.mix(this->v_theta, links.empty() ? this->bodies.n_elastic_dofs() : this->bodies.n_dofs(),
             delta, p);
  std::copy(p.begin() + static_cast<std::ptrdiff_t>(n_percussions), p.end(), joint_impulse.begin());
  p.resize(n_percussions);
}

/// Sets the contributions of links to Â, and the velocities that joints demand of the next
/// correction.
template <int dim>
void NonlinearMomentum<dim>::tie() {
  if (links.empty())
    return;
  const double h = this->length;
  std::vector<TieRow> ties;
  for (const LinkRow &row : links.rows())
    ties.push_back(
        {row.column, row.value,
         std::isinf(row.stiffness) ? 0. : 1. / (h * h * this->choices.theta * row.stiffness),
         -row.defect / h});
  this->contact_system->set_ties(links.dofs(), std::move(ties));
}

/// True if no joint is displaced by more than round-off, so that no joint has done work.
template <int dim>
bool NonlinearMomentum<dim>::joints_hold() const {
  return links.largest_defect() <= 16. * std::numeric_limits<double>::epsilon();
}

/// Returns the norm of the row sums of |K|.
template <int dim>
double NonlinearMomentum<dim>::norm_of_linear_cells(int body) const {
  return std::sqrt(sums<1>(q1, [&](unsigned int i, auto &sum) {
    if (group_of[i] != body)
      return;
    const SparseRow K = row(this->bodies.operators.stiffness, i);
    double absolute = 0;
    for (int k = 0; k < K.size; ++k)
      absolute += std::abs(K.value[k]);
    sum[0] += absolute * absolute;
  })[0]);
}

/// Locates the entries of all cells in Â: on one side of the diagonal, row by row.
template <int dim>
void NonlinearMomentum<dim>::relocate() {
  const Cholesky &factor = this->contact_system->cholesky();
  entry_positions.clear();
  for (const FiniteStrain<dim> &material : strains) {
    std::vector<int> of_material;
    for (unsigned int cell = 0; cell < material.n_cells(); ++cell)
      for (unsigned int i = 0; i < material.dofs_per_cell(); ++i)
        for (unsigned int j = i; j < material.dofs_per_cell(); ++j)
          of_material.push_back(factor.index(material.dofs(cell)[i], material.dofs(cell)[j]));
    entry_positions.push_back(std::move(of_material));
  }
  constant_values.clear();
}

template <int dim>
double NonlinearMomentum<dim>::strain_energy(State<dim> &state) {
  double energy = 0;
  for (const FiniteStrain<dim> &material : strains)
    energy += material.strain_energy(state.q);
  if (!links.empty())
    energy += links.energy(state.q);
  if (!this->bodies.operators.linear)
    return energy;
  this->bodies.deformation(state.q, deformation);
  multiply(this->bodies.operators.stiffness, deformation, state.Kq);
  return energy + 0.5 * dot(deformation, state.Kq);
}

template <int dim>
void NonlinearMomentum<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(this->bodies.n_dofs());
  state.Kq = make_vector(this->bodies.n_dofs());
  state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
  state.strain = strain_energy(state);
}

template <int dim>
std::optional<Failure> NonlinearMomentum<dim>::start() {
  mixing.clear();
  for (FiniteStrain<dim> &material : strains)
    material.begin_step(this->initial_state->q);
  for (std::size_t k = 0; k < pressures.size(); ++k) {
    const FollowerPressure<dim> &load = this->bodies.pressures[k];
    pressures[k] = (1. - this->rule.load) * load.pressure(this->begin_time) +
                   this->rule.load * load.pressure(this->end_time);
  }
  joint_impulse.assign(links.n_impulses(), 0.);
  if (!links.empty())
    links.begin_step(this->initial_state->q);
  this->v_theta = 0.;
  this->keep_spin();
  for (std::size_t i = 0; i < this->prescribed.size(); ++i)
    entries(this->v_theta)[this->bodies.motion.dofs()[i]] = this->prescribed[i];
  if (!evaluate())
    return Failure{"an element is turned inside out by the prescribed motion"};
  constexpr double most_turn = 0.1;
  const bool has_inertia = this->choices.has_inertia;
  this->factor_is_stale = this->factor_is_stale || !has_inertia;
  for (const FiniteStrain<dim> &material : strains)
    this->factor_is_stale =
        this->factor_is_stale || (material.is_stiff() && has_inertia &&
                                  material.stiffness_of_turn(this->length) > most_turn);
  this->factor_is_stale =
      this->factor_is_stale || factored_length != this->length || n_corrections == unfit_factor;
  is_renewed = false;
  factor_of = FactorOf::step_before;
  return this->refactor_blocks(this->v_theta);
}

template <int dim>
bool NonlinearMomentum<dim>::renew() {
  const bool is_astray = this->factor_is_stale || is_inside_out;
  if (factor_of == FactorOf::beginning || (factor_of == FactorOf::iterate && !is_astray))
    return false;
  this->factor_is_stale = true;
  return true;
}

template <int dim>
bool NonlinearMomentum<dim>::evaluate() {
  const double h = this->length, theta = this->choices.theta;
  const Operators &operators = this->bodies.operators;
  const double *const v = entries(this->v_theta), *const q0 = entries(this->initial_state->q);
  for (unsigned int i = 0; i < n_owned(q1); ++i)
    entries(q1)[i] = q0[i] + h * v[i];
  force = 0.;
  for (FiniteStrain<dim> &material : strains) {
    if (!this->choices.has_inertia)
      material.begin_step(q1);
    if (is_inside_out = !material.evaluate(q1, h, force); is_inside_out)
      return false;
  }
  add_pressures();
  if (!links.empty()) {
    links.evaluate(q1, h, joint_impulse, force);
    tie();
  }
  if (operators.linear) {
    this->bodies.deformation(q1, deformation);
    multiply(operators.stiffness, deformation, Kq1);
    force.add(1. - theta, this->initial_state->Kq, theta, Kq1);
  }
  if (operators.viscous) {
    multiply(operators.viscosity, this->v_theta, Cv_theta);
    force.add(1., Cv_theta);
  }
  mass.multiply(this->v_theta, Mv_theta);
  const double *const Mv = entries(Mv_theta), *const Mv0 = entries(this->initial_state->Mv);
  const double *const f = entries(force), *const F = entries(*this->force_theta);
  double *const b = entries(this->minus_residual);
  for (unsigned int i = 0; i < n_owned(q1); ++i)
    b[i] = h * theta * (F[i] - f[i]) - (Mv[i] - Mv0[i]);
  this->gyration.add(-h * theta, this->v_theta, this->minus_residual);
  return std::isfinite(dot(this->minus_residual, this->minus_residual));
}

/// Adds the pressures that follow the bodies to the internal force.
template <int dim>
void NonlinearMomentum<dim>::add_pressures() {
  if (pressures.empty())
    return;
  pressure_force = 0.;
  const Vector &q0 = this->choices.has_inertia ? this->initial_state->q : q1;
  for (std::size_t k = 0; k < pressures.size(); ++k)
    this->bodies.pressures[k].add_force(pressures[k], q0, q1, pressure_force);
  force -= pressure_force;
}

/// Adds the symmetric part of the tangents of these pressures to Â.
template <int dim>
void NonlinearMomentum<dim>::add_pressure_tangents() {
  const double h = this->length, ends = this->choices.has_inertia ? 0.5 : 1.;
  Cholesky &factor = this->contact_system->cholesky();
  std::array<double, FollowerPressure<dim>::max_dofs * FollowerPressure<dim>::max_dofs> tangent;
  const Vector &q0 = this->choices.has_inertia ? this->initial_state->q : q1;
  for (std::size_t k = 0; k < pressures.size(); ++k) {
    const FollowerPressure<dim> &load = this->bodies.pressures[k];
    for (unsigned int face = 0; face < load.n_faces(); ++face) {
      load.face_tangent(face, pressures[k], q0, q1, tangent.data());
      const std::vector<unsigned int> &dofs = load.dofs(face);
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t j = i; j < dofs.size(); ++j)
          if (const int position = factor.index(dofs[i], dofs[j]); position >= 0)
            factor.values()[static_cast<unsigned int>(position)] -=
                ends * h * h * this->choices.theta *
                (tangent[i * dofs.size() + j] + tangent[j * dofs.size() + i]);
    }
  }
}

/// Adds small stiffnesses on contact nodes of bodies that only contacts hold to Â.
template <int dim>
void NonlinearMomentum<dim>::hold_loose_bodies() {
  Cholesky &factor = this->contact_system->cholesky();
  for (const unsigned int dof : loose_dofs)
    if (const int position = factor.index(dof, dof); position >= 0)
      factor.values()[static_cast<unsigned int>(position)] *= 1. + addition_of_loose_bodies;
}

/// Sets Â to M + h²θ² K + hθ C, which is constant if h is constant.
template <int dim>
void NonlinearMomentum<dim>::add_constant_part() {
  const double h = this->length, theta = this->choices.theta;
  const Operators &operators = this->bodies.operators;
  Cholesky &factor = this->contact_system->cholesky();
  if (constant_values.empty() || factored_length != h) {
    constant_values.assign(factor.values().size(), 0.);
    const auto add = [&](const SparseMatrix &matrix, double multiple) {
      for (unsigned int i = 0; i < this->bodies.n_elastic_dofs(); ++i) {
        const SparseRow entries = row(matrix, i);
        for (int k = 0; k < entries.size; ++k)
          if (const auto j = static_cast<unsigned int>(entries.column[k]); j >= i)
            if (const int position = factor.index(i, j); position >= 0)
              constant_values[static_cast<unsigned int>(position)] += multiple * entries.value[k];
      }
    };
    add(operators.mass, 1.);
    if (operators.linear)
      add(operators.stiffness, h * h * theta * theta);
    if (operators.viscous)
      add(operators.viscosity, h * theta);
  }
  factor.values() = constant_values;
}

/// Rebuilds Â with the symmetric part of h²θ ∂f/∂q1; for stiff materials with an approximation,
/// whose geometric term is omitted at the beginning of a step. If Â is indefinite, as it may be at
/// iterates far from balance, an attempt that began with the factor of another step is repeated;
/// else Â contains the positive semidefinite part of each cell's tangent.
template <int dim>
bool NonlinearMomentum<dim>::refactor() {
  mixing.clear();
  n_corrections = 0;
  const bool is_at_iterate = !this->residual_history.empty();
  fill_factor(is_at_iterate ? Tangent::of_iterate : Tangent::of_beginning);
  this->factor_is_stale = !this->contact_system->factorise();
  const bool is_stiff =
      std::any_of(strains.begin(), strains.end(), [](const auto &m) { return m.is_stiff(); });
  const bool may_begin_anew = is_at_iterate && factor_of != FactorOf::beginning && !is_stiff;
  if (this->factor_is_stale && !may_begin_anew) {
    fill_factor(Tangent::definite);
    this->factor_is_stale = !this->contact_system->factorise();
  }
  if (factor_of != FactorOf::beginning)
    factor_of = is_at_iterate ? FactorOf::iterate : FactorOf::beginning;
  return !this->factor_is_stale;
}

template <int dim>
void NonlinearMomentum<dim>::fill_factor(Tangent tangent) {
  const double h = this->length, theta = this->choices.theta;
  // Without inertia both ends of the step from which stresses follow move with q1.
  const double ends = this->choices.has_inertia ? 0.5 : 1.;
  add_constant_part();
  factored_length = h;
  std::vector<double> &A = this->contact_system->cholesky().values();
  for (std::size_t m = 0; m < strains.size(); ++m) {
    const unsigned int n = strains[m].dofs_per_cell();
    cell_tangent.resize(std::size_t(n) * n);
    auto position = entry_positions[m].begin();
    for (unsigned int cell = 0; cell < strains[m].n_cells(); ++cell) {
      if (strains[m].is_stiff())
        strains[m].cell_stiffness(cell, h, tangent == Tangent::of_iterate, cell_tangent.data());
      else
        strains[m].cell_tangent(cell, h, cell_tangent.data());
      if (tangent == Tangent::definite && !strains[m].is_stiff())
        project_on_semidefinite(n, cell_tangent);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = i; j < n; ++j, ++position)
          if (*position >= 0)
            A[static_cast<unsigned int>(*position)] +=
                ends * h * h * theta * (cell_tangent[i * n + j] + cell_tangent[j * n + i]);
    }
  }
  if (tangent != Tangent::definite)
    add_pressure_tangents();
  hold_loose_bodies();
  this->gyration.set_tangent(h * theta, this->v_theta, this->contact_system->blocks());
}

/// Returns the state of the balance. Each body is measured relative to its own terms, because the
/// terms of a stiff or fast body would hide the others.
template <int dim>
typename Momentum<dim>::Balance NonlinearMomentum<dim>::balance(ContactProgress contacts) {
  constexpr double energy_tolerance = 1e-13, slow = 0.3;
  for (std::size_t c = 0; c < this->contact_dofs.size(); ++c)
    entries(contact_force)[this->contact_dofs[c]] = this->applied[c];
  double relative = this->unbalanced_rotation(), power = 0, power_round_off = 0;
  for (std::size_t body = 0; body < stiffness_norms.size(); ++body) {
    const Residual residual = measure(static_cast<int>(body));
    power += residual.power;
    power_round_off += residual.power_round_off;
    if (residual.norm > residual.round_off)
      relative = std::max(relative, residual.norm / residual.scale);
  }
  for (const unsigned int dof : this->contact_dofs)
    entries(contact_force)[dof] = 0.;
  auto &history = this->residual_history;
  // Under another law the residual is that of another problem.
  const bool shrinks_slowly =
      !contacts.have_new_law && !history.empty() && relative > slow * history.back();
  // The bound of a stiff link's round-off is far above the usual remainder.
  const bool power_shrinks =
      !links.empty() && (history.empty() || std::abs(power) < std::abs(last_power));
  last_power = power;
  accepted_power = std::max(power_round_off, energy_tolerance * this->initial_state->energy());
  history.push_back(relative);
  if (contacts.converged && relative <= this->choices.newton_tolerance && joints_hold() &&
      (std::abs(power) <= energy_tolerance * this->initial_state->energy() ||
       (std::abs(power) <= power_round_off && !power_shrinks)))
    return {true, {}};
  // A factor costs as much as a dozen corrections, and is kept until it has served as many.
  constexpr unsigned int min_corrections = 12;
  if (shrinks_slowly && n_corrections > min_corrections && relative > 0.) {
    is_renewed = true;
    if (!refactor())
      return {false, Failure{this->tangent_not_positive_definite}};
  }
  return {};
}

template <int dim>
typename NonlinearMomentum<dim>::Residual NonlinearMomentum<dim>::measure(int body) {
  const double h = this->length, theta = this->choices.theta;
  const double *const p = entries(contact_force);
  const double *const b = entries(this->minus_residual), *const v = entries(this->v_theta);
  const double *const Mv = entries(Mv_theta), *const Mv0 = entries(this->initial_state->Mv);
  const double *const f = entries(force), *const F = entries(*this->force_theta);
  const double *const q0 = entries(this->initial_state->q);
  // Moments count as forces at the radius of gyration; prescribed degrees of freedom do not count.
  const auto number = static_cast<std::size_t>(body);
  const double *const units = force_units.data(), *const speeds = speed_units.data();
  const unsigned int begin = group_begins[number], end = begin + group_sizes[number];
  const auto [sums, largest] =
      paired_sums<8, 2>(q1, begin, end, [&](const auto &entries_of, auto &sum, auto &maxima) {
        const auto unit = entries_of(units), speed_unit = entries_of(speeds),
                   velocity = entries_of(v), current = entries_of(Mv), initial = entries_of(Mv0),
                   jump = current - initial;
        const auto r = (entries_of(b) + entries_of(p)) * unit, of_contacts = entries_of(p) * unit,
                   internal = h * theta * entries_of(f) * unit,
                   external = h * theta * entries_of(F) * unit;
        sum[0] += r * r;
        sum[1] += r * velocity * speed_unit;
        sum[2] += of_contacts * of_contacts;
        sum[3] += velocity * velocity * speed_unit * speed_unit;
        sum[4] += unit * unit * (current * current + initial * initial);
        sum[5] += unit * unit * jump * jump;
        sum[6] += internal * internal;
        sum[7] += external * external;
        const auto distance = entries_of(q0) * speed_unit, speed = velocity * speed_unit;
        maxima[0] = distance * distance > maxima[0] ? distance * distance : maxima[0];
        maxima[1] = speed * speed > maxima[1] ? speed * speed : maxima[1];
      });
  const auto [norm, power, contact, speed, momentum, change, internal, external] = sums;
  // The largest term of each sum in the balance counts: displacements in the internal force, both
  // momenta in their difference.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double round_off =
      epsilon *
      (h * theta * stiffness_norms[number] * (std::sqrt(largest[0]) + h * std::sqrt(largest[1])) +
       4. * (std::sqrt(momentum) + std::sqrt(external) + std::sqrt(contact)));
  const double of_links = epsilon * h * theta * links.round_off_scale();
  // The signs of rounding errors are random: their power follows from the mean speed. Errors of
  // links act at few points.
  return {std::sqrt(norm), std::sqrt(std::max({change, internal, external, contact})),
          round_off + of_links, power / theta,
          (round_off * std::sqrt(speed / group_sizes[number]) + of_links * std::sqrt(speed)) /
              theta};
}

template <int dim>
void NonlinearMomentum<dim>::account(State<dim> &state, const Vector &velocity_change,
                                     Works &works) {
  const double h = this->length, theta = this->choices.theta;
  const Operators &operators = this->bodies.operators;
  const double *const F = entries(*this->force_theta), *const f = entries(force);
  const double *const Mv = entries(Mv_theta), *const Mv0 = entries(state.Mv);
  this->reactions.clear();
  for (const unsigned int i : this->bodies.motion.dofs())
    this->reactions.push_back((Mv[i] - Mv0[i]) / theta + h * (f[i] - F[i]));
  // ‖v1 − v0‖²_M follows from M v_θ − M v0 = θ M (v1 − v0); ‖q1 − q0‖²_K likewise.
  if (theta != 0.5 && this->choices.has_inertia) {
    const double *const jump = entries(velocity_change), *const v = entries(this->v_theta);
    const double *const Kq0 = entries(state.Kq), *const Kq = entries(Kq1);
    works.numerical += (0.5 - theta) * sums<1>(q1, [&](unsigned int i, auto &sum) {
                         sum[0] += jump[i] * (Mv[i] - Mv0[i]) / theta;
                         if (operators.linear)
                           sum[0] += h * v[i] * (Kq[i] - Kq0[i]);
                       })[0];
  }
  // If cells deform so strongly in a step, the next step begins with a new tangent, because this
  // factor would not serve it.
  constexpr std::size_t max_corrections = 16;
  if (is_renewed && this->residual_history.size() > max_corrections)
    n_corrections = unfit_factor;
  works.external += h * dot(this->v_theta, *this->force_theta);
  for (const FiniteStrain<dim> &material : strains)
    works.viscous -= material.dissipation();
  if (!links.empty())
    works.viscous -= links.dissipation();
  if (operators.viscous)
    works.viscous -= h * dot(this->v_theta, Cv_theta);
  if (!pressures.empty())
    works.external += h * dot(this->v_theta, pressure_force);
  state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
  const double previous_strain = std::exchange(state.strain, strain_energy(state));
  if (!this->choices.has_inertia) {
    force += pressure_force;
    if (operators.viscous)
      force -= Cv_theta;
    works.numerical += state.strain - previous_strain - h * dot(this->v_theta, force);
  }
}

template <int dim>
MomentumMemory NonlinearMomentum<dim>::memory() {
  return {factored_length, this->factor_is_stale, this->contact_system->interface_dofs(),
          this->contact_system->cholesky().values(), n_corrections};
}

template <int dim>
void NonlinearMomentum<dim>::restore(const MomentumMemory &memory) {
  this->contact_system->set_interface(memory.interface);
  relocate();
  factored_length = memory.length;
  n_corrections = memory.n_corrections;
  this->factor_is_stale = memory.factor_is_stale;
  if (this->factor_is_stale)
    return;
  this->contact_system->cholesky().values() = memory.values;
  this->factor_is_stale = !this->contact_system->factorise();
}

template class NonlinearMomentum<2>;
template class NonlinearMomentum<3>;

} // namespace percussion
