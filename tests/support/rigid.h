#pragma once

#include <percussion/dynamics/step.h>

#include <cmath>
#include <memory>

namespace percussion::test {

/// Returns a homogeneous rectangle with its centre at `centre`, rotated by `angle`.
inline RigidBody<2> rectangle(const std::string &name, double width, double height, double mass,
                              const dealii::Point<2> &centre, double angle = 0) {
  RigidBody<2> body;
  body.name = name;
  body.mass = mass;
  body.inertia = mass * (width * width + height * height) / 12;
  body.centre = centre;
  const double c = std::cos(angle), s = std::sin(angle);
  for (const auto &corner :
       {std::array<double, 2>{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    const double x = corner[0] * width, y = corner[1] * height;
    body.outline.push_back(centre + dealii::Tensor<1, 2>({c * x - s * y, s * x + c * y}));
  }
  body.contact_points = body.outline;
  return body;
}

/// Rigid and elastic bodies, ready to be stepped. Change the members, then
/// call start().
struct RigidSystem {
  std::vector<RigidBody<2>> rigid;
  System<2>::ElasticBodies elastic;
  dealii::Tensor<1, 2> gravity;
  std::vector<ContactPair<2>> pairs;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<System<2>> bodies;
  std::unique_ptr<Boundary<2>> boundary;
  std::unique_ptr<Step<2>> step;
  State<2> state;

  RigidSystem() {
    choices.h = 1e-3;
    cone.tolerance = 1e-12;
  }

  /// Adds an elastic body on this mesh, which must outlive it.
  void add_elastic(const Mesh<2> &mesh, const Materials<2> &materials) {
    const unsigned int first_dof =
        elastic.empty() ? 0 : elastic.back()->space.first_dof + elastic.back()->n_dofs();
    elastic.push_back(std::make_unique<ElasticBody<2>>(mesh, materials, first_dof));
  }

  ContactPair<2> &add_contact(ImpactLawKind law, const Restitution &restitution, double friction) {
    ContactPair<2> pair;
    pair.name = "contact " + std::to_string(pairs.size());
    pair.law = law;
    pair.restitution = restitution;
    pair.friction = friction;
    pair.gap_tolerance = 1e-12;
    RigidBodies all;
    for (unsigned int b = 0; b < rigid.size(); ++b)
      all.indices.push_back(b);
    pair.own_side = std::move(all);
    std::get<Surface<2>>(pair.opposite_side).shape =
        HalfPlane<2>{dealii::Point<2>(), dealii::Tensor<1, 2>({0., 1.})};
    pairs.push_back(std::move(pair));
    return pairs.back();
  }
  /// Adds a contact of all rigid bodies with each other.
  ContactPair<2> &add_mutual_contact(ImpactLawKind law, const Restitution &restitution,
                                     double friction) {
    auto &pair = add_contact(law, restitution, friction);
    pair.opposite_side = RigidBodies{pair.bodies()};
    return pair;
  }

  /// Makes the system, at rest in its initial position.
  System<2> &make() {
    bodies = std::make_unique<System<2>>(std::move(elastic), std::move(rigid), gravity);
    state.q.reinit(bodies->n_dofs());
    state.v.reinit(bodies->n_dofs());
    return *bodies;
  }
  double *q(unsigned int body) { return state.q.data() + bodies->rigid_dof(body); }
  double *v(unsigned int body) { return state.v.data() + bodies->rigid_dof(body); }

  void start() {
    boundary = std::make_unique<Boundary<2>>(*bodies, std::move(pairs));
    if (!bodies->elastic.empty())
      add_nitsche_terms(*boundary, bodies->operators.stiffness);
    bodies->motion.set_initial_velocity(state.time, choices.h, state.v);
    step = std::make_unique<Step<2>>(*bodies, *boundary, choices, cone);
    step->initialise(state);
  }

  const StepRecord<2> &advance() { return step->advance(state, (state.step + 1) * choices.h); }
};

} // namespace percussion::test
