// Single steps and smooth motions with results in closed form.

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;
using test::percussions;
using test::statuses;
using Kind = PrescribedMotion<2>::Kind;

// ---- dust: one square element without stiffness ---- Its mass matrix is the product of two of [2
// 1; 1 2]/6. Equal impulses p at its two lower nodes change their velocities by 8 p / m; different
// ones by (8/m) [2 -1; -1 2] p.

constexpr double dust_mass = 1.7;

Block dust(double side, const dealii::Tensor<1, 2> &gravity = {}) {
  return Block(
      test::rectangle(CellShape::hypercube, side, side, 1, 1),
      {dust_mass / (side * side), 1., LinearElastic<2>::from_young(0., 0., Plane::strain), {}},
      gravity);
}

/// The four corners slide inside a circle that they touch. The linear fields are eigenvectors of
/// the mass matrix, so that each corner moves like an independent point, round the circle at
/// constant speed.
TEST(CircularMotion, TurnsTheNormalsAndKeepsTheSpeedToFirstOrder) {
  const double side = 1.3, radius = side / std::sqrt(2.), speed = 1.1, turn = 3.;
  const dealii::Point<2> centre(side / 2, side / 2);
  std::vector<double> angle_error, energy_error, radius_error;
  for (const unsigned int n : {400, 800, 1600}) {
    Block block = dust(side);
    Surface<2> circle;
    circle.shape = Ball<2>{centre, radius, true};
    block.add_contact("boundary", std::move(circle), ImpactLawKind::fremond, {}, 0.);
    block.set(block.state.v, [&](const auto &x) -> std::array<double, 2> {
      return {{-speed / radius * (x[1] - centre[1]), speed / radius * (x[0] - centre[0])}};
    });
    block.choices.h = turn * radius / speed / n;
    block.choices.normal_rows = NormalRows::frames;
    block.start();
    const double energy = block.state.energy();
    // A point of a twelfth of the mass at each corner.
    EXPECT_NEAR(energy, 4 * 0.5 * dust_mass / 12 * speed * speed, 1e-14);
    const auto radius_vector = [&](const ContactPoint<2> &point) {
      return dealii::Tensor<1, 2>(
          point.position - centre +
          block.boundary->value_at(point, block.boundary->trace.gather(block.state.q)));
    };
    double worst_angle = 0, worst_radius = 0;
    for (unsigned int k = 0; k < n; ++k) {
      std::vector<dealii::Tensor<1, 2>> inward;
      for (const auto &point : block.boundary->points)
        inward.push_back(-radius_vector(point) / radius_vector(point).norm());
      const auto &record = block.advance();
      ASSERT_EQ(record.contacts.size(), 4u);
      for (std::size_t i = 0; i < inward.size(); ++i)
        ASSERT_LT((record.contacts[i].normal - inward[i]).norm(), 1e-14);
    }
    for (const auto &point : block.boundary->points) {
      const auto r = radius_vector(point);
      const dealii::Tensor<1, 2> r0 = point.position - centre;
      const double angle = std::atan2(r0[0] * r[1] - r0[1] * r[0], r0 * r);
      worst_angle = std::max(worst_angle, std::abs(angle - turn));
      worst_radius = std::max(worst_radius, std::abs(r.norm() - radius));
    }
    angle_error.push_back(worst_angle);
    radius_error.push_back(worst_radius);
    energy_error.push_back(std::abs(block.state.energy() / energy - 1.));
  }
  for (const auto &error : {angle_error, radius_error, energy_error}) {
    EXPECT_LT(error[2], 0.03);
    for (std::size_t i = 1; i < error.size(); ++i)
      EXPECT_NEAR(std::log2(error[i - 1] / error[i]), 1., 0.1);
  }
}

