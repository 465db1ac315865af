// Rigid bodies in 3D with all integrators: free fall, free rotation, rolling, and the balance.

#include <percussion/base/error.h>
#include <percussion/body/attitude.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/solids.h"

namespace integrators_in_space {

using namespace percussion;
using test::SolidSystem;
using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

const std::vector<std::string> integrators = {"moreau-jean", "newmark-signorini",
                                              "generalized-alpha", "paoli-schatzman"};
/// Returns the time by which the velocities of an integrator are older than the positions, in
/// steps.
double delay(const std::string &name) { return name == "paoli-schatzman" ? 0.5 : 0.; }

TEST(IntegratorsInSpace, FallFreely) {
  for (const auto &name : integrators) {
    SolidSystem system;
    system.choices.use(scheme(name));
    system.choices.h = 0.01;
    system.rigid = {solid_body("ball", 3, {make_sphere({0, 0, 100}, 0.2)})};
    system.gravity = Tensor({0., 0., -9.81});
    system.make();
    system.v(0)[1] = 2;
    system.start();
    for (unsigned int k = 0; k < 100; ++k)
      system.advance();
    EXPECT_NEAR(system.q(0)[2], -0.5 * 9.81, 1e-12) << name;
    EXPECT_NEAR(system.q(0)[1], 2, 1e-12) << name;
    EXPECT_NEAR(system.v(0)[2], -9.81 * (1. - delay(name) * system.choices.h), 1e-12) << name;
  }
}

/// Returns the attitude of a box after free rotation about an axis that is not principal.
dealii::Tensor<2, 3> turned_box(const std::string &name, double h) {
  SolidSystem system;
  system.choices.use(scheme(name));
  system.choices.h = h;
  system.rigid = {solid_body("box", 1, {make_box({0, 0, 0}, Tensor({1, 2, 3}))})};
  system.make();
  system.v(0)[3] = 0.8;
  system.v(0)[4] = 1;
  system.v(0)[5] = -0.5;
  system.start();
  const double energy = system.state.energy();
  for (long k = 0, n = std::lround(4 / h); k < n; ++k)
    EXPECT_NEAR(system.advance().balance_residual, 0, 1e-14 * energy) << name;
  return RigidPose<3>(system.bodies->rigid[0], system.q(0)).rotation;
}

TEST(IntegratorsInSpace, TurnFreelyToTheirOrder) {
  const auto exact = turned_box("moreau-jean", 0.04 / 256);
  for (const auto &name : integrators) {
    std::vector<double> errors;
    for (const double h : {0.04, 0.02, 0.01})
      errors.push_back((turned_box(name, h) - exact).norm());
    for (std::size_t i = 1; i < errors.size(); ++i)
      EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.15) << name;
    EXPECT_LT(errors.back(), 2e-3) << name;
  }
}

/// A sliding sphere ends up rolling with 5/7 of its velocity; the balance closes.
TEST(IntegratorsInSpace, SlideUntilTheyRoll) {
  const double g = 9.81, mu = 0.3, r = 0.2, v0 = 2;
  for (const auto &name : integrators) {
    std::vector<double> errors;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      SolidSystem system;
      system.choices.use(scheme(name));
      system.choices.frames = Frames::midpoint;
      system.choices.h = h;
      system.rigid = {solid_body("ball", 3, {make_sphere({0, 0, r}, r)})};
      system.gravity = Tensor({0., 0., -g});
      system.add_contact(scheme(name).law, {0., 0., 0.}, mu).gap_tolerance = 1e-9;
      system.make();
      system.v(0)[0] = v0;
      system.start();
      const double energy = system.state.energy();
      double sum = 0; // sum over the last steps: forces at the end of a step may alternate
      constexpr unsigned int n_mean = 20;
      const auto n = static_cast<unsigned int>(std::lround(0.8 / h));
      for (unsigned int k = 0; k < n; ++k) {
        ASSERT_NEAR(system.advance().balance_residual, 0, 1e-13 * energy) << name;
        sum += k + n_mean >= n ? system.v(0)[0] / n_mean : 0.;
      }
      EXPECT_NEAR(sum, 5. / 7 * v0, 4 * mu * g * h) << name << ' ' << h;
      EXPECT_NEAR(system.q(0)[2], 0, 1e-9 + 2 * g * h * h) << name;
    }
  }
}

/// A ball that rolls on a turntable moves in a circle with 2/7 of its angular velocity, at constant
/// speed. Returns the error of its position after a time.
double turntable_error(Frames frames, double h) {
  constexpr double rate = 3, r = 0.1, orbit = 2. / 7 * rate, time = 4;
  SolidSystem system;
  system.choices.h = h;
  system.choices.frames = frames;
  system.rigid = {solid_body("table", 1000, {make_box({0, 0, -0.1}, Tensor({4, 4, 0.2}))}),
                  solid_body("ball", 1000, {make_sphere({0.5, 0, r}, r)})};
  system.gravity = Tensor({0., 0., -9.81});
  auto &pair = system.add_mutual_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.5);
  pair.gap_tolerance = 1e-9;
  auto &bodies = system.make();
  for (unsigned int d = 0; d < 6; ++d)
    bodies.prescribe(0, d, PrescribedMotion<3>::Kind::velocity,
                     Expression(d == 5 ? std::to_string(rate) : "0"));
  system.v(1)[1] = 0.6;
  system.v(1)[3] = (0.5 * rate - 0.6) / r;
  system.start();
  for (long k = 0, n = std::lround(time / h); k < n; ++k) {
    const auto &record = system.advance();
    EXPECT_EQ(record.contacts.size(), 1u);
    EXPECT_EQ(record.n_sliding, 0u);
  }
  const double centre = 0.5 - 0.6 / orbit;
  return std::hypot(0.5 + system.q(1)[0] - centre - 0.6 / orbit * std::cos(orbit * time),
                    system.q(1)[1] - 0.6 / orbit * std::sin(orbit * time));
}

TEST(FramesInSpace, AtTheMidpointAreOfSecondOrder) {
  std::vector<double> midpoint, start;
  for (const double h : {0.01, 0.005, 0.0025}) {
    midpoint.push_back(turntable_error(Frames::midpoint, h));
    start.push_back(turntable_error(Frames::start, h));
  }
  for (std::size_t i = 1; i < midpoint.size(); ++i) {
    EXPECT_NEAR(std::log2(midpoint[i - 1] / midpoint[i]), 2., 0.1);
    EXPECT_LT(std::log2(start[i - 1] / start[i]), 1.7);
  }
  EXPECT_LT(5 * midpoint.back(), start.back());
}

/// A momentum that is inconsistent with the velocities gives a step with a wrong energy.
TEST(Balance, EndsTheRunWhereItDoesNotClose) {
  for (const std::string name : {"moreau-jean", "newmark-signorini"}) {
    test::Block block(test::rectangle(CellShape::hypercube, 2, 1, 3, 2),
                      {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}},
                      dealii::Tensor<1, 2>({0., -1.}));
    block.use(scheme(name));
    block.choices.h = 0.05;
    block.start();
    for (unsigned int k = 0; k < 5; ++k)
      block.advance();
    block.state.Mv *= 1. + 1e-6;
    try {
      block.advance();
      ADD_FAILURE() << name;
    } catch (const RunError &error) {
      const std::string text = error.what();
      for (const char *const piece :
           {"step 6 ", "the energy balance does not close", "residual", "largest term"})
        EXPECT_NE(text.find(piece), std::string::npos) << text;
    }
  }
}

} // namespace integrators_in_space
