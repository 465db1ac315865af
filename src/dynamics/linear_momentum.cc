#include "linear_momentum.h"

#include <percussion/base/error.h>

#include <cmath>

namespace percussion {
namespace {

/// Â = M + hθ C + h²θ² K: AC24 (92).
SparseMatrix iteration_matrix(const Operators &operators, double h, double theta) {
  SparseMatrix A;
  A.copy_from(operators.stiffness);
  A *= h * h * theta * theta;
  // M couples fewer entries than K: add it entry by entry.
  for (unsigned int i = 0; i < operators.mass.m(); ++i) {
    const SparseRow mass = row(operators.mass, i);
    for (int k = 0; k < mass.size; ++k)
      A.add(i, static_cast<unsigned int>(mass.column[k]), mass.value[k]);
  }
  A.compress(dealii::VectorOperation::add);
  if (operators.viscous)
    A.add(h * theta, operators.viscosity);
  return A;
}

} // namespace

template <int dim>
LinearMomentum<dim>::LinearMomentum(const System<dim> &system, const StepChoices &step_choices,
                                    const std::vector<unsigned int> &may_touch)
    : Momentum<dim>(system, step_choices) {
  for (Vector *work : {&deformation, &Mv0, &Kq0, &Cv_theta, &torque})
    *work = make_vector(system.n_dofs());
  this->contact_system = std::make_unique<ContactSystem>(
      ContactSystem::Pattern{system.operators.stiffness, system.n_elastic_dofs(),
                             system.motion.dofs(), may_touch, true, dim == 3 ? 3u : 1u});
  this->length = step_choices.h;
  if (!refactor())
    throw RunError("the system matrix is not positive definite: a material parameter is out of its "
                   "range, or nodes without mass leave a free motion");
}

template <int dim>
bool LinearMomentum<dim>::refactor() {
  factored_length = this->length;
  this->contact_system->set_matrix(
      iteration_matrix(this->bodies.operators, this->length, this->choices.theta));
  this->gyration.set_tangent(this->length * this->choices.theta, this->v_theta,
                             this->contact_system->blocks());
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
void LinearMomentum<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(this->bodies.n_dofs());
  state.Kq = make_vector(this->bodies.n_dofs());
  apply_operators(state);
  state.kinetic = 0.5 * dot(state.v, state.Mv);
  state.strain = 0.5 * dot(deformation, state.Kq);
}

template <int dim>
void LinearMomentum<dim>::apply_operators(State<dim> &state) {
  multiply(this->bodies.operators.mass, state.v, state.Mv);
  this->bodies.deformation(state.q, deformation);
  multiply(this->bodies.operators.stiffness, deformation, state.Kq);
}

template <int dim>
std::string LinearMomentum<dim>::start() {
  this->factor_is_stale = this->factor_is_stale || this->length != factored_length;
  const double h = this->length, theta = this->choices.theta;
  this->v_theta = 0.;
  const double *const F = entries(*this->force_theta);
  const double *const Mv = entries(this->begun->Mv), *const Kq = entries(this->begun->Kq);
  double *const b = entries(this->minus_residual);
  for (unsigned int i = 0; i < n_owned(this->v_theta); ++i)
    b[i] = Mv[i] + h * theta * (F[i] - Kq[i]);
  if (!this->gyration.acts())
    return {};
  this->keep_spin();
  for (unsigned int i = this->bodies.n_elastic_dofs(); i < n_owned(this->v_theta); ++i)
    b[i] = h * theta * F[i];
  this->gyration.add(-h * theta, this->v_theta, this->minus_residual);
  return this->factor_is_stale || this->refactor_blocks() ? "" : this->too_fast;
}

/// A correction leaves nothing in the rows of elastic bodies but what contacts have put there.
template <int dim>
bool LinearMomentum<dim>::evaluate() {
  if (!this->gyration.acts())
    return true;
  const double h = this->length, theta = this->choices.theta;
  this->minus_residual = 0.;
  double *const b = entries(this->minus_residual);
  for (std::size_t c = 0; c < this->touched.size(); ++c)
    b[this->touched[c]] = -this->applied[c];
  // The difference of velocities is exact, that of momenta would be rounded.
  torque = 0.;
  const unsigned int first = this->bodies.n_elastic_dofs();
  for (unsigned int i = first; i < n_owned(torque); ++i)
    entries(torque)[i] = entries(this->begun->v)[i] - entries(this->v_theta)[i];
  multiply(this->bodies.operators.mass, torque, Mv0);
  for (unsigned int i = first; i < n_owned(torque); ++i)
    b[i] = entries(Mv0)[i] + h * theta * entries(*this->force_theta)[i];
  this->gyration.add(-h * theta, this->v_theta, this->minus_residual);
  return std::isfinite(dot(this->minus_residual, this->minus_residual));
}

template <int dim>
typename Momentum<dim>::Balance LinearMomentum<dim>::is_balanced(bool settled) {
  using Kind = typename Momentum<dim>::Balance;
  if (!this->gyration.acts())
    return Kind::met;
  const double left = this->unbalanced_rotation();
  auto &history = this->residual_history;
  constexpr double slow = 0.1;
  const bool shrinks_slowly = !history.empty() && left > slow * history.back();
  history.push_back(left);
  // What no longer shrinks is round-off of contact forces that are large beside it.
  if (settled && (left == 0 || (shrinks_slowly && left <= this->choices.newton_tolerance)))
    return Kind::met;
  return !shrinks_slowly || this->refactor_blocks() ? Kind::not_met : Kind::singular;
}

template <int dim>
void LinearMomentum<dim>::account(State<dim> &state, const Vector &velocity_change, Works &works) {
  const double h = this->length, theta = this->choices.theta;
  state.Mv.swap(Mv0);
  state.Kq.swap(Kq0);
  apply_operators(state);
  const double *const v1 = entries(state.v), *const Mv1 = entries(state.Mv);
  const double *const q1 = entries(deformation), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(Mv0), *const Kq = entries(Kq0);
  const double *const v_mean = entries(this->v_theta), *const F = entries(*this->force_theta);
  const double *const jump = entries(velocity_change);
  const auto [vMv, qKq, vF] = sums<3>(state.v, [&](unsigned int i, auto &sum) {
    sum[0] += v1[i] * Mv1[i];
    sum[1] += q1[i] * Kq1[i];
    sum[2] += v_mean[i] * F[i];
  });
  works.external += h * vF;
  if (theta != 0.5)
    works.numerical += (0.5 - theta) * sums<1>(state.v, [&](unsigned int i, auto &sum) {
                         sum[0] += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
                       })[0];
  const bool viscous = this->bodies.operators.viscous;
  if (viscous) {
    multiply(this->bodies.operators.viscosity, this->v_theta, Cv_theta);
    works.viscous -= h * dot(this->v_theta, Cv_theta);
  }
  torque = 0.;
  this->gyration.add(h, this->v_theta, torque);
  this->reactions.clear();
  for (const unsigned int i : this->bodies.motion.dofs())
    this->reactions.push_back(Mv1[i] - Mv[i] + h * ((1. - theta) * Kq[i] + theta * Kq1[i] - F[i]) +
                              entries(torque)[i] + (viscous ? h * entries(Cv_theta)[i] : 0.));
  state.kinetic = 0.5 * vMv;
  state.strain = 0.5 * qKq;
}

template class LinearMomentum<2>;
template class LinearMomentum<3>;

} // namespace percussion
