// Rigid bodies through the one step, against closed forms.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/meshes.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

/// One impact of a stick whose lower end touches the ground, free of other forces. All that the
/// impact needs is in closed form: W of the end, and the velocities before.
struct StickImpact {
  static constexpr double mass = 1, length = 1, inertia = 1. / 12;
  double angle, friction;
  ImpactLawKind law;
  std::array<double, 3> v0; ///< velocities before

  double W_nn, W_nt, W_tt;
  std::array<double, 2> u0{}, u1{}, p{}; ///< normal, tangential (+x): before, after, percussion
  double energy_gain = 0;

  StickImpact(double a, double mu, ImpactLawKind l, const std::array<double, 3> &v)
      : angle(a), friction(mu), law(l), v0(v) {
    RigidSystem system;
    system.choices.h = 1e-9; // nothing moves meanwhile
    RigidBody stick;
    stick.mass = mass;
    stick.inertia = inertia;
    stick.centre = dealii::Point<2>(-0.5 * std::sin(angle), 0.5 * std::cos(angle));
    stick.outline = {dealii::Point<2>(), stick.centre + stick.centre};
    stick.contact_points = {dealii::Point<2>()};
    system.rigid = {stick};
    system.add_contact(law, {1., 0., 0.}, friction);
    system.make();
    std::copy(v0.begin(), v0.end(), system.v(0));
    system.start();
    const double before = system.state.energy();
    const auto &record = system.advance();
    const double rx = 0.5 * std::sin(angle), ry = -0.5 * std::cos(angle); // from the centre
    W_nn = 1 / mass + rx * rx / inertia;
    W_tt = 1 / mass + ry * ry / inertia;
    W_nt = -rx * ry / inertia;
    u0 = {v0[1] + rx * v0[2], v0[0] - ry * v0[2]};
    const double *const v1 = system.v(0);
    u1 = {v1[1] + rx * v1[2], v1[0] - ry * v1[2]};
    p = {record.percussion[0], record.percussion[1]};
    energy_gain = system.state.energy() - before;
    EXPECT_NEAR(record.balance_residual, 0, 1e-14);
    EXPECT_NEAR(record.works.contact_tangential + record.works.contact_normal, energy_gain, 1e-14);
  }
};

/// Newton and Coulomb with e = 1 where the end sticks: u1 = (−u0_N, 0), p = W⁻¹ (u1 − u0), and the
/// energy grows by ½ u0_T p_T, which is positive here (Kane's puzzle). Fremond's law sticks on the
/// mean velocity: u1 = −u0, and the energy stays.
TEST(RigidImpact, NewtonCoulombCreatesEnergyAndFremondDoesNot) {
  const double angle = M_PI / 4, mu = 2;
  const std::array<double, 3> v0 = {0.3, -1, 0};
  const StickImpact newton(angle, mu, ImpactLawKind::newton_coulomb, v0);
  const double det = newton.W_nn * newton.W_tt - newton.W_nt * newton.W_nt;
  const double un = newton.u0[0], ut = newton.u0[1];
  const double pn = (-2 * un * newton.W_tt + ut * newton.W_nt) / det;
  const double pt = (2 * un * newton.W_nt - ut * newton.W_nn) / det;
  ASSERT_LT(std::abs(pt), mu * pn); // it sticks
  EXPECT_NEAR(newton.p[0], pn, 1e-13);
  EXPECT_NEAR(newton.p[1], pt, 1e-13);
  EXPECT_NEAR(newton.u1[0], -un, 1e-13);
  EXPECT_NEAR(newton.u1[1], 0, 1e-13);
  EXPECT_NEAR(newton.energy_gain, 0.5 * ut * pt, 1e-13);
  EXPECT_LT(newton.energy_gain, 0); // in this direction; in the other:

  const StickImpact other(angle, mu, ImpactLawKind::newton_coulomb, {-0.3, -1, 0});
  const double other_pt = (2 * un * other.W_nt + ut * other.W_nn) / det;
  EXPECT_NEAR(other.energy_gain, -0.5 * ut * other_pt, 1e-13);
  EXPECT_GT(other.energy_gain, 0.08); // of an energy of 0.545

  for (const double vx : {0.3, -0.3}) {
    const StickImpact fremond(angle, mu, ImpactLawKind::fremond, {vx, -1, 0});
    EXPECT_NEAR(fremond.energy_gain, 0, 1e-15);
    EXPECT_NEAR(fremond.u1[0], -fremond.u0[0], 1e-13);
    EXPECT_NEAR(fremond.u1[1], -fremond.u0[1], 1e-13);
  }
}

