#include "linear_momentum.h"

#include <percussion/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <deal.II/base/bounding_box.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/trilinos_precondition.h>

#include "indefinite_matrix.h"
#include "loose_bodies.h"
#include <cmath>
#include <limits>
#include <numeric>

namespace percussion {
namespace {

/// Adds M to A, whose pattern contains the pattern of M. Columns ascend in each row.
void add_mass(const SparseMatrix &M, SparseMatrix &A) {
  for (unsigned int i = 0; i < M.m(); ++i) {
    const SparseRow mass = row(M, i);
    int size = 0, *column = nullptr, position = 0;
    double *value = nullptr;
    A.trilinos_matrix().ExtractMyRowView(static_cast<int>(i), size, value, column);
    for (int k = 0; k < mass.size; ++k) {
      while (position < size && column[position] < mass.column[k])
        ++position;
      if (position < size && column[position] == mass.column[k])
        value[position] += mass.value[k];
      else
        AssertThrow(mass.value[k] == 0., dealii::ExcInternalError());
    }
  }
}

/// Returns the norm of the entries of a vector that belong to a body.
template <int dim>
double norm_on_body(const Vector &vector, const ElasticBody<dim> &body) {
  const double *const begin = entries(vector) + body.space.first_dof, *const end =
                                                                          begin + body.n_dofs();
  return std::sqrt(std::inner_product(begin, end, begin, 0.));
}

/// Returns Â = M + (h w C + h² k K)/m; with the θ-rule M + hθ C + h²θ² K: AC24 (92).
SparseMatrix iteration_matrix(const Operators &operators, double h, const TimeRule &rule) {
  SparseMatrix A;
  A.copy_from(operators.stiffness);
  A *= h * h * rule.percussion_factor * rule.internal;
  add_mass(operators.mass, A);
  if (operators.viscous)
    A.add(h * rule.percussion_factor * rule.viscous, operators.viscosity);
  return A;
}

/// Returns the rigid motions of all elastic bodies together, about the middle of the first body's
/// nodes, with rotations in units of its size.
template <int dim>
std::vector<std::vector<double>> rigid_motions(const System<dim> &system) {
  constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
  std::vector<std::vector<double>> motions(dim + n_rotations,
                                           std::vector<double>(system.n_elastic_dofs(), 0.));
  const dealii::BoundingBox<dim> box(system.elastic.front()->space.nodes);
  const dealii::Point<dim> middle = box.center();
  double size = 0;
  for (unsigned int d = 0; d < dim; ++d)
    size = std::max(size, box.side_length(d));
  for (const auto &body : system.elastic)
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
      const auto &dofs = body->space.node_dofs[i];
      const dealii::Tensor<1, dim> x = (body->space.nodes[i] - middle) / size;
      for (unsigned int d = 0; d < dim; ++d)
        motions[d][dofs[d]] = 1.;
      for (unsigned int k = 0; k < n_rotations; ++k) { // rotation in the plane of the axes a and b
        const unsigned int a = k == 2 ? 1 : 0, b = k == 0 ? 1 : 2;
        motions[dim + k][dofs[a]] = -x[b];
        motions[dim + k][dofs[b]] = x[a];
      }
    }
  return motions;
}

} // namespace

template <int dim>
LinearMomentum<dim>::LinearMomentum(const System<dim> &system, const StepChoices &step_choices,
                                    const Trace<dim> &contact_trace, bool may_share_nodes)
    : Momentum<dim>(system, step_choices, contact_trace), mass(system.operators.mass, dim == 2),
      stiffness(system.operators.stiffness, dim == 2) {
  for (Vector *work : {&right_side, &Av, &deformation, &Mv0, &Kq0, &Cv_theta, &torque, &of_start,
                       &inertial_impulse, &internal_impulse, &Ma0, &spin})
    *work = make_vector(system.n_dofs());
  this->route = choose_contact_route(system, step_choices, this->rule, contact_trace.n_elastic(),
                                     may_share_nodes);
  this->contact_system = std::make_unique<ContactSystem>(ContactSystem::Pattern{
      system.operators.stiffness, system.n_elastic_dofs(), system.motion.dofs(),
      contact_trace.dofs(), true, dim == 3 ? 3u : 1u, this->route.solver,
      [&] { return rigid_motions(system); }, dim, this->route.may_project(),
      this->route.takes_diagonal,
      [&]() -> const std::vector<unsigned int> & { return system.elimination_order(); },
      contact_trace.dofs()});
  this->length = step_choices.h;
  if (!refactor())
    throw RunError("the system matrix is not positive definite: " +
                   cause_of_indefinite_matrix(system, step_choices, this->rule));
}