/// Both lower nodes hit the ground with −w and slip with different friction.
TEST(SlidingStep, HasTheWorksOfItsWorstContact) {
  const double w = 0.5, speed = 2., e = 0.3, theta = 0.6;
  const std::array<double, 2> friction{{0.1, 0.4}};
  for (const double direction : {1., -1.}) {
    Block block = dust(0.9);
    block.add_contact("bottom", Block::ground(1e-3), ImpactLawKind::fremond, {e, 0, 0},
                      friction[0]);
    block.set(block.state.v, [&](const auto &) -> std::array<double, 2> {
      return {{direction * speed, -w}};
    });
    block.choices.theta = theta;
    block.start();
    block.boundary->points[1].friction = friction[1];
    const auto &record = block.advance();
    ASSERT_EQ(record.contacts.size(), 2u);
    const double p = dust_mass * (1 + e) * w / 8;
    double u[2], work[2];
    for (unsigned int i = 0; i < 2; ++i) {
      u[i] = speed - theta * (1 + e) * w * (2 * friction[i] - friction[1 - i]);
      work[i] = -friction[i] * p * u[i];
      EXPECT_NEAR(record.contacts[i].percussion[0], p, 1e-14);
      EXPECT_NEAR(record.contacts[i].percussion[1], -direction * friction[i] * p, 1e-14);
      EXPECT_NEAR(record.contacts[i].velocity[1], direction * u[i], 1e-13);
    }
    const double normal_work = ((theta - 1) * w + theta * e * w) * p;
    EXPECT_EQ(record.n_sliding, 2u);
    EXPECT_NEAR(record.tangential_work_min, work[1], 1e-14);
    EXPECT_NEAR(record.normal_work_min, normal_work, 1e-14);
    EXPECT_LT(normal_work, -1e-3);
    EXPECT_EQ(record.tangential_work_max, 0.);
    EXPECT_EQ(record.normal_work_max, 0.);
    EXPECT_NEAR(record.works.contact_tangential, work[0] + work[1], 1e-14);
    EXPECT_NEAR(record.works.contact_normal, 2 * normal_work, 1e-14);
  }
}

/// A node below the surface leaves with w > 0, but a weight presses it back within the step. With e
/// = 0 the law of the paper demands u1 = 0: the percussion does work on u_θ = (1−θ) w. The
/// dissipative law demands u_θ = 0.
TEST(SeparatingContact, DoesWorkInThePaperOnly) {
  const double w = 0.1, g = 50., h = 0.01;
  for (const double theta : {0.5, 0.7})
    for (const auto separating :
         {SeparatingContacts::as_in_paper, SeparatingContacts::dissipative}) {
      const bool paper = separating == SeparatingContacts::as_in_paper;
      Block block = dust(0.9, dealii::Tensor<1, 2>({0., -g}));
      block.add_contact("bottom", Block::ground(1e-2), ImpactLawKind::fremond, {}, 0.2);
      block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0., w}}; });
      block.choices.h = h;
      block.choices.theta = theta;
      block.choices.separating = separating;
      block.start();
      const auto &record = block.advance();
      const double p = dust_mass * (g * h - (paper ? w : w / theta)) / 8;
      const double work = paper ? (1 - theta) * w * p : 0.;
      ASSERT_EQ(record.contacts.size(), 2u);
      for (const auto &contact : record.contacts)
        EXPECT_NEAR(contact.percussion[0], p, 1e-14);
      EXPECT_NEAR(record.normal_work_max, work, 1e-15);
      EXPECT_NEAR(record.works.contact_normal, 2 * work, 1e-15);
      EXPECT_TRUE(!paper || work > 1e-4);
    }
}