/// Both laws where the end slips throughout: p_T = ∓μ p_N against the slip, u1_N = −u0_N.
TEST(RigidImpact, SlipIsTheConesEdge) {
  const double angle = 0.3, mu = 0.05;
  for (const auto law : {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond})
    for (const double vx : {3., -3.}) {
      const StickImpact impact(angle, mu, law, {vx, -1, 0.2});
      const double sign = vx > 0 ? -1 : 1;
      const double pn = -2 * impact.u0[0] / (impact.W_nn + sign * mu * impact.W_nt);
      EXPECT_NEAR(impact.p[0], pn, 1e-13);
      EXPECT_NEAR(impact.p[1], sign * mu * pn, 1e-13);
      const double ut1 = impact.u0[1] + (impact.W_nt + sign * mu * impact.W_tt) * pn;
      EXPECT_NEAR(impact.u1[1], ut1, 1e-13);
      ASSERT_GT(impact.u1[1] * vx, 0); // it slipped all the way
      EXPECT_NEAR(impact.energy_gain, 0.5 * (impact.u0[1] + ut1) * sign * mu * pn, 1e-13);
    }
}

/// Fremond's law gains nothing, whatever comes: random impacts, where the classical law gains in
/// many.
TEST(RigidImpact, FremondNeverGains) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  unsigned int gains = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const double angle = 1.5 * number(random), mu = 1 + number(random);
    const std::array<double, 3> v0 = {number(random), number(random) - 1.5, number(random)};
    gains += StickImpact(angle, mu, ImpactLawKind::newton_coulomb, v0).energy_gain > 1e-3;
    EXPECT_LE(StickImpact(angle, mu, ImpactLawKind::fremond, v0).energy_gain, 1e-14);
  }
  EXPECT_GT(gains, 20u);
}

/// A block on an incline: sticks for μ > tan α, else slides with g (sin α − μ cos α), exactly by
/// the midpoint rule.
TEST(RigidMotion, BlockOnAnIncline) {
  const double alpha = 0.4, g = 9.81;
  for (const auto law : {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond})
    for (const double mu : {0., 0.2, 0.42, 0.43, 0.6}) {
      RigidSystem system;
      const dealii::Tensor<1, 2> normal({-std::sin(alpha), std::cos(alpha)});
      const dealii::Tensor<1, 2> downhill({-std::cos(alpha), -std::sin(alpha)});
      system.rigid = {rectangle("block", 2, 1, 3, dealii::Point<2>(0.5 * normal), alpha)};
      system.gravity = dealii::Tensor<1, 2>({0., -g});
      auto &pair = system.add_contact(law, {0., 0., 0.}, mu);
      pair.surface.shape = HalfPlane<2>{dealii::Point<2>(), normal};
      system.make();
      system.start();
      for (unsigned int k = 0; k < 1000; ++k) {
        const auto &record = system.advance();
        ASSERT_EQ(record.active.size(), 2u);
        ASSERT_NEAR(record.balance_residual, 0, 1e-12);
      }
      const double a = std::max(0., g * (std::sin(alpha) - mu * std::cos(alpha)));
      const double t = 1;
      const double *const q = system.q(0), *const v = system.v(0);
      EXPECT_NEAR(q[0] * downhill[0] + q[1] * downhill[1], 0.5 * a * t * t, 1e-10) << mu;
      EXPECT_NEAR(v[0] * downhill[0] + v[1] * downhill[1], a * t, 1e-10) << mu;
      EXPECT_NEAR(q[0] * normal[0] + q[1] * normal[1], 0, 1e-12);
      EXPECT_NEAR(q[2], 0, 1e-12);
    }
}

