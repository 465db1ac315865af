// Rigid bodies and an elastic one in the same system.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/meshes.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

/// Fixture: a rigid block falls obliquely on an elastic one that lies on the ground. The ledger
/// closes for every law of the material, only the ground changes the momentum, and the methods of
/// solution agree.
class RigidOnElastic : public ::testing::TestWithParam<bool> {
protected:
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::hypercube, 2, 0.6, 8, 3, 0.);

  RigidSystem drop(ConeMethod method, double mu) const {
    const bool hyperelastic = GetParam();
    RigidSystem system;
    system.choices.h = 2e-3;
    system.cone.method = method;
    system.choices.newton_tolerance = 1e-12;
    if (hyperelastic) {
      system.choices.frames = Frames::midpoint;
      system.choices.forecast = Forecast::leapfrog;
    }
    const auto law = Ogden{200., 2., 140., Plane::strain};
    const Material<2> material =
        hyperelastic
            ? test::hyperelastic(law)
            : Material<2>{1., 1., LinearElastic<2>::from_young(1000., 0.3, Plane::strain), {}};
    system.add_elastic(*mesh, material);
    system.rigid = {rectangle("hammer", 0.7, 0.4, 1.5, dealii::Point<2>(0.9, 1.05), 0.3)};
    auto &ground = system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, mu);
    ground.own_side = ElasticRegion{"bottom"};
    auto &impact = system.add_contact(ImpactLawKind::fremond, {0.5, 0., 0.}, mu);
    impact.own_side = ElasticRegion{"top"};
    impact.opposite_side = RigidBodies{{0}};
    system.make();
    system.v(0)[0] = 0.5;
    system.v(0)[1] = -2;
    system.start();
    return system;
  }
};

TEST_P(RigidOnElastic, ClosesTheLedgerAndKeepsMomentum) {
  for (const double mu : {0., 0.4}) {
    RigidSystem system = drop(ConeMethod::automatic, mu);
    const auto &bodies = *system.bodies;
    const double energy = system.state.energy();
    bool hit = false;
    for (unsigned int k = 0; k < 300; ++k) {
      std::array<double, 2> before{}, after{}, ground{};
      const auto momentum = [&](std::array<double, 2> &sum) {
        for (unsigned int d = 0; d < 2; ++d) {
          for (const auto &dofs : bodies.elastic.front()->space.node_dofs)
            sum[d] += system.state.Mv[dofs[d]];
          sum[d] += system.state.Mv[bodies.rigid_dof(0) + d];
        }
      };
      momentum(before);
      const auto &record = system.advance();
      momentum(after);
      for (const auto &contact : record.contacts) {
        const bool is_ground = !contact.opposite_body;
        hit = hit || !is_ground;
        ground[1] += is_ground ? contact.percussion[0] : 0;
        ground[0] += is_ground ? contact.percussion[1] : 0;
      }
      for (unsigned int d = 0; d < 2; ++d)
        ASSERT_NEAR(after[d] - before[d], ground[d], 1e-10);
      ASSERT_NEAR(record.balance_residual, 0, 2e-13 * energy);
      ASSERT_LE(record.tangential_work_max, 1e-12);
      ASSERT_LE(record.normal_work_max, 1e-12);
    }
    EXPECT_TRUE(hit);
    EXPECT_LE(system.state.energy(), energy);
  }
}

TEST_P(RigidOnElastic, RoutesAgree) {
  std::vector<State<2>> ends;
  for (const auto method : {ConeMethod::automatic, ConeMethod::nsgs, ConeMethod::pdas}) {
    RigidSystem system = drop(method, 0.4);
    for (unsigned int k = 0; k < 200; ++k)
      system.advance();
    ends.push_back(system.state);
  }
  for (unsigned int i = 0; i < ends[0].q.size(); ++i)
    for (const std::size_t other : {1u, 2u}) {
      ASSERT_NEAR(ends[0].q[i], ends[other].q[i], 1e-8);
      ASSERT_NEAR(ends[0].v[i], ends[other].v[i], 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Materials, RigidOnElastic, ::testing::Values(false, true),
                         [](const auto &hyperelastic) {
                           return std::string(hyperelastic.param ? "Hyperelastic" : "Linear");
                         });

/// A free block on an elastic one that is driven sideways is carried along by friction.
TEST(RigidMotion, DrivenElasticBodiesRubAgainstFreeOnes) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 0.6, 8, 3, 0.);
  RigidSystem system;
  const Material<2> material{1., 1., LinearElastic<2>::from_young(1000., 0.3, Plane::strain), {}};
  system.add_elastic(*mesh, material);
  system.rigid = {rectangle("rider", 0.7, 0.2, 1, dealii::Point<2>(1, 0.7))};
  system.gravity = dealii::Tensor<1, 2>({0., -10.});
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  pair.own_side = ElasticRegion{"top"};
  pair.opposite_side = RigidBodies{{0}};
  auto &bodies = system.make();
  using Kind = PrescribedMotion<2>::Kind;
  for (const unsigned int d : {0u, 1u})
    bodies.prescribe("boundary", bodies.region("boundary"), d, Kind::velocity,
                     Expression(d == 0 ? "0.5" : "0"));
  system.start();
  for (unsigned int k = 0; k < 100; ++k)
    system.advance();
  EXPECT_NEAR(system.v(0)[0], 0.3 * 10 * 0.1, 1e-6);
  for (unsigned int k = 0; k < 200; ++k)
    system.advance();
  // Frémond's law sticks on the mean velocity of a step.
  const double before = system.v(0)[0];
  system.advance();
  EXPECT_NEAR(0.5 * (before + system.v(0)[0]), 0.5, 1e-9);
}

/// A spin stores no energy: the ledger of a stiff body that rotates slightly closes like the ledger
/// of a body at rest.
TEST(RigidMotion, SpinDoesNotDrownTheBalanceOfAStiffBody) {
  const auto mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  RigidSystem system;
  const Material<2> steel{7800., 1., LinearElastic<2>::from_young(2.1e11, 0.3, Plane::strain), {}};
  system.add_elastic(*mesh, steel);
  auto &bodies = system.make();
  const double omega = 3;
  for (unsigned int i = 0; i < bodies.elastic.front()->space.n_nodes(); ++i) {
    const auto &dofs = bodies.elastic.front()->space.node_dofs[i];
    system.state.v[dofs[0]] = -omega * bodies.elastic.front()->space.nodes[i][1];
    system.state.v[dofs[1]] = omega * bodies.elastic.front()->space.nodes[i][0];
  }
  system.start();
  const double energy = system.state.energy();
  for (unsigned int k = 0; k < 500; ++k)
    ASSERT_NEAR(system.advance().balance_residual, 0, 2e-12 * energy);
  EXPECT_NEAR(system.state.energy(), energy, 1e-10 * energy);
}

} // namespace
