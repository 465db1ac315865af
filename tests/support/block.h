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
inline Material<2> hyperelastic(const HyperelasticLaw &law, const FiniteViscosity &viscosity = {}) {
  return {1., 1., small_strain_limit(law), {}, FiniteStrainMaterial{law, viscosity}};
}

/// The percussions of contacts that are listed in the same order, one after the other.
inline std::vector<double> percussions(const StepRecord<2> &record) {
  std::vector<double> all;
  for (const auto &contact : record.contacts)
    all.insert(all.end(), contact.percussion.begin(), contact.percussion.end());
  return all;
}

/// The sum of one component over all contacts: 0 normal, 1 tangential.
inline double total_percussion(const StepRecord<2> &record, unsigned int component) {
  double sum = 0;
  for (const auto &contact : record.contacts)
    sum += contact.percussion[component];
  return sum;
}

/// Key and status of each contact.
inline std::vector<std::pair<ContactKey, ContactStatus>> statuses(const StepRecord<2> &record) {
  std::vector<std::pair<ContactKey, ContactStatus>> all;
  for (const auto &contact : record.contacts)
    all.emplace_back(contact.key, contact.status);
  return all;
}

/// A rectangular block over rigid surfaces, ready to be stepped: what most tests of the dynamics
/// need. Change the members, then call start().
struct Block {
  std::unique_ptr<Mesh<2>> mesh;
  std::unique_ptr<System<2>> bodies;
  std::vector<ContactPair<2>> pairs;
  std::unique_ptr<Boundary<2>> boundary;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<Step<2>> step;
  State<2> state;

  Block(std::unique_ptr<Mesh<2>> m, const Material<2> &material,
        const dealii::Tensor<1, 2> &gravity = {})
      : Block(std::move(m), Materials<2>(material), gravity) {}
  Block(std::unique_ptr<Mesh<2>> m, const Materials<2> &materials,
        const dealii::Tensor<1, 2> &gravity = {})
      : mesh(std::move(m)), bodies(std::make_unique<System<2>>(*mesh, materials, gravity)) {
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

  ContactPair<2> &add_contact(const std::string &region, Surface<2> surface, ImpactLawKind law,
                              const Restitution &restitution, double friction) {
    ContactPair<2> pair;
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

  static Surface<2> ground(double height = 0) {
    Surface<2> surface;
    surface.shape = HalfPlane<2>{dealii::Point<2>(0., height), dealii::Tensor<1, 2>({0., 1.})};
    return surface;
  }

  void set(Vector &field, const std::function<std::array<double, 2>(const dealii::Point<2> &)> &f) {
    for (unsigned int i = 0; i < space().n_nodes(); ++i) {
      const auto value = f(space().nodes[i]);
      for (unsigned int d = 0; d < 2; ++d)
        entries(field)[space().node_dofs[i][d]] = value[d];
    }
  }

  void start() {
    boundary = std::make_unique<Boundary<2>>(*bodies, std::move(pairs));
    bodies->motion.set_initial_velocity(state.time, choices.h, state.v);
    step = std::make_unique<Step<2>>(*bodies, *boundary, choices, cone);
    step->initialise(state);
  }

  const Space<2> &space() const { return bodies->elastic.front()->space; }

  /// Prescribe one component of the motion of a region.
  void prescribe(const std::string &region, unsigned int component, PrescribedMotion<2>::Kind kind,
                 const std::string &formula) {
    bodies->prescribe(region, bodies->region(region), component, kind, Expression(formula));
  }
  void add_traction(const std::string &region, unsigned int component, const std::string &formula) {
    bodies->loads.add_traction(*bodies->elastic.front(), mesh->region(region), component,
                               Expression(formula));
  }

  const StepRecord<2> &advance() { return step->advance(state, (state.step + 1) * choices.h); }

  /// Momentum of the body, component by component.
  std::array<double, 2> momentum() const {
    std::array<double, 2> sum{};
    for (const auto &dofs : space().node_dofs)
      for (unsigned int d = 0; d < 2; ++d)
        sum[d] += entries(state.Mv)[dofs[d]];
    return sum;
  }
};

} // namespace percussion::test