/// A ball, here a body that touches with its centre: every rebound has e times the velocity of its
/// impact, hence e² its height, until the impacts accumulate; then it rests.
TEST(RigidMotion, BallBouncesWithItsRestitutionAndComesToRest) {
  const double e = 0.6, g = 10, height = 0.5;
  for (const auto law : {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond}) {
    RigidSystem system;
    system.choices.h = 1e-4;
    system.rigid = {rectangle("ball", 0.1, 0.1, 2, dealii::Point<2>(0, height))};
    system.rigid[0].contact_points = {system.rigid[0].centre};
    system.gravity = dealii::Tensor<1, 2>({0., -g});
    system.add_contact(law, {e, 0., 0.}, 0.3);
    system.make();
    system.start();
    std::vector<double> heights(1, height);
    const double speed = std::sqrt(2 * g * height);
    // Fall and all rebounds take v/g (1 + 2e/(1−e)).
    const double rest = speed / g * (1 + 2 * e / (1 - e));
    double highest = 0;
    unsigned int n_impacts = 0;
    while (system.state.time < 1.2 * rest) {
      const double before = system.v(0)[1];
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0, 1e-15 * 2 * g * height * 10);
      ASSERT_LE(record.normal_work_max, 1e-15);
      if (!record.active.empty() && before < -0.01) {
        EXPECT_NEAR(system.v(0)[1], -e * before, 1e-12);
        ++n_impacts;
        heights.push_back(0);
      }
      highest = height + system.q(0)[1];
      heights.back() = std::max(heights.back(), highest);
    }
    EXPECT_GT(n_impacts, 8u);
    for (std::size_t n = 1; n < 6; ++n)
      EXPECT_NEAR(heights[n], height * std::pow(e, 2 * n), 30 * system.choices.h * speed);
    // At rest the ground carries the weight.
    EXPECT_NEAR(system.v(0)[1], 0, 1e-15);
    EXPECT_NEAR(system.step->last().percussion[0], 2 * g * system.choices.h, 1e-15);
    EXPECT_NEAR(highest, 0, speed * system.choices.h);
  }
}

/// Two blocks that fly into each other: linear momentum stays to round-off, angular momentum to the
/// order of the step, energy with e = 1 and Fremond's law exactly, friction or not.
TEST(RigidMotion, CollisionKeepsMomentumAndEnergy) {
  for (const double mu : {0., 0.5})
    for (const double h : {1e-3, 1e-4}) {
      RigidSystem system;
      system.choices.h = h;
      system.rigid = {rectangle("a", 1, 1, 2, dealii::Point<2>(), 0.3),
                      rectangle("b", 0.8, 0.5, 1, dealii::Point<2>(1.6, 0.2), -0.2)};
      system.add_mutual_contact(ImpactLawKind::fremond, {1., 0., 0.}, mu);
      system.make();
      system.v(1)[0] = -2;
      system.v(1)[2] = 1;
      system.start();
      const auto momenta = [&] {
        std::array<double, 3> sum{};
        for (unsigned int b = 0; b < 2; ++b) {
          const RigidBody &body = system.bodies->rigid[b];
          const double *const q = system.q(b), *const v = system.v(b);
          sum[0] += body.mass * v[0];
          sum[1] += body.mass * v[1];
          sum[2] += body.inertia * v[2] +
                    body.mass * ((body.centre[0] + q[0]) * v[1] - (body.centre[1] + q[1]) * v[0]);
        }
        return sum;
      };
      const auto before = momenta();
      const double energy = system.state.energy();
      unsigned int n_impacts = 0;
      while (system.state.time < 1) {
        const auto &record = system.advance();
        n_impacts += !record.active.empty();
        ASSERT_NEAR(record.balance_residual, 0, 1e-14);
        ASSERT_LE(record.tangential_work_max, 1e-15);
      }
      EXPECT_GT(n_impacts, 0u);
      const auto after = momenta();
      EXPECT_NEAR(after[0], before[0], 1e-13);
      EXPECT_NEAR(after[1], before[1], 1e-13);
      EXPECT_NEAR(after[2], before[2], 20 * h);
      if (mu == 0) {
        EXPECT_NEAR(system.state.energy(), energy, 1e-13);
      } else {
        EXPECT_LE(system.state.energy(), energy + 1e-13);
      }
      EXPECT_NE(system.v(0)[2], 0);
    }
}