/// AC24 (64) and AC23 (55) to the letter: the same node has no law in the step in which it leaves,
/// flies, and has one again when it approaches below the surface.
TEST(SeparatingContact, HasNoLawIfItIsInactive) {
  const double w = 0.1, g = 50., h = 0.003;
  for (const auto forecast : {Forecast::position, Forecast::prediction}) {
    Block block = dust(0.9, dealii::Tensor<1, 2>({0., -g}));
    block.add_contact("bottom", Block::ground(1e-2), ImpactLawKind::fremond, {}, 0.2);
    block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0., w}}; });
    block.choices.h = h;
    block.choices.forecast = forecast;
    block.choices.separating = SeparatingContacts::inactive;
    block.start();
    const auto velocity = [&] { return block.momentum()[1] / dust_mass; };
    EXPECT_TRUE(block.advance().contacts.empty());
    EXPECT_NEAR(velocity(), w - g * h, 1e-14);
    ASSERT_LT(velocity(), 0.);
    const auto &record = block.advance();
    ASSERT_EQ(record.contacts.size(), 2u);
    for (const unsigned int node : block.mesh->region("bottom").nodes) // e = 0
      EXPECT_NEAR(block.state.v[block.space().node_dofs[node][1]], 0., 1e-14);
    EXPECT_LE(record.normal_work_max, 0.);
  }
}

// ---- contact velocities and differences of gaps ----

/// Largest difference between (d1 − d0)/h of BBDM24 (3.6) and the contact velocity H v_θ of the
/// steps of points that move round a circle, accelerated by dead loads. By the symmetry of the
/// square each corner moves like an independent point.
double difference_of_rates(NormalRows rows, Frames frames, unsigned int n_steps) {
  const double side = 1.3, radius = side / std::sqrt(2.), speed = 1.1;
  const dealii::Point<2> centre(side / 2, side / 2);
  Block block = dust(side);
  Surface<2> circle;
  circle.shape = Ball<2>{centre, radius, true};
  block.add_contact("boundary", std::move(circle), ImpactLawKind::persistent, {}, 0.);
  block.set(block.state.v, [&](const auto &x) -> std::array<double, 2> {
    return {{-speed / radius * (x[1] - centre[1]), speed / radius * (x[0] - centre[0])}};
  });
  block.add_traction("boundary", 0, "0.65 - y");
  block.add_traction("boundary", 1, "x - 0.65");
  block.choices.h = radius / speed / n_steps;
  block.choices.frames = frames;
  block.choices.normal_rows = rows;
  block.start();
  double largest = 0;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const ContactList<2> before = block.state.found;
    const auto &record = block.advance();
    EXPECT_EQ(record.contacts.size(), 4u);
    for (const auto &contact : record.contacts) {
      const double rate =
          (block.state.found.find(contact.key)->gap - before.find(contact.key)->gap) /
          block.choices.h;
      largest = std::max(largest, std::abs(rate - contact.velocity[0]));
    }
  }
  return largest / speed;
}

/// With secant rows, contact velocities are the differences of gaps.
TEST(GapRates, AreContactVelocitiesOfSecantRows) {
  for (const Frames frames : {Frames::start, Frames::midpoint})
    EXPECT_LT(difference_of_rates(NormalRows::secant, frames, 50), 1e-8);
}

/// In the frames of the scheme, both differ on a curved surface by the order of the frames: one at
/// the start of the step, two at its predicted midpoint. At the reached midpoint of a step on a
/// circle, x0 + x1 is the normal, and (x1 − x0) · (x1 + x0) = |x1|² − |x0|²: closed contacts have
/// no difference.
TEST(GapRates, DifferFromContactVelocitiesByTheOrderOfTheFrames) {
  for (const auto &[frames, order] :
       {std::pair{Frames::start, 1.}, std::pair{Frames::midpoint, 2.}}) {
    const double coarse = difference_of_rates(NormalRows::frames, frames, 50),
                 fine = difference_of_rates(NormalRows::frames, frames, 100);
    EXPECT_GT(fine, 1e-6);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1);
  }
  EXPECT_LT(difference_of_rates(NormalRows::frames, Frames::reached, 50), 1e-11);
}

// ---- reported properties of a state ----