template <int dim>
bool LinearMomentum<dim>::refactor() {
  factored_length = this->length;
  SparseMatrix A = iteration_matrix(this->bodies.operators, this->length, this->rule);
  has_additions = false;
  if (!omits_additions && !this->gyration.acts())
    for (const auto &[dof, addition] :
         additions_for_loose_bodies(this->bodies, A, this->trace.dofs())) {
      A.add(dof, dof, addition);
      has_additions = true;
    }
  this->contact_system->set_matrix(A);
  this->set_gyration_tangent(spin_velocity());
  this->factor_is_stale = !this->contact_system->factorise();
  return !this->factor_is_stale;
}

template <int dim>
void LinearMomentum<dim>::restore(const MomentumMemory &memory) {
  this->length = memory.length;
  const bool is_same = memory.interface == this->contact_system->interface_dofs();
  if (!is_same)
    this->contact_system->set_interface(memory.interface);
  if (!is_same || this->length != factored_length)
    refactor();
}

template <int dim>
bool LinearMomentum<dim>::renew() {
  if (!has_additions || !this->choices.has_inertia) // Â itself would be singular
    return false;
  omits_additions = this->factor_is_stale = true;
  return true;
}

template <int dim>
void LinearMomentum<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(this->bodies.n_dofs());
  state.Kq = make_vector(this->bodies.n_dofs());
  apply_operators(state);
  if (this->rule.has_acceleration())
    accelerate(state);
}

/// Computes the acceleration M a = F − K q − C v − Ω × I Ω, without contact forces; zero for
/// prescribed degrees of freedom.
template <int dim>
void LinearMomentum<dim>::accelerate(State<dim> &state) {
  state.a = make_vector(this->bodies.n_dofs());
  Vector force = state.force;
  force -= state.Kq;
  if (this->bodies.operators.viscous) {
    multiply(this->bodies.operators.viscosity, state.v, Cv_theta);
    force -= Cv_theta;
  }
  this->gyration.add(-1., state.v, force);
  dealii::SolverControl control(this->bodies.n_dofs() + 1000, 1e-12 * force.l2_norm());
  dealii::SolverCG<Vector> solver(control);
  dealii::TrilinosWrappers::PreconditionJacobi diagonal;
  diagonal.initialize(this->bodies.operators.mass);
  solver.solve(this->bodies.operators.mass, state.a, force, diagonal);
  for (const unsigned int i : this->bodies.motion.dofs())
    entries(state.a)[i] = 0.;
}

template <int dim>
void LinearMomentum<dim>::apply_operators(State<dim> &state) {
  state.kinetic = 0.5 * mass.multiply(state.v, state.Mv);
  this->bodies.deformation(state.q, deformation);
  state.strain = 0.5 * stiffness.multiply(deformation, state.Kq);
}

template <int dim>
std::optional<Failure> LinearMomentum<dim>::start() {
  this->factor_is_stale = this->factor_is_stale || this->length != factored_length;
  push = 1.;
  const TimeRule &time_rule = this->rule;
  const double h = this->length, h_share = h * time_rule.percussion_factor;
  this->replaces_velocity = !this->gyration.acts();
  const double *const F = entries(*this->force_theta);
  const double *const Mv = entries(this->initial_state->Mv), *const Kq =
                                                                 entries(this->initial_state->Kq);
  double *const b = entries(this->minus_residual);
  for (unsigned int i = 0, n = n_owned(this->minus_residual); i < n; ++i)
    b[i] = Mv[i] + h_share * (F[i] - Kq[i]);
  // Further terms of the rule depend on v0 and a0.
  const State<dim> &state = *this->initial_state;
  if (time_rule.has_acceleration())
    a0 = state.a;
  const auto add = [&](const SparseMatrix &matrix, double of_v, double of_a) {
    if (of_v == 0. && of_a == 0.)
      return;
    of_start = 0.;
    of_start.add(of_v, state.v);
    if (time_rule.has_acceleration())
      of_start.add(of_a, state.a);
    multiply(matrix, of_start, Cv_theta);
    this->minus_residual.add(-time_rule.percussion_factor * h, Cv_theta);
  };
  add(this->bodies.operators.mass, 0., time_rule.inertia_of_a);
  add(this->bodies.operators.stiffness, h * time_rule.internal_of_start, 0.);
  if (this->bodies.operators.viscous)
    add(this->bodies.operators.viscosity, 1. - time_rule.viscous, h * time_rule.viscous_of_a);
  if (has_additions || this->factor_is_stale)
    right_side = this->minus_residual;
  if (!this->gyration.acts())
    return {};
  this->v_theta = 0.;
  this->keep_spin();
  if (time_rule.has_acceleration())
    multiply(this->bodies.operators.mass, a0, Ma0);
  find_residual_of_rigid_bodies();
  return this->factor_is_stale ? std::nullopt : this->refactor_blocks(spin_velocity());
}

