#include <percussion/balance/rigid_mass.h>

namespace percussion {
namespace {

template <int dim>
ContactSystem::Pattern mass_pattern(const System<dim> &bodies, const Trace<dim> &trace) {
  ContactSystem::Pattern pattern{bodies.operators.mass,  0,
                                 bodies.motion.dofs(),   {},
                                 MatrixValues::constant, dim == 3 ? 3u : 1u};
  pattern.trace = trace.dofs();
  return pattern;
}

} // namespace

template <int dim>
RigidMass<dim>::RigidMass(const System<dim> &bodies, const Trace<dim> &trace)
    : mass(mass_pattern(bodies, trace)), prescribed(bodies.motion.dofs().size(), 0.),
      no_force(bodies.n_dofs()), delta(bodies.n_dofs()) {
  Assert(bodies.elastic.empty() && bodies.links.empty(), dealii::ExcMessage("rigid bodies alone"));
  mass.set_matrix(bodies.operators.mass);
  const bool is_regular = mass.factorise();
  AssertThrow(is_regular, dealii::ExcMessage("a rigid body has no mass"));
}

template <int dim>
void RigidMass<dim>::displace(const std::vector<double> &force) {
  mass.start(no_force, prescribed, delta);
  mass.add_force(force);
  mass.finish(delta);
}

template class RigidMass<2>;
template class RigidMass<3>;

} // namespace percussion
