#pragma once

#include <percussion/dynamics/step.h>
#include <percussion/material/hyperelastic.h>

#include "support/meshes.h"
#include <cmath>
#include <functional>
#include <memory>

namespace percussion::test {

/// A soft law of Ogden.
inline const Ogden ogden{0.5, 0.15, 0.35, Plane::strain};

/// Returns a hyperelastic material of density and thickness one.
template <int dim = 2>
Material<dim> hyperelastic(const HyperelasticLaw &law, const FiniteViscosity &viscosity = {},
                           ElementKind element = ElementKind::standard) {
  return {1., 1., small_strain_limit<dim>(law), {}, FiniteStrainMaterial{law, viscosity}, element};
}

/// Returns the percussions of all contacts in sequence, in the order of the record.
template <int dim>
std::vector<double> percussions(const StepRecord<dim> &record) {
  std::vector<double> all;
  for (const auto &contact : record.contacts)
    all.insert(all.end(), contact.percussion.begin(), contact.percussion.end());
  return all;
}

/// Returns the sum of one component over all contacts: 0 normal, 1 tangential.
template <int dim>
double total_percussion(const StepRecord<dim> &record, unsigned int component) {
  double sum = 0;
  for (const auto &contact : record.contacts)
    sum += contact.percussion[component];
  return sum;
}

/// Returns key and status of each contact.
template <int dim>
std::vector<std::pair<ContactKey, ContactStatus>> statuses(const StepRecord<dim> &record) {
  std::vector<std::pair<ContactKey, ContactStatus>> all;
  for (const auto &contact : record.contacts)
    all.emplace_back(contact.key, contact.status);
  return all;
}

/// A block, usually rectangular, over rigid surfaces, ready to be stepped, for most tests of
/// dynamics. Change the members, then call start().
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
    state.q.reinit(bodies->n_dofs());
    state.v.reinit(bodies->n_dofs());
  }

  /// Takes the choices of a named scheme; the contacts take its law.
  void use(const Scheme &scheme) {
    choices.use(scheme);
    cone.method = scheme.method;
  }

  ContactPair<dim> &add_contact(const std::string &region, Surface<dim> surface, ImpactLawKind law,
                                const Restitution &restitution, double friction) {
    ContactPair<dim> pair;
    pair.name = region;
    pair.own_side = ElasticRegion{region};
    pair.opposite_side = std::move(surface);
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
        field[space().node_dofs[i][d]] = value[d];
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

  /// Prescribes one component of the motion of a region.
  void prescribe(const std::string &region, unsigned int component,
                 typename PrescribedMotion<dim>::Kind kind, const std::string &formula) {
    bodies->prescribe(region, bodies->region(region), component, kind, Expression(formula));
  }
  void add_traction(const std::string &region, unsigned int component, const std::string &formula) {
    bodies->loads.add_traction(*bodies->elastic.front(), mesh->region(region), component,
                               Expression(formula));
  }

  const StepRecord<dim> &advance() { return step->advance(state, (state.step + 1) * choices.h); }

  /// Returns the momentum of the body, component by component.
  std::array<double, dim> momentum() const {
    std::array<double, dim> sum{};
    for (const auto &dofs : space().node_dofs)
      for (unsigned int d = 0; d < dim; ++d)
        sum[d] += state.Mv[dofs[d]];
    return sum;
  }
};
using Block = BlockIn<2>;

} // namespace percussion::test