/// Returns Ω_s of TimeRule in the rows of rigid bodies, as computed by the last
/// find_residual_of_rigid_bodies().
template <int dim>
const Vector &LinearMomentum<dim>::spin_velocity() const {
  return this->rule.has_mean_spin() ? this->v_theta : spin;
}

/// Computes the rows of rigid bodies: M (v0 − v̄) + (h (F − Ω_s × I Ω_s) − n h M a0)/m. The
/// difference of velocities is exact; a difference of momenta would be rounded.
template <int dim>
void LinearMomentum<dim>::find_residual_of_rigid_bodies() {
  const TimeRule &time_rule = this->rule;
  const double h = this->length;
  const double *const v0 = entries(this->initial_state->v), *const v = entries(this->v_theta);
  const unsigned int first = this->bodies.n_elastic_dofs(), end = n_owned(torque);
  torque = 0.;
  for (unsigned int i = first; i < end; ++i)
    entries(torque)[i] = v0[i] - v[i];
  multiply(this->bodies.operators.mass, torque, Mv0);
  double *const b = entries(this->minus_residual);
  for (unsigned int i = first; i < end; ++i)
    b[i] = entries(Mv0)[i] + h * time_rule.percussion_factor * entries(*this->force_theta)[i];
  for (unsigned int i = first; i < end && time_rule.has_acceleration(); ++i)
    b[i] -= h * time_rule.percussion_factor * time_rule.inertia_of_a * entries(Ma0)[i];
  for (unsigned int i = first; i < end && !time_rule.has_mean_spin(); ++i)
    entries(spin)[i] =
        v0[i] + time_rule.spin * (v[i] - v0[i]) +
        (time_rule.has_acceleration() ? time_rule.spin_of_a * h * entries(a0)[i] : 0.);
  this->gyration.add(-h * time_rule.percussion_factor, spin_velocity(), this->minus_residual);
}

/// Evaluates the residual. In the rows of elastic bodies, a correction leaves only contact forces.
template <int dim>
bool LinearMomentum<dim>::evaluate() {
  if (has_additions) {
    find_residual();
    return std::isfinite(dot(this->minus_residual, this->minus_residual));
  }
  if (!this->gyration.acts())
    return true;
  this->minus_residual = 0.;
  double *const b = entries(this->minus_residual);
  for (std::size_t c = 0; c < this->contact_dofs.size(); ++c)
    b[this->contact_dofs[c]] = -this->applied[c];
  find_residual_of_rigid_bodies();
  return std::isfinite(dot(this->minus_residual, this->minus_residual));
}

/// Computes the right-hand side minus Â v̄, without contact forces.
template <int dim>
void LinearMomentum<dim>::find_residual() {
  const double factor = this->length * this->rule.percussion_factor;
  this->minus_residual = right_side;
  multiply(this->bodies.operators.mass, this->v_theta, Av);
  this->minus_residual -= Av;
  multiply(this->bodies.operators.stiffness, this->v_theta, Av);
  this->minus_residual.add(-factor * this->length * this->rule.internal, Av);
  if (this->bodies.operators.viscous) {
    multiply(this->bodies.operators.viscosity, this->v_theta, Av);
    this->minus_residual.add(-factor * this->rule.viscous, Av);
  }
}

