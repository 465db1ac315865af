#include "internal_force.h"

namespace percussion {

template <int dim>
InternalForce<dim>::InternalForce(const System<dim> &b, const StepChoices &c)
    : bodies(b), choices(c), links(b), pressures(b) {
  for (const auto &body : b.elastic)
    for (unsigned int m = 0; m < body->materials.list.size(); ++m)
      if (body->materials.list[m].finite_strain)
        strains.emplace_back(*body, m);
  for (Vector *work : {&q1, &deformation, &Kq1, &viscous_force, &force})
    *work = make_vector(b.n_dofs());
}

template <int dim>
void InternalForce<dim>::begin(const Iterate<dim> &iterate, double f) {
  for (FiniteStrain<dim> &material : strains)
    material.begin_step(iterate.start->q);
  pressures.begin(iterate.interval, f);
  joint_impulse.assign(links.n_impulses(), 0.);
  if (!links.empty())
    links.begin_step(iterate.start->q);
}

template <int dim>
std::optional<Failure> InternalForce<dim>::evaluate(const Iterate<dim> &iterate) {
  const double h = iterate.interval.h, theta = choices.theta;
  const double *const v = entries(iterate.v_theta), *const q0 = entries(iterate.start->q);
  for (unsigned int i = 0; i < n_owned(q1); ++i)
    entries(q1)[i] = q0[i] + h * v[i];
  force = 0.;
  for (FiniteStrain<dim> &material : strains) {
    if (!choices.has_inertia)
      material.begin_step(q1);
    if (is_inside_out = !material.evaluate(q1, h, force); is_inside_out)
      return Failure{"an element is turned inside out"};
  }
  if (!pressures.empty()) {
    pressures.evaluate(initial(iterate), q1);
    force -= pressures.force();
  }
  if (!links.empty())
    links.evaluate(q1, h, joint_impulse, force);
  if (bodies.operators.linear) {
    bodies.deformation(q1, deformation);
    multiply(bodies.operators.stiffness, deformation, Kq1);
    force.add(1. - theta, iterate.start->Kq, theta, Kq1);
  }
  if (bodies.operators.viscous) {
    multiply(bodies.operators.viscosity, iterate.v_theta, viscous_force);
    force.add(1., viscous_force);
  }
  return {};
}

template <int dim>
double InternalForce<dim>::strain_energy(State<dim> &state) {
  double energy = 0;
  for (const FiniteStrain<dim> &material : strains)
    energy += material.strain_energy(state.q);
  if (!links.empty())
    energy += links.energy(state.q);
  if (!bodies.operators.linear)
    return energy;
  bodies.deformation(state.q, deformation);
  multiply(bodies.operators.stiffness, deformation, state.Kq);
  return energy + 0.5 * dot(deformation, state.Kq);
}

template <int dim>
void InternalForce<dim>::add_works(const Iterate<dim> &iterate, Works &works) const {
  const double h = iterate.interval.h;
  works.external += h * dot(iterate.v_theta, *iterate.force_theta);
  for (const FiniteStrain<dim> &material : strains)
    works.viscous -= material.dissipation();
  if (!links.empty())
    works.viscous -= links.dissipation();
  if (bodies.operators.viscous)
    works.viscous -= h * dot(iterate.v_theta, viscous_force);
  if (!pressures.empty())
    works.external += h * dot(iterate.v_theta, pressures.force());
}

template <int dim>
Vector InternalForce<dim>::elastic_force() const {
  Vector elastic = force;
  elastic += pressures.force();
  if (bodies.operators.viscous)
    elastic -= viscous_force;
  return elastic;
}

template struct InternalForce<2>;
template struct InternalForce<3>;

} // namespace percussion