/// A stack on a table that moves to and fro, which the blocks below pass on by friction: what the
/// table and a prescribed body put in is in the ledger, two solvers agree, and the stack stays.
TEST(RigidMotion, StackOnAMovingTableClosesTheLedger) {
  std::vector<double> of_method;
  for (const auto method : {ConeMethod::nsgs, ConeMethod::newton}) {
    RigidSystem system;
    system.cone.method = method;
    for (unsigned int k = 0; k < 3; ++k)
      system.rigid.push_back(rectangle("block " + std::to_string(k), 1, 0.4, 1 + k,
                                       dealii::Point<2>(0.1 * k, 0.2 + 0.4 * k)));
    system.rigid.push_back(rectangle("hammer", 0.2, 0.2, 1, dealii::Point<2>(1.2, 1.0)));
    system.gravity = dealii::Tensor<1, 2>({0., -10});
    auto &ground = system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.5);
    ground.bodies.pop_back();
    ground.surface.motion.emplace_back("0.02*sin(3*t)^2");
    ground.surface.motion.emplace_back("0.001*sin(20*t)^2");
    system.add_mutual_contact(ImpactLawKind::fremond, {0.3, 0., 0.}, 0.4);
    auto &bodies = system.make();
    using Kind = PrescribedMotion<2>::Kind;
    bodies.prescribe(3, 0, Kind::displacement, Expression("-0.2*t^2"));
    bodies.prescribe(3, 1, Kind::velocity, Expression("0"));
    bodies.prescribe(3, 2, Kind::displacement, Expression("0.3*t"));
    system.start();
    double energy = system.state.energy(), work = 0, prescribed = 0;
    bool hit = false;
    for (unsigned int k = 0; k < 1500; ++k) {
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0, 1e-13);
      // The solver's tolerance times the impulse of the weight.
      ASSERT_LE(record.tangential_work_max, 1e-13);
      ASSERT_LE(record.normal_work_max, 1e-13);
      work += record.works.sum();
      prescribed += record.works.prescribed;
      for (const unsigned int i : record.active) {
        const auto &point = system.contacts->points[i];
        hit = hit || point.body == 3 || point.obstacle == 3;
      }
    }
    EXPECT_TRUE(hit);
    EXPECT_GT(std::abs(prescribed), 1e-3);
    EXPECT_NEAR(system.state.energy() - energy, work, 1e-11);
    EXPECT_NEAR(system.q(3)[0], -0.2 * 1.5 * 1.5, 1e-12);
    EXPECT_LT(system.step->last().penetration_max, 1e-3);
    for (unsigned int b = 0; b < 3; ++b)
      of_method.insert(of_method.end(), {system.q(b)[0], system.q(b)[1], system.q(b)[2]});
  }
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(of_method[i], of_method[i + 9], 1e-7);
}

/// A rigid block dropped askew on an elastic one that lies on the ground: the ledger closes for
/// every law of the material, momentum comes from the ground alone, and the routes agree.
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
    system.elastic = std::make_unique<ElasticBody<2>>(*mesh, material);
    system.rigid = {rectangle("hammer", 0.7, 0.4, 1.5, dealii::Point<2>(0.9, 1.05), 0.3)};
    auto &ground = system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, mu);
    ground.region = "bottom";
    ground.bodies.clear();
    auto &impact = system.add_contact(ImpactLawKind::fremond, {0.5, 0., 0.}, mu);
    impact.region = "top";
    impact.bodies.clear();
    impact.against = {0};
    system.make();
    system.v(0)[0] = 0.5;
    system.v(0)[1] = -2;
    system.start();
    return system;
  }
};