/// Returns the state of the balance, with a residual relative to the impulses of loads, elements
/// and contacts in the free rows.
template <int dim>
typename Momentum<dim>::Balance LinearMomentum<dim>::balance_of_loose_bodies(bool converged) {
  constexpr double round_off = 1e-15, tolerance = 1e-12, slow = 0.5;
  Vector imbalance = this->minus_residual;
  double of_contacts = 0;
  for (std::size_t c = 0; c < this->contact_dofs.size(); ++c) {
    entries(imbalance)[this->contact_dofs[c]] += this->applied[c];
    of_contacts += this->applied[c] * this->applied[c];
  }
  for (const unsigned int i : this->bodies.motion.dofs())
    entries(imbalance)[i] = 0.;
  const double impulse = this->length * this->rule.percussion_factor;
  const double scale =
      std::max({impulse * this->force_theta->l2_norm(), impulse * this->initial_state->Kq.l2_norm(),
                std::sqrt(of_contacts)});
  const double relative = scale > 0. ? imbalance.l2_norm() / scale : 0.;
  auto &history = this->residual_history;
  const bool shrinks_slowly = !history.empty() && relative > slow * history.back();
  history.push_back(relative);
  if (converged && (relative <= round_off || (shrinks_slowly && relative <= tolerance)))
    return {true, {}};
  // The balance of a body without inertia that moves far in a step is round-off of K v̄.
  if (shrinks_slowly && converged && !this->choices.has_inertia &&
      imbalance.l2_norm() <= rounding_of_internal_impulse())
    return {true, {}};
  if (!shrinks_slowly || !converged)
    return {};
  if (this->choices.has_inertia)
    return {false, Failure{this->tangent_not_positive_definite}};
  if (push_free_bodies(imbalance))
    return {};
  return {false, Failure{body_without_support(imbalance)}};
}

/// Multiplies the residual of unbalanced bodies on which no contact acts, so that they move farther
/// in each correction until they meet a contact: the additions permit only small steps of stiff
/// bodies. Returns false if there are no such bodies, after a further correction of a body that has
/// met one, or if a body meets no contact at all.
template <int dim>
bool LinearMomentum<dim>::push_free_bodies(const Vector &imbalance) {
  constexpr double growth = 16., most = 1e15, least_fraction = 1e-3;
  const double least = least_fraction * imbalance.l2_norm(), next = push * growth;
  bool is_pushed = false;
  for (const auto &body : this->bodies.elastic) {
    const unsigned int begin = body->space.first_dof, end = begin + body->n_dofs();
    bool is_touched = false;
    for (std::size_t c = 0; c < this->contact_dofs.size(); ++c)
      is_touched = is_touched || (this->applied[c] != 0. && this->contact_dofs[c] >= begin &&
                                  this->contact_dofs[c] < end);
    if (is_touched || norm_on_body(imbalance, *body) < least)
      continue;
    for (unsigned int dof = begin; dof < end; ++dof)
      entries(this->minus_residual)[dof] *= next;
    is_pushed = true;
  }
  const bool has_met_contact = !is_pushed && push > 1.;
  push = is_pushed ? next : 1.;
  return has_met_contact || (is_pushed && push < most);
}

/// Returns 4 ε ‖|K| |v̄|‖ in the units of the balance.
template <int dim>
double LinearMomentum<dim>::rounding_of_internal_impulse() const {
  const double *const v = entries(this->v_theta);
  const double square = sums<1>(this->v_theta, [&](unsigned int i, auto &sum) {
    const SparseRow K = row(this->bodies.operators.stiffness, i);
    double of_row = 0;
    for (int k = 0; k < K.size; ++k)
      of_row += std::abs(K.value[k] * v[K.column[k]]);
    sum[0] += of_row * of_row;
  })[0];
  return 4. * std::numeric_limits<double>::epsilon() * std::sqrt(square) * this->length *
         this->length * this->rule.percussion_factor * this->rule.internal;
}

/// Returns the reason why there is no quasi-static balance, with the name of the body with the
/// largest imbalance.
template <int dim>
std::string LinearMomentum<dim>::body_without_support(const Vector &imbalance) const {
  std::string name;
  double largest = -1;
  for (const auto &body : this->bodies.elastic) {
    if (const double norm = norm_on_body(imbalance, *body); norm > largest) {
      largest = norm;
      name = name_of_body(this->bodies, *body);
    }
  }
  return "supports and closed contacts do not hold " + name +
         ", and without inertia its loads have no balance";
}

template <int dim>
typename Momentum<dim>::Balance LinearMomentum<dim>::balance_of_rotations(bool converged) {
  const double imbalance = this->unbalanced_rotation();
  auto &history = this->residual_history;
  constexpr double slow = 0.1;
  const bool shrinks_slowly = !history.empty() && imbalance > slow * history.back();
  history.push_back(imbalance);
  // A residual that no longer shrinks is round-off of larger contact forces.
  if (converged &&
      (imbalance == 0 || (shrinks_slowly && imbalance <= this->choices.newton_tolerance)))
    return {true, {}};
  return {false, shrinks_slowly ? this->refactor_blocks(spin_velocity()) : std::nullopt};
}