/// A slightly rotated body without strain: the left corner is the deepest point.
TEST(Penetration, IsThatOfTheDeepestNode) {
  for (const double depth : {0.0123, -0.0321}) {
    Block block(test::rectangle(CellShape::hypercube, 2, 1, 4, 2),
                {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
    block.set(block.state.q, [&](const auto &x) -> std::array<double, 2> {
      return {{-0.002 * x[1], 0.002 * x[0] - depth}};
    });
    block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.3);
    block.start();
    EXPECT_NEAR(block.step->last().penetration_max, std::max(depth, 0.), 1e-15);
    EXPECT_NEAR(block.advance().penetration_max, std::max(depth, 0.), 1e-15);
    // On its way up the body leaves the ground.
    block.set(block.state.v, [](const auto &) -> std::array<double, 2> { return {{0., 1.}}; });
    block.step->initialise(block.state);
    for (const double left : {depth - 0.001, depth - 0.002})
      EXPECT_NEAR(block.advance().penetration_max, std::max(left, 0.), 1e-15);
  }
}

/// A step stores only the state: the memory of the solver is an initial guess, not a result.
TEST(Step, GoesOnFromAStateAsIfItHadNoPast) {
  const auto make = [] {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 10, 5, 0.2),
                {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}},
                dealii::Tensor<1, 2>({3., -9.81}));
    block.add_contact("bottom", Block::ground(-0.0123), ImpactLawKind::fremond, {}, 0.4);
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{1.5 - 0.3 * x[1], -1. + 0.3 * x[0]}};
    });
    block.start();
    return block;
  };
  Block old = make(), fresh = make();
  std::size_t active = 0;
  for (unsigned int k = 0; k < 100; ++k) {
    for (unsigned int i = 0; i < 3; ++i)
      active += old.advance().contacts.size();
    fresh.state = old.state;
    fresh.step =
        std::make_unique<Step<2>>(*fresh.bodies, *fresh.boundary, fresh.choices, fresh.cone);
    fresh.step->initialise(fresh.state);
    const auto &old_record = old.advance();
    const auto &without = fresh.advance();
    ASSERT_EQ(statuses(old_record), statuses(without));
    const auto one = percussions(old_record), other = percussions(without);
    for (std::size_t i = 0; i < one.size(); ++i)
      ASSERT_NEAR(one[i], other[i], 1e-13);
    ASSERT_NEAR(old.state.energy(), fresh.state.energy(), 1e-13 * old.state.energy());
  }
  EXPECT_GT(active, 100u);
}

// ---- loads and prescribed motion ----

/// Internal forces have no resultant: the sum of M (v1 − v0) is h [(1−θ) F(t0) + θ F(t1)].
TEST(Momentum, GrowsByTheMeanForceOfTheStep) {
  const double h = 0.05, theta = 0.7, density = 1.3, thickness = 0.8;
  Block block(
      test::rectangle(CellShape::simplex, 2, 1.5, 4, 3, 0.2),
      {density, thickness, LinearElastic<2>::from_young(10., 0.3, Plane::strain), {0.03, 0., 0.02}},
      dealii::Tensor<1, 2>({0.2, -0.3}));
  block.add_traction("right", 0, "0.3+cos(5*t)");
  block.add_traction("top", 1, "x*exp(-3*t)");
  block.choices.h = h;
  block.choices.theta = theta;
  block.start();
  const double mass = density * thickness * 2 * 1.5;
  const auto force = [&](double t) -> std::array<double, 2> {
    return {{0.2 * mass + thickness * 1.5 * (0.3 + std::cos(5 * t)),
             -0.3 * mass + thickness * 2. * std::exp(-3 * t)}}; // ∫ x dx = 2 on the top
  };
  for (unsigned int k = 0; k < 20; ++k) {
    const auto before = block.momentum();
    const auto F0 = force(k * h), F1 = force((k + 1) * h);
    block.advance();
    const auto after = block.momentum();
    for (unsigned int d = 0; d < 2; ++d)
      ASSERT_NEAR(after[d] - before[d], h * ((1 - theta) * F0[d] + theta * F1[d]), 1e-13);
  }
}

