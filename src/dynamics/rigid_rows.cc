#include "rigid_rows.h"

namespace percussion {

template <int dim>
RigidRows<dim>::RigidRows(const System<dim> &b, const TimeRule &r)
    : bodies(b), rule(r), gyration(b) {
  for (Vector *work : {&jump, &momentum_jump, &spin, &Ma0, &torque})
    *work = make_vector(b.n_dofs());
}

template <int dim>
void RigidRows<dim>::start(Iterate<dim> &iterate) {
  iterate.v_theta = 0.;
  gyration.start(iterate);
  if (rule.has_acceleration())
    multiply(bodies.operators.mass, iterate.start->a, Ma0);
  find_residual(iterate);
}

template <int dim>
void RigidRows<dim>::find_residual(Iterate<dim> &iterate) {
  const double h = iterate.interval.h;
  const double *const v0 = entries(iterate.start->v), *const v = entries(iterate.v_theta);
  const double *const a0 = rule.has_acceleration() ? entries(iterate.start->a) : nullptr;
  const unsigned int first = bodies.n_elastic_dofs(), end = n_owned(jump);
  for (unsigned int i = first; i < end; ++i)
    entries(jump)[i] = v0[i] - v[i];
  multiply(bodies.operators.mass, jump, momentum_jump);
  double *const b = entries(iterate.minus_residual);
  for (unsigned int i = first; i < end; ++i)
    b[i] =
        entries(momentum_jump)[i] + h * rule.percussion_factor * entries(*iterate.force_theta)[i];
  for (unsigned int i = first; i < end && rule.has_acceleration(); ++i)
    b[i] -= h * rule.percussion_factor * rule.inertia_of_a * entries(Ma0)[i];
  for (unsigned int i = first; i < end && !rule.has_mean_spin(); ++i)
    entries(spin)[i] = v0[i] + rule.spin * (v[i] - v0[i]) +
                       (rule.has_acceleration() ? rule.spin_of_a * h * a0[i] : 0.);
  gyration.add(-h * rule.percussion_factor, spin_velocity(iterate), iterate.minus_residual);
}

template <int dim>
void RigidRows<dim>::set_tangent(double h, const Vector &v, ContactSystem &system) const {
  gyration.set_tangent(tangent_factor(h), v, system.blocks());
}

template <int dim>
std::optional<Failure> RigidRows<dim>::factorise(const Iterate<dim> &iterate,
                                                 ContactSystem &system) const {
  return gyration.factorise(tangent_factor(iterate.interval.h), spin_velocity(iterate), system);
}

template <int dim>
BalanceVerdict RigidRows<dim>::judge(Iterate<dim> &iterate, bool converged, double tolerance,
                                     ContactSystem &system) const {
  const double imbalance = gyration.imbalance(iterate.interval.h * rule.percussion_factor, iterate);
  auto &history = iterate.residuals;
  constexpr double slow = 0.1;
  const bool shrinks_slowly = !history.empty() && imbalance > slow * history.back();
  history.push_back(imbalance);
  // A residual that no longer shrinks is round-off of larger contact forces.
  if (converged && (imbalance == 0 || (shrinks_slowly && imbalance <= tolerance)))
    return {true};
  return {false, shrinks_slowly ? factorise(iterate, system) : std::nullopt};
}

template <int dim>
const Vector &RigidRows<dim>::torque_impulse(const Iterate<dim> &iterate) {
  if (have_torque()) {
    torque = 0.;
    gyration.add(iterate.interval.h, spin_velocity(iterate), torque);
  }
  return torque;
}

template class RigidRows<2>;
template class RigidRows<3>;

} // namespace percussion