/// Returns the state of the balance. If the statuses of contacts are not consistent, v_θ is
/// computed again with their last percussions.
template <int dim>
typename Momentum<dim>::Balance LinearMomentum<dim>::balance(ContactProgress contacts) {
  if (has_additions)
    return balance_of_loose_bodies(contacts.converged);
  if (this->gyration.acts())
    return balance_of_rotations(contacts.converged);
  if (contacts.converged)
    return {true, {}};
  for (std::size_t i = 0; i < this->prescribed.size(); ++i)
    this->prescribed[i] = entries(this->v_theta)[this->bodies.motion.dofs()[i]];
  this->replaces_velocity = true;
  return {};
}

/// Returns v0 + w (v̄ − v0) + w_a h a0.
template <int dim>
const Vector &LinearMomentum<dim>::viscous_velocity(const State<dim> &state, const Vector &change) {
  const TimeRule &time_rule = this->rule;
  if (time_rule.viscous == 1.)
    return this->v_theta;
  of_start = state.v;
  of_start -= change;
  of_start *= 1. - time_rule.viscous;
  of_start.add(time_rule.viscous, this->v_theta, time_rule.viscous_of_a * this->length, a0);
  return of_start;
}

/// Computes M (m (v̄ − v0) + n h a0) and h K (q0 + h (k v̄ + k_0 v0)) from K q at both ends.
template <int dim>
void LinearMomentum<dim>::find_impulses(const State<dim> &state, const Vector &change) {
  const TimeRule &time_rule = this->rule;
  const double h = this->length;
  Vector v0 = state.v;
  v0 -= change;
  of_start = this->v_theta;
  of_start -= v0;
  of_start *= 1. / time_rule.percussion_factor;
  if (time_rule.has_acceleration())
    of_start.add(h * time_rule.inertia_of_a, a0);
  multiply(this->bodies.operators.mass, of_start, inertial_impulse);
  internal_impulse = 0.;
  if (time_rule.internal_of_start != 0.) {
    multiply(this->bodies.operators.stiffness, v0, internal_impulse);
    internal_impulse *= h * h * time_rule.internal_of_start;
  }
  internal_impulse.add(h * (1. - time_rule.internal), Kq0, h * time_rule.internal, state.Kq);
}

template <int dim>
void LinearMomentum<dim>::account(State<dim> &state, const Vector &velocity_change, Works &works) {
  const double h = this->length, T0 = state.kinetic, U0 = state.strain;
  if (omits_additions) { // the next interval tries the additions again
    omits_additions = false;
    this->factor_is_stale = true;
  }
  state.Mv.swap(Mv0);
  state.Kq.swap(Kq0);
  apply_operators(state);
  const double *const Mv1 = entries(state.Mv), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(Mv0), *const Kq = entries(Kq0);
  const double *const v_mean = entries(this->v_theta), *const F = entries(*this->force_theta);
  const double *const jump = entries(velocity_change);
  works.external += h * dot(this->v_theta, *this->force_theta);
  const bool viscous = this->bodies.operators.viscous;
  if (viscous) {
    multiply(this->bodies.operators.viscosity, viscous_velocity(state, velocity_change), Cv_theta);
    works.viscous -= h * dot(this->v_theta, Cv_theta);
  }
  // Momentum and internal impulse are terms of the rule's balance.
  const double theta = this->choices.theta;
  const bool is_theta = this->choices.integrator == Integrator::theta;
  if (is_theta && theta != 0.5)
    works.numerical += (0.5 - theta) * sums<1>(state.v, [&](unsigned int i, auto &sum) {
                         sum[0] += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
                       })[0];
  if (this->gyration.acts()) {
    torque = 0.;
    this->gyration.add(h, spin_velocity(), torque);
  }
  if (!is_theta) {
    find_impulses(state, velocity_change);
    works.numerical += state.kinetic - T0 + state.strain - U0 -
                       dot(this->v_theta, inertial_impulse) - dot(this->v_theta, internal_impulse) -
                       dot(this->v_theta, torque);
  }
  this->reactions.clear();
  for (const unsigned int i : this->bodies.motion.dofs()) {
    const double sum = is_theta ? Mv1[i] - Mv[i] + h * ((1. - theta) * Kq[i] + theta * Kq1[i])
                                : entries(inertial_impulse)[i] + entries(internal_impulse)[i];
    this->reactions.push_back(sum + entries(torque)[i] +
                              h * ((viscous ? entries(Cv_theta)[i] : 0.) - F[i]));
  }
}

template class LinearMomentum<2>;
template class LinearMomentum<3>;

} // namespace percussion
