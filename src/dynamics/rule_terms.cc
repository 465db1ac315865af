#include "rule_terms.h"

namespace percussion {

template <int dim>
RuleTerms<dim>::RuleTerms(const System<dim> &b, const TimeRule &r) : bodies(b), rule(r) {
  for (Vector *work : {&inertial_impulse, &internal_impulse, &argument, &product})
    *work = make_vector(b.n_dofs());
}

template <int dim>
void RuleTerms<dim>::start(Iterate<dim> &iterate) {
  const double h = iterate.interval.h;
  const State<dim> &state = *iterate.start;
  if (rule.has_acceleration())
    a0 = state.a;
  const auto subtract = [&](const SparseMatrix &matrix, double of_v, double of_a) {
    if (of_v == 0. && of_a == 0.)
      return;
    argument = 0.;
    argument.add(of_v, state.v);
    if (rule.has_acceleration())
      argument.add(of_a, state.a);
    multiply(matrix, argument, product);
    iterate.minus_residual.add(-rule.percussion_factor * h, product);
  };
  subtract(bodies.operators.mass, 0., rule.inertia_of_a);
  subtract(bodies.operators.stiffness, h * rule.internal_of_start, 0.);
  if (bodies.operators.viscous)
    subtract(bodies.operators.viscosity, 1. - rule.viscous, h * rule.viscous_of_a);
}

template <int dim>
const Vector &RuleTerms<dim>::viscous_velocity(const Iterate<dim> &iterate, const State<dim> &state,
                                               const Vector &change) {
  if (rule.viscous == 1.)
    return iterate.v_theta;
  argument = state.v;
  argument -= change;
  argument *= 1. - rule.viscous;
  argument.add(rule.viscous, iterate.v_theta, rule.viscous_of_a * iterate.interval.h, a0);
  return argument;
}

template <int dim>
void RuleTerms<dim>::find_impulses(const Iterate<dim> &iterate, const State<dim> &state,
                                   const Vector &change, const Vector &Kq0) {
  const double h = iterate.interval.h;
  Vector v0 = state.v;
  v0 -= change;
  argument = iterate.v_theta;
  argument -= v0;
  argument *= 1. / rule.percussion_factor;
  if (rule.has_acceleration())
    argument.add(h * rule.inertia_of_a, a0);
  multiply(bodies.operators.mass, argument, inertial_impulse);
  internal_impulse = 0.;
  if (rule.internal_of_start != 0.) {
    multiply(bodies.operators.stiffness, v0, internal_impulse);
    internal_impulse *= h * h * rule.internal_of_start;
  }
  internal_impulse.add(h * (1. - rule.internal), Kq0, h * rule.internal, state.Kq);
}

template class RuleTerms<2>;
template class RuleTerms<3>;

} // namespace percussion