TEST_P(RigidOnElastic, ClosesTheLedgerAndKeepsMomentum) {
  for (const double mu : {0., 0.4}) {
    RigidSystem system = drop(ConeMethod::newton, mu);
    const auto &bodies = *system.bodies;
    const double energy = system.state.energy();
    bool hit = false;
    for (unsigned int k = 0; k < 300; ++k) {
      std::array<double, 2> before{}, after{}, ground{};
      const auto momentum = [&](std::array<double, 2> &sum) {
        for (unsigned int d = 0; d < 2; ++d) {
          for (const auto &dofs : bodies.elastic->space.node_dofs)
            sum[d] += entries(system.state.Mv)[dofs[d]];
          sum[d] += entries(system.state.Mv)[bodies.rigid_dof(0) + d];
        }
      };
      momentum(before);
      const auto &record = system.advance();
      momentum(after);
      for (const unsigned int i : record.active) {
        const bool of_ground = system.contacts->points[i].obstacle == ContactPoint<2>::none;
        hit = hit || !of_ground;
        ground[1] += of_ground ? record.percussion[2 * i] : 0;
        ground[0] += of_ground ? record.percussion[2 * i + 1] : 0;
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
  for (const auto method : {ConeMethod::newton, ConeMethod::nsgs, ConeMethod::pdas}) {
    RigidSystem system = drop(method, 0.4);
    for (unsigned int k = 0; k < 200; ++k)
      system.advance();
    ends.push_back(system.state);
  }
  for (unsigned int i = 0; i < ends[0].q.size(); ++i)
    for (const std::size_t other : {1u, 2u}) {
      ASSERT_NEAR(entries(ends[0].q)[i], entries(ends[other].q)[i], 1e-8);
      ASSERT_NEAR(entries(ends[0].v)[i], entries(ends[other].v)[i], 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Materials, RigidOnElastic, ::testing::Values(false, true),
                         [](const auto &hyperelastic) {
                           return std::string(hyperelastic.param ? "Hyperelastic" : "Linear");
                         });

/// A pile in which every block is turned by next to nothing: its contacts depend on each other but
/// for that, so that most sets of statuses have no solution. Each has to be solved all the same,
/// and not by a hundred thousand sweeps.
TEST(RigidMotion, PilesOfAlmostAlignedBlocksAreSolved) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (unsigned int repetition = 0; repetition < 40; ++repetition) {
    RigidSystem system;
    system.cone.tolerance = 1e-10;
    for (unsigned int course = 0; course < 8; ++course)
      for (unsigned int i = 0; i < (course % 2 == 0 ? 2u : 1u); ++i) {
        const double width = course % 2 == 0 ? 0.45 : 0.9;
        system.rigid.push_back(rectangle(
            "block", width, 0.3, width,
            dealii::Point<2>(course % 2 == 0 ? -0.225 + 0.45 * i : 0., 0.15 + 0.2999 * course)));
      }
    system.gravity = dealii::Tensor<1, 2>({0., -9.81});
    system.add_contact(ImpactLawKind::dissipation_index, {0., 0., 1.}, 0.3);
    system.add_mutual_contact(ImpactLawKind::dissipation_index, {0., 0., 1.}, 0.3);
    auto &bodies = system.make();
    const double turn = std::pow(10., -9. + 0.15 * repetition);
    for (unsigned int b = 0; b < bodies.rigid.size(); ++b) {
      system.q(b)[2] = turn * number(random);
      for (unsigned int d = 0; d < 3; ++d)
        system.v(b)[d] = 0.3 * number(random);
    }
    system.start();
    for (unsigned int k = 0; k < 5; ++k) {
      const auto &record = system.advance();
      EXPECT_LE(record.solver_residual, 1e-10);
      EXPECT_LT(record.solver_iterations, 20000u);
      EXPECT_GT(record.active.size(), 10u);
    }
  }
}

/// A body all of whose motion is prescribed leaves nothing to solve: its work is that of what moves
/// it.
TEST(RigidMotion, NothingMayBeFree) {
  RigidSystem system;
  system.rigid = {rectangle("driven", 1, 1, 2, dealii::Point<2>())};
  auto &bodies = system.make();
  using Kind = PrescribedMotion<2>::Kind;
  bodies.prescribe(0, 0, Kind::displacement, Expression("sin(t)"));
  bodies.prescribe(0, 1, Kind::velocity, Expression("t"));
  bodies.prescribe(0, 2, Kind::displacement, Expression("t^2"));
  system.start();
  const double before = system.state.energy();
  double work = 0;
  for (unsigned int k = 0; k < 1000; ++k)
    work += system.advance().works.prescribed;
  EXPECT_NEAR(system.q(0)[0], std::sin(1.), 1e-14);
  EXPECT_NEAR(system.v(0)[1], 1., 1e-12);
  EXPECT_NEAR(system.state.energy() - before, work, 1e-13);
}

/// A sled that is pulled over the ground rubs whether it may turn or not.
TEST(RigidMotion, APulledSledRubs) {
  for (const bool may_turn : {true, false}) {
    RigidSystem system;
    system.rigid = {rectangle("sled", 1, 0.1, 2, dealii::Point<2>(0, 0.05))};
    system.gravity = dealii::Tensor<1, 2>({0., -10.});
    system.add_contact(ImpactLawKind::fremond, {}, 0.5);
    auto &bodies = system.make();
    using Kind = PrescribedMotion<2>::Kind;
    bodies.prescribe(0, 0, Kind::velocity, Expression("0.3"));
    if (!may_turn)
      bodies.prescribe(0, 2, Kind::velocity, Expression("0"));
    system.start();
    Works works;
    for (unsigned int k = 0; k < 1000; ++k)
      works += system.advance().works;
    EXPECT_NEAR(works.contact_tangential, -0.5 * 2 * 10 * 0.3, 1e-10);
    EXPECT_NEAR(works.prescribed, 0.5 * 2 * 10 * 0.3, 1e-10);
  }
}

/// A free block on an elastic one that is driven sideways is taken along by friction.
TEST(RigidMotion, DrivenElasticBodiesRubAgainstFreeOnes) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 0.6, 8, 3, 0.);
  RigidSystem system;
  const Material<2> material{1., 1., LinearElastic<2>::from_young(1000., 0.3, Plane::strain), {}};
  system.elastic = std::make_unique<ElasticBody<2>>(*mesh, material);
  system.rigid = {rectangle("rider", 0.7, 0.2, 1, dealii::Point<2>(1, 0.7))};
  system.gravity = dealii::Tensor<1, 2>({0., -10.});
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  pair.region = "top";
  pair.bodies.clear();
  pair.against = {0};
  auto &bodies = system.make();
  using Kind = PrescribedMotion<2>::Kind;
  for (const unsigned int d : {0u, 1u})
    bodies.prescribe("boundary", mesh->region("boundary"), d, Kind::velocity,
                     Expression(d == 0 ? "0.5" : "0"));
  system.start();
  for (unsigned int k = 0; k < 100; ++k)
    system.advance();
  EXPECT_NEAR(system.v(0)[0], 0.3 * 10 * 0.1, 1e-6);
  for (unsigned int k = 0; k < 200; ++k)
    system.advance();
  // Frémond's law sticks by the mean velocity of a step.
  const double before = system.v(0)[0];
  system.advance();
  EXPECT_NEAR(0.5 * (before + system.v(0)[0]), 0.5, 1e-9);
}

/// A spin stores no energy: a stiff body that turns a little closes its ledger like one at rest.
TEST(RigidMotion, SpinDoesNotDrownTheBalanceOfAStiffBody) {
  const auto mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  RigidSystem system;
  const Material<2> steel{7800., 1., LinearElastic<2>::from_young(2.1e11, 0.3, Plane::strain), {}};
  system.elastic = std::make_unique<ElasticBody<2>>(*mesh, steel);
  auto &bodies = system.make();
  const double omega = 3;
  for (unsigned int i = 0; i < bodies.elastic->space.n_nodes(); ++i) {
    const auto &dofs = bodies.elastic->space.node_dofs[i];
    entries(system.state.v)[dofs[0]] = -omega * bodies.elastic->space.nodes[i][1];
    entries(system.state.v)[dofs[1]] = omega * bodies.elastic->space.nodes[i][0];
  }
  system.start();
  const double energy = system.state.energy();
  for (unsigned int k = 0; k < 500; ++k)
    ASSERT_NEAR(system.advance().balance_residual, 0, 2e-12 * energy);
  EXPECT_NEAR(system.state.energy(), energy, 1e-10 * energy);
}

} // namespace
