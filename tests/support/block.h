#pragma once

#include <percussion/dynamics/step.h>

#include "support/meshes.h"
#include <cmath>
#include <functional>
#include <memory>

namespace percussion::test {

/// A soft law of Ogden.
inline const Ogden ogden{0.5, 0.15, 0.35, Plane::strain};

/// A hyperelastic material of density and thickness one.
template <int dim = 2>
Material<dim> hyperelastic(const HyperelasticLaw &law, const FiniteViscosity &viscosity = {}) {
  return {1., 1., small_strain_limit<dim>(law), {}, FiniteStrainMaterial{law, viscosity}};
}

/// The percussions of contacts that are listed in the same order, one after the other.
template <int dim>
std::vector<double> percussions(const StepRecord<dim> &record) {
  std::vector<double> all;
  for (const auto &contact : record.contacts)
    all.insert(all.end(), contact.percussion.begin(), contact.percussion.end());
  return all;
}

/// The sum of one component over all contacts: 0 normal, 1 tangential.
template <int dim>
double total_percussion(const StepRecord<dim> &record, unsigned int component) {
  double sum = 0;
  for (const auto &contact : record.contacts)
    sum += contact.percussion[component];
  return sum;
}

/// Key and status of each contact.
template <int dim>
std::vector<std::pair<ContactKey, ContactStatus>> statuses(const StepRecord<dim> &record) {
  std::vector<std::pair<ContactKey, ContactStatus>> all;
  for (const auto &contact : record.contacts)
    all.emplace_back(contact.key, contact.status);
  return all;
}

/// A block, mostly rectangular, over rigid surfaces, ready to be stepped: what most tests of the
/// dynamics need. Change the members, then call start().
template <int dim>
struct BlockIn {
  std::unique_ptr<Mesh<dim>> mesh;
  std::unique_ptr<System<dim>> bodies;
  std::vector<ContactPair<dim>> pairs;
  std::unique_ptr<Boundary<dim>> boundary;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<Step<dim>> step;
  State<dim> state;

  BlockIn(std::unique_ptr<Mesh<dim>> m, const Material<dim> &material,
          const dealii::Tensor<1, dim> &gravity = {})
      : BlockIn(std::move(m), Materials<dim>(material), gravity) {}
  BlockIn(std::unique_ptr<Mesh<dim>> m, const Materials<dim> &materials,
          const dealii::Tensor<1, dim> &gravity = {})
      : mesh(std::move(m)), bodies(std::make_unique<System<dim>>(*mesh, materials, gravity)) {
    choices.h = 1e-3;
    cone.tolerance = 1e-12;
    state.q = make_vector(bodies->n_dofs());
    state.v = make_vector(bodies->n_dofs());
  }

  /// What a named scheme chooses; its law goes to the contacts.
  void use(const Scheme &scheme) {
    choices.use(scheme);
    cone.method = scheme.method;
  }

  ContactPair<dim> &add_contact(const std::string &region, Surface<dim> surface, ImpactLawKind law,
                                const Restitution &restitution, double friction) {
    ContactPair<dim> pair;
    pair.name = region;
    pair.region = region;
    pair.surface = std::move(surface);
    pair.law = law;
    pair.restitution = restitution;
    pair.friction = friction;
    pair.gap_tolerance = 1e-12;
    pairs.push_back(std::move(pair));
    return pairs.back();
  }

  static Surface<dim> ground(double height = 0) {
    Surface<dim> surface;
    dealii::Point<dim> point;
    dealii::Tensor<1, dim> up;
    point[dim - 1] = height;
    up[dim - 1] = 1.;
    surface.shape = HalfPlane<dim>{point, up};
    return surface;
  }

  void set(Vector &field,
           const std::function<std::array<double, dim>(const dealii::Point<dim> &)> &f) {
    for (unsigned int i = 0; i < space().n_nodes(); ++i) {
      const auto value = f(space().nodes[i]);
      for (unsigned int d = 0; d < dim; ++d)
        entries(field)[space().node_dofs[i][d]] = value[d];
    }
  }

  void start() {
    boundary = std::make_unique<Boundary<dim>>(*bodies, std::move(pairs));
    add_nitsche_terms(*boundary, bodies->operators.stiffness);
    bodies->motion.set_initial_velocity(state.time, choices.h, state.v);
    step = std::make_unique<Step<dim>>(*bodies, *boundary, choices, cone);
    step->initialise(state);
  }

  const Space<dim> &space() const { return bodies->elastic.front()->space; }

  /// Prescribe one component of the motion of a region.
  void prescribe(const std::string &region, unsigned int component,
                 typename PrescribedMotion<dim>::Kind kind, const std::string &formula) {
    bodies->prescribe(region, bodies->region(region), component, kind, Expression(formula));
  }
  void add_traction(const std::string &region, unsigned int component, const std::string &formula) {
    bodies->loads.add_traction(*bodies->elastic.front(), mesh->region(region), component,
                               Expression(formula));
  }

  const StepRecord<dim> &advance() { return step->advance(state, (state.step + 1) * choices.h); }

  /// Momentum of the body, component by component.
  std::array<double, dim> momentum() const {
    std::array<double, dim> sum{};
    for (const auto &dofs : space().node_dofs)
      for (unsigned int d = 0; d < dim; ++d)
        sum[d] += entries(state.Mv)[dofs[d]];
    return sum;
  }
};
using Block = BlockIn<2>;

} // namespace percussion::test
