#pragma once

#include <percussion/dynamics/step.h>

#include <memory>

namespace percussion::test {

/// Rigid bodies in 3D, ready to be stepped. Change the members, then call make() and start().
struct SolidSystem {
  std::vector<RigidBody<3>> rigid;
  dealii::Tensor<1, 3> gravity;
  std::vector<ContactPair<3>> pairs;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<System<3>> bodies;
  std::unique_ptr<Boundary<3>> boundary;
  std::unique_ptr<Step<3>> step;
  State<3> state;

  SolidSystem() {
    choices.h = 1e-3;
    cone.tolerance = 1e-12;
  }

  /// Adds a contact of all bodies with the half-space z > 0, unless another surface is set.
  ContactPair<3> &add_contact(ImpactLawKind law, const Restitution &restitution, double friction) {
    ContactPair<3> pair;
    pair.name = "contact " + std::to_string(pairs.size());
    pair.law = law;
    pair.restitution = restitution;
    pair.friction = friction;
    pair.gap_tolerance = 1e-12;
    RigidBodies all;
    for (unsigned int b = 0; b < rigid.size(); ++b)
      all.indices.push_back(b);
    pair.own_side = std::move(all);
    std::get<Surface<3>>(pair.opposite_side).shape =
        HalfPlane<3>{dealii::Point<3>(), dealii::Tensor<1, 3>({0., 0., 1.})};
    pairs.push_back(std::move(pair));
    return pairs.back();
  }
  /// Adds a contact of all bodies with each other.
  ContactPair<3> &add_mutual_contact(ImpactLawKind law, const Restitution &restitution,
                                     double friction) {
    auto &pair = add_contact(law, restitution, friction);
    pair.opposite_side = RigidBodies{pair.bodies()};
    return pair;
  }

  /// Makes the system, at rest in its initial position.
  System<3> &make() {
    bodies = std::make_unique<System<3>>(System<3>::ElasticBodies(), std::move(rigid), gravity);
    state.q.reinit(bodies->n_dofs());
    state.v.reinit(bodies->n_dofs());
    return *bodies;
  }
  double *q(unsigned int body) { return state.q.data() + bodies->rigid_dof(body); }
  double *v(unsigned int body) { return state.v.data() + bodies->rigid_dof(body); }

  void start() {
    boundary = std::make_unique<Boundary<3>>(*bodies, std::move(pairs));
    bodies->motion.set_initial_velocity(state.time, choices.h, state.v);
    step = std::make_unique<Step<3>>(*bodies, *boundary, choices, cone);
    step->initialise(state);
  }

  const StepRecord<3> &advance() { return step->advance(state, (state.step + 1) * choices.h); }
};

} // namespace percussion::test
