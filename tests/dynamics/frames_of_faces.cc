// Frames of contacts between elastic bodies: midpoints predicted with the velocities of contact
// nodes let these nodes penetrate.

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/rigid.h"

namespace frames_of_faces {

using namespace percussion;

/// Two discs with a hole in an impact with persistent contact. In a step, waves travel twenty times
/// the length of an edge at the surfaces.
struct Discs {
  std::array<std::unique_ptr<Mesh<2>>, 2> mesh = {
      {test::ring(0.4, 1., 96, 6), test::ring(0.4, 1., 120, 6)}};
  test::RigidSystem system;

  Discs(Discretisation discretisation, bool has_inertia, Frames frames, bool predicts_faces) {
    const char *const names[] = {"lower", "upper"};
    for (unsigned int b = 0; b < 2; ++b) {
      // No vertex of one disc is opposite to a vertex of the other.
      test::move(*mesh[b], 0.01 * (b + 1.), dealii::Tensor<1, 2>({0., b == 0 ? -1. : 1.002}));
      mesh[b]->file = std::string(names[b]) + ".msh";
      const Material<2> material{1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}};
      system.add_elastic(*mesh[b], material);
    }
    const Scheme &scheme_of_discs = scheme("pdas-leapfrog");
    auto &pair = system.add_contact(scheme_of_discs.law, {}, 0.);
    pair.own_side = ElasticRegion{"lower:outer"};
    pair.opposite_side = ElasticRegions{{"upper:outer"}};
    pair.discretisation = discretisation;
    system.choices.use(scheme_of_discs);
    system.choices.frames = frames;
    system.choices.normal_rows = NormalRows::frames;
    system.choices.predicts_faces = predicts_faces;
    system.choices.h = 0.1;
    system.cone.method = scheme_of_discs.method;
    System<2> &bodies = system.make();
    for (unsigned int b = 0; b < 2; ++b) {
      const auto &space = bodies.elastic[b]->space;
      for (const auto &dofs : space.node_dofs)
        system.state.v[dofs[1]] = b == 0 ? 0.02 : -0.02;
    }
    if (!has_inertia)
      bodies.redistribute_inertia(*bodies.elastic[0], mesh[0]->region("outer").nodes);
    system.start();
    for (auto &point : system.boundary->points)
      point.has_inertia = has_inertia || point.elastic_body() != 0u;
  }
};

struct Impact {
  double impulse = 0, largest_force = 0, drift = 0, energy_error = 0;
};

Impact impact_of(Discretisation discretisation, bool has_inertia, Frames frames,
                 bool predicts_faces = false) {
  Discs discs(discretisation, has_inertia, frames, predicts_faces);
  const double energy = discs.system.state.energy();
  Impact impact;
  for (unsigned int k = 0; k < 90; ++k) {
    const auto &record = discs.system.advance();
    double percussion = 0;
    for (const auto &contact : record.contacts)
      percussion += contact.percussion[0];
    impact.impulse += percussion;
    impact.largest_force = std::max(impact.largest_force, percussion / discs.system.choices.h);
    impact.drift = std::max(impact.drift, record.defects.defect(DefectKind::drift).value);
    impact.energy_error =
        std::max(impact.energy_error, std::abs(discs.system.state.energy() - energy));
  }
  impact.energy_error /= energy;
  return impact;
}

/// With the default frames of a scheme the impact is the same as with frames at the reached
/// midpoint of each step. With a midpoint predicted by velocities, nodes with mass penetrate more
/// than ten times as deep. The energy is constant with all frames.
TEST(FramesOfFaces, AreNotPredictedByAlternatingVelocities) {
  for (const auto discretisation : {Discretisation::mortar, Discretisation::nodes})
    for (const bool has_inertia : {true, false}) {
      const Impact reached = impact_of(discretisation, has_inertia, Frames::reached);
      const Impact kept = impact_of(discretisation, has_inertia, Frames::midpoint);
      const Impact predicted = impact_of(discretisation, has_inertia, Frames::midpoint, true);
      EXPECT_NEAR(kept.impulse, reached.impulse, 1e-3 * reached.impulse);
      EXPECT_NEAR(kept.largest_force, reached.largest_force, 0.02 * reached.largest_force);
      EXPECT_LT(kept.drift, 1e-4);
      if (has_inertia && discretisation == Discretisation::nodes) {
        EXPECT_GT(predicted.drift, 10. * kept.drift);
      }
      for (const Impact &impact : {reached, kept, predicted})
        EXPECT_LT(impact.energy_error, 1e-11);
    }
}

} // namespace frames_of_faces
