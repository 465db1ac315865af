// Rigid bodies with the general step, compared with closed forms.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/meshes.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

/// A block on an incline sticks for μ > tan α, otherwise it slides with g (sin α − μ cos α),
/// exactly with the midpoint rule.
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
      std::get<Surface<2>>(pair.opposite_side).shape = HalfPlane<2>{dealii::Point<2>(), normal};
      system.make();
      system.start();
      for (unsigned int k = 0; k < 1000; ++k) {
        const auto &record = system.advance();
        ASSERT_EQ(record.contacts.size(), 2u);
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
/// impact, hence e² its height, until the impacts accumulate; then the ball rests.
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
    // The fall and all rebounds take v/g (1 + 2e/(1−e)).
    const double rest = speed / g * (1 + 2 * e / (1 - e));
    double highest = 0;
    unsigned int n_impacts = 0;
    while (system.state.time < 1.2 * rest) {
      const double before = system.v(0)[1];
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0, 1e-15 * 2 * g * height * 10);
      ASSERT_LE(record.normal_work_max, 1e-15);
      if (!record.contacts.empty() && before < -0.01) {
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
    EXPECT_NEAR(system.step->last().contacts.at(0).percussion[0], 2 * g * system.choices.h, 1e-15);
    EXPECT_NEAR(highest, 0, speed * system.choices.h);
  }
}

/// Two blocks collide: linear momentum is conserved to round-off, angular momentum to the order of
/// the step, and energy exactly with e = 1 and Frémond's law, with or without friction.
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
          const RigidBody<2> &body = system.bodies->rigid[b];
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
        n_impacts += !record.contacts.empty();
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

/// A stack on an oscillating table, whose motion is transmitted upwards by friction: the ledger
/// contains the work of the table and of a prescribed body, two solvers agree, and the stack stays
/// upright.
TEST(RigidMotion, StackOnAMovingTableClosesTheLedger) {
  std::vector<double> method_positions;
  for (const auto method : {ConeMethod::nsgs, ConeMethod::automatic}) {
    RigidSystem system;
    system.cone.method = method;
    for (unsigned int k = 0; k < 3; ++k)
      system.rigid.push_back(rectangle("block " + std::to_string(k), 1, 0.4, 1 + k,
                                       dealii::Point<2>(0.1 * k, 0.2 + 0.4 * k)));
    system.rigid.push_back(rectangle("hammer", 0.2, 0.2, 1, dealii::Point<2>(1.2, 1.0)));
    system.gravity = dealii::Tensor<1, 2>({0., -10});
    auto &ground = system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.5);
    ground.own_side = RigidBodies{{0, 1, 2}};
    std::get<Surface<2>>(ground.opposite_side).motion.emplace_back("0.02*sin(3*t)^2");
    std::get<Surface<2>>(ground.opposite_side).motion.emplace_back("0.001*sin(20*t)^2");
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
      // The tolerance of the solver times the impulse of the weight.
      ASSERT_LE(record.tangential_work_max, 1e-13);
      ASSERT_LE(record.normal_work_max, 1e-13);
      work += record.works.sum();
      prescribed += record.works.prescribed;
      for (const auto &contact : record.contacts)
        hit = hit || system.boundary->points[contact.point].rigid_body() == 3u ||
              contact.opposite_body == 3u;
    }
    EXPECT_TRUE(hit);
    EXPECT_GT(std::abs(prescribed), 1e-3);
    EXPECT_NEAR(system.state.energy() - energy, work, 1e-11);
    EXPECT_NEAR(system.q(3)[0], -0.2 * 1.5 * 1.5, 1e-12);
    EXPECT_LT(system.step->last().penetration_max, 1e-3);
    for (unsigned int b = 0; b < 3; ++b)
      method_positions.insert(method_positions.end(),
                              {system.q(b)[0], system.q(b)[1], system.q(b)[2]});
  }
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(method_positions[i], method_positions[i + 9], 1e-7);
}

/// A pile with a tiny rotation of every block: its contacts are almost dependent, so that most sets
/// of statuses have no solution. Every problem must be solved nevertheless, and without a hundred
/// thousand sweeps.
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
      EXPECT_GT(record.contacts.size(), 10u);
    }
  }
}

/// A body with fully prescribed motion leaves no unknowns: its work is the work of the prescribed
/// motion.
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

/// Friction acts on a sled pulled over the ground, whether it may rotate or not.
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

/// The motion of a pinned bar does not depend on the unit of length: it rotates until its end hits
/// the ground, and back.
TEST(RigidMotion, TinyPinnedBodiesTouchToo) {
  for (const double unit : {1., 1e-7}) {
    RigidSystem system;
    system.rigid = {rectangle("bar", 4 * unit, 0.2 * unit, 1, dealii::Point<2>(0, 0.5 * unit))};
    system.add_contact(ImpactLawKind::fremond, {1., 0., 0.}, 0.);
    auto &bodies = system.make();
    using Kind = PrescribedMotion<2>::Kind;
    for (const unsigned int d : {0u, 1u})
      bodies.prescribe(0, d, Kind::displacement, Expression("0"));
    system.v(0)[2] = -1;
    system.start();
    double farthest = 0;
    for (unsigned int k = 0; k < 500; ++k) {
      system.advance();
      farthest = std::max(farthest, std::abs(system.q(0)[2]));
    }
    // Its lower corner, at (2, -0.1) from the pin, reaches the ground 0.5 below.
    const double reach = std::asin(0.5 / std::hypot(2, 0.1)) - std::atan(0.1 / 2);
    EXPECT_NEAR(farthest, reach, 2 * system.choices.h);
    EXPECT_NEAR(std::abs(system.v(0)[2]), 1, 1e-12);
  }
}

/// Two bodies that approach each other bounce with every forecast and with both kinds of frames;
/// the touching vertices have no history when they come close.
TEST(RigidMotion, EveryForecastSeesBodiesMeet) {
  for (const auto &forecast : forecasts())
    for (const auto frames : {Frames::start, Frames::midpoint}) {
      RigidSystem system;
      system.choices.forecast = forecast.forecast;
      system.choices.frames = frames;
      system.rigid = {
          rectangle("a", 1, 1, 1, dealii::Point<2>()),
          rectangle("b", 1, 1, 1, dealii::Point<2>(1.5003, 0.1))}; // excludes ties of a forecast
      system.add_mutual_contact(ImpactLawKind::fremond, {1., 0., 0.}, 0.);
      system.make();
      system.v(1)[0] = -2;
      system.start();
      for (unsigned int k = 0; k < 400; ++k)
        ASSERT_LT(system.advance().penetration_max, 3 * 2 * system.choices.h) << forecast.name;
      // Both points of the face rebound, so that both bodies rotate equally, by ω = (offset/2) P /
      // J with the impulse P, and 2 P + offset ω is twice the velocity of the approach.
      const double offset = 0.1, inertia = 1. / 6;
      const double P = 4 / (2 + offset * offset / 2 / inertia);
      EXPECT_NEAR(system.v(0)[0], -P, 1e-9) << forecast.name;
      EXPECT_NEAR(system.v(1)[0], P - 2, 1e-9) << forecast.name;
      EXPECT_NEAR(std::abs(system.v(0)[2]), offset / 2 * P / inertia, 1e-9) << forecast.name;
      EXPECT_NEAR(system.v(0)[2], system.v(1)[2], 1e-9) << forecast.name;
    }
}

} // namespace