TEST(PrescribedMotion, HasItsVelocityFromTheBeginning) {
  const double h = 0.02;
  for (const double theta : {0.5, 0.8}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 4, 2, 0.2),
                {1., 1., LinearElastic<2>::from_young(10., 0.3, Plane::strain), {}});
    block.prescribe("left", 0, Kind::velocity, "(0.1+0.3*cos(2*t))*(1+y)");
    block.prescribe("right", 1, Kind::displacement, "0.02+0.4*t*(2-y)");
    block.bodies->motion.set_displacement(0., block.state.q);
    block.choices.h = h;
    block.choices.theta = theta;
    block.start();
    for (unsigned int k = 0; k < 3; ++k) {
      const double t = k * h;
      if (k > 0)
        block.advance();
      for (const unsigned int node : block.mesh->region("left").nodes)
        EXPECT_NEAR(block.state.v[block.space().node_dofs[node][0]],
                    (0.1 + 0.3 * std::cos(2 * t)) * (1 + block.space().nodes[node][1]), 1e-14)
            << "step " << k;
      for (const unsigned int node : block.mesh->region("right").nodes) {
        const unsigned int dof = block.space().node_dofs[node][1];
        const double rate = 0.4 * (2 - block.space().nodes[node][1]);
        EXPECT_NEAR(block.state.v[dof], rate, 1e-13) << "step " << k;
        EXPECT_NEAR(block.state.q[dof], 0.02 + rate * t, 1e-15) << "step " << k;
      }
    }
  }
}

/// The left edge is driven sideways while its corner rests on a moving incline: one component of
/// the corner's percussion moves the node, the other acts against the prescribed motion.
TEST(HalfPrescribedContact, WorksOnWhatDrivesIt) {
  for (const double theta : {0.5, 0.7}) {
    const double h = 2e-3, g = 9.81, mass = 2.;
    Block block(test::rectangle(CellShape::simplex, 2, 1, 6, 3, 0.2),
                {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {0.05, 0., 1e-3}},
                dealii::Tensor<1, 2>({0.5, -g}));
    block.prescribe("left", 0, Kind::velocity, "0.4*cos(3*t)");
    Surface<2> incline;
    incline.shape = HalfPlane<2>{dealii::Point<2>(0., 0.), dealii::Tensor<1, 2>({0.28, 0.96})};
    incline.motion.emplace_back("0.03*sin(4*t)");
    incline.motion.emplace_back("0.02*(1-cos(7*t))");
    block.add_contact("bottom", std::move(incline), ImpactLawKind::fremond, {0.2, 0, 0}, 0.3);
    block.choices.h = h;
    block.choices.theta = theta;
    block.start();
    const auto surface_at = [](double t) {
      return dealii::Tensor<1, 2>({0.03 * std::sin(4 * t), 0.02 * (1 - std::cos(7 * t))});
    };
    double scale = 0, borne = 0;
    for (unsigned int k = 0; k < 500; ++k) {
      const auto before = block.momentum();
      const double t0 = k * h, t1 = (k + 1) * h;
      const auto &record = block.advance();
      scale = std::max(scale, block.state.energy());
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * scale) << "step " << k;

      dealii::Tensor<1, 2> percussion;
      for (const auto &contact : record.contacts) {
        const auto frame = local_frame<2>(contact.normal);
        const dealii::Tensor<1, 2> p =
            contact.percussion[0] * frame[0] + contact.percussion[1] * frame[1];
        percussion += p;
        if (block.boundary->points[contact.point].position[0] == 0.) {
          ASSERT_EQ(contact.percussion[1], 0.); // without friction
          borne += std::abs(p[0] * 0.4 * std::cos(3 * t0));
        }
      }
      // The prescribed motion supplies the momentum that gravity and contact do not.
      const double driving = block.momentum()[0] - before[0] - h * 0.5 * mass - percussion[0];
      const double v = (1 - theta) * 0.4 * std::cos(3 * t0) + theta * 0.4 * std::cos(3 * t1);
      const double surface_work = percussion * (surface_at(t1) - surface_at(t0)) / h;
      ASSERT_NEAR(record.works.prescribed, driving * v + surface_work, 1e-13 * scale)
          << "step " << k;
    }
    EXPECT_GT(borne, 1e-2 * scale);
  }
}

} // namespace
