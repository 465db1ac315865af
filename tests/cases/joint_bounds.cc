// Limits and friction of joints against closed forms, in 2D and 3D.

#include <percussion/base/format.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"

namespace joint_bounds {

using namespace percussion;
using Stepped2 = cases_in_space::Stepped<2>;
using Stepped3 = cases_in_space::Stepped<3>;

using namespace case_text;

std::string time(double h, double theta = 0.5) {
  return format("subsection Time\n  set Scheme = moreau-jean-fremond\n  set Theta = %.17g\n"
                "  set Step = %.17g\n  set End = 1000\nend\n",
                theta, h);
}
std::string box(const std::string &position, const std::string &entries = "") {
  return set("Mass", "1") + set("Shape", "box") + set("Size", "1, 0.2, 0.1") +
         set("Position", position) + entries;
}
std::string joint(const std::string &kind, const std::string &bodies, const std::string &point,
                  const std::string &entries) {
  return set("Kind", kind) + set("Bodies", bodies) + set("Point", point) + entries;
}

template <int dim>
double coordinate(const cases_in_space::Stepped<dim> &run, std::size_t index = 0) {
  return LinkForces<dim>(*run.c.bodies)
      .drive_coordinates(run.state.q, run.state.link_turns)
      .at(index);
}

/// Returns the largest displacement of a joint out of position, relative to its size.
template <int dim>
double largest_defect(const cases_in_space::Stepped<dim> &run) {
  double largest = 0;
  for (const auto &link : run.c.bodies->links) {
    const double *const q = run.state.q.data();
    const LinkMotion<dim> motion(*run.c.bodies, link, q, q);
    for (const auto &held : coordinates_of(link))
      if (held.is_held) {
        const auto values = motion.motion(held);
        largest = std::max(largest, std::abs(values.end - held.drive.rest) / values.size);
      }
  }
  return largest;
}

/// Advances a step; expects that its ledger closes to 1e-13 of an energy, that limits and friction
/// do no positive work, and that joints hold.
template <int dim>
const StepRecord<dim> &advance(cases_in_space::Stepped<dim> &run, double energy) {
  const auto &record = run.advance();
  EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy) << run.state.step;
  EXPECT_LE(record.works.contact_normal, 1e-14 * energy) << run.state.step;
  EXPECT_LE(record.works.contact_tangential, 1e-14 * energy) << run.state.step;
  EXPECT_LT(largest_defect(run), 1e-13) << run.state.step;
  return record;
}

// ---- a pendulum that hits its limit ----

Stepped3 pendulum(double restitution, double theta = 0.5) {
  return rigid_runs::stepped<3>(
      in("Rigid bodies", section("bar", box("0.5, 0, 0"))) +
      in("Joints", section("axle", joint("hinge", "bar", "0, 0, 0",
                                         set("Axis", "0, 1, 0") + set("Upper angle", 0.5) +
                                             set("Restitution", restitution)))) +
      gravity("0, 0, -10") + time(1e-3, theta));
}

TEST(PendulumAtItsLimit, ReboundsByTheRestitution) {
  for (const double e : {0.8, 0.5, 1.}) {
    Stepped3 run = pendulum(e);
    unsigned int n_impacts = 0;
    for (unsigned int k = 0; k < 1500; ++k) {
      const double before = rigid_runs::velocity(run, 0)[4];
      const auto &record = advance(run, 5.);
      if (record.bound_impulses.at(0).limit == 0.)
        continue;
      ++n_impacts;
      ASSERT_LT(record.bound_impulses[0].limit, 0.);
      const double after = rigid_runs::velocity(run, 0)[4];
      // The impact also ends motions against the joint: an error of second order.
      if (before > 0.1) {
        ASSERT_NEAR(after, -e * before, 2e-5) << k;
      }
    }
    EXPECT_GE(n_impacts, 2u);
    EXPECT_LT(coordinate(run), 0.5 + 4e-3);
  }
}

/// Without restitution the bar comes to rest and stays, on the moment of its weight.
TEST(PendulumAtItsLimit, RestsOnTheMomentOfItsWeight) {
  for (const double theta : {0.5, 0.7, 1.}) {
    Stepped3 run = pendulum(0., theta);
    for (unsigned int k = 0; k < 600; ++k)
      advance(run, 5.);
    const double angle = coordinate(run);
    EXPECT_NEAR(angle, 0.5, 1.5e-3);
    for (unsigned int k = 0; k < 400; ++k) {
      const auto &record = advance(run, 5.);
      ASSERT_NEAR(record.bound_impulses.at(0).limit, -5. * std::cos(angle) * 1e-3, 1e-12);
      ASSERT_NEAR(coordinate(run), angle, 1e-15);
    }
    EXPECT_NEAR(rigid_runs::velocity(run, 0)[4], 0., 1e-13);
  }
}

/// A weight on a vertical slider that falls on its limit bounces infinitely often until t0 (1 +
/// e)/(1 − e), with t0 of the first fall.
TEST(WeightOnASlider, ComesToRestAfterZenosTime) {
  const double e = 0.6, first = std::sqrt(2. * 0.2 / 10.), end = first * (1. + e) / (1. - e);
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("weight", box("1, 2, 3"))) +
      in("Joints", section("guide", joint("slider", "weight", "1, 2, 3",
                                          set("Axis", "0, 0, 1") + set("Lower displacement", -0.2) +
                                              set("Restitution", e)))) +
      gravity("0, 0, -10") + time(2e-4));
  double largest_before = 0, largest_after = 0;
  while (run.state.time < end + 0.1) {
    advance(run, 2.);
    const double speed = std::abs(rigid_runs::velocity(run, 0)[2]);
    if (run.state.time > end + 0.02)
      largest_after = std::max(largest_after, speed);
    else if (run.state.time > end - 0.04 && run.state.time < end - 0.02)
      largest_before = std::max(largest_before, speed);
  }
  EXPECT_GT(largest_before, 0.5 * 0.02 * 10. * (1. - e)); // v of the flights left: 2 v/(1 − e)/g
  EXPECT_LT(largest_after, 5e-3);
  EXPECT_NEAR(coordinate(run), -0.2, 5e-4);
}

TEST(WeightOnASlider, RestsOnItsWeight) {
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("weight", box("1, 2, 3"))) +
      in("Joints", section("guide", joint("slider", "weight", "1, 2, 3",
                                          set("Axis", "0, 0, 1") + set("Lower displacement", -0.2) +
                                              set("Restitution", "0")))) +
      gravity("0, 0, -10") + time(1e-3));
  for (unsigned int k = 0; k < 400; ++k)
    advance(run, 2.);
  const double rest = coordinate(run);
  EXPECT_NEAR(advance(run, 2.).works.contact_normal, 0., 1e-16);
  EXPECT_NEAR(coordinate(run), rest, 1e-15);
  EXPECT_NEAR(run.step.last().bound_impulses.at(0).limit, 1e-2, 1e-14);
}

// ---- dry friction ----

/// A disc on an axle with the friction T stops after the angle ω² I/(2T); in the last step friction
/// is smaller than T.
TEST(FrictionOfAHinge, StopsADiscByItsEnergy) {
  const double I = 1.04 / 12., omega = 8., T = 1.5, h = 2e-3;
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("disc", box("1, 2, 3", set("Initial angular velocity", "0, 0, 8")))) +
      in("Joints", section("axle", joint("hinge", "disc", "1, 2, 3",
                                         set("Axis", "0, 0, 2") + set("Friction torque", T)))) +
      time(h));
  double work = 0;
  const double energy = run.state.energy();
  while (run.state.time < 1.2 * omega * I / T)
    work += advance(run, energy).works.contact_tangential;
  EXPECT_NEAR(work, -energy, 1e-12 * energy);
  const double angle = omega * omega * I / (2. * T), last = T * h * h / (8. * I);
  EXPECT_GT(coordinate(run), angle - 1e-12);
  EXPECT_LT(coordinate(run), angle + last + 1e-12);
  const double rest = coordinate(run);
  for (unsigned int k = 0; k < 100; ++k)
    ASSERT_NEAR(advance(run, energy).works.contact_tangential, 0., 1e-15);
  EXPECT_NEAR(coordinate(run), rest, 1e-14);
}

/// A motor below the friction moves nothing; above it, the difference accelerates.
TEST(FrictionOfAHinge, SticksBelowItsTorque) {
  for (const double ratio : {0.999, 1.001}) {
    Stepped3 run = rigid_runs::stepped<3>(
        in("Rigid bodies", section("disc", box("1, 2, 3"))) +
        in("Joints", section("axle", joint("hinge", "disc", "1, 2, 3",
                                           set("Axis", "0, 0, 1") + set("Friction torque", "2") +
                                               set("Motor torque", 2. * ratio)))) +
        time(1e-2));
    for (unsigned int k = 0; k < 100; ++k)
      advance(run, 1e-3);
    const double slip = ratio < 1. ? 0. : 0.5 * 2e-3 / (1.04 / 12.);
    EXPECT_NEAR(coordinate(run), slip, ratio < 1. ? 1e-15 : 1e-6);
    EXPECT_NEAR(run.step.last().bound_impulses.at(0).friction, -2e-2 * std::min(1., ratio), 1e-14);
  }
}

/// A hinge that carries a weight has the friction μ r m g; a spinning body stops after ω² I/(2 μ r
/// m g).
TEST(FrictionOfAHinge, FollowsTheForceOfTheJoint) {
  const double I = 1.04 / 12., T = 0.3 * 0.5 * 10., h = 1e-3;
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("disc", box("1, 2, 3", set("Initial angular velocity", "0, 0, 5")))) +
      in("Joints",
         section("axle", joint("hinge", "disc", "1, 2, 3",
                               set("Axis", "0, 0, 1") + set("Friction coefficient", "0.3") +
                                   set("Friction radius", "0.5")))) +
      gravity("0, 10, 0") + time(h));
  while (run.state.time < 1.2 * 5. * I / T)
    advance(run, 2.);
  EXPECT_NEAR(coordinate(run), 25. * I / (2. * T), T * h * h / (8. * I) + 1e-12);
}

/// A pendulum whose centre turns about a hinge has another force of the joint at each angle:
/// friction and force agree, and the pendulum comes to rest off its lowest point.
TEST(FrictionOfAHinge, AgreesWithTheForceOfAPendulum) {
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("bar", box("0.5, 0, 0"))) +
      in("Joints",
         section("axle", joint("hinge", "bar", "0, 0, 0",
                               set("Axis", "0, 1, 0") + set("Friction coefficient", "0.4") +
                                   set("Friction radius", "0.2")))) +
      gravity("0, 0, -10") + time(2e-3));
  unsigned int n_sliding = 0;
  for (unsigned int k = 0; k < 3000; ++k) {
    const auto &record = advance(run, 5.);
    const auto &impulse = record.link_impulses.at(0);
    const double force = std::hypot(std::hypot(impulse[0], impulse[1]), impulse[2]),
                 ratio = std::abs(record.bound_impulses.at(0).friction) / (0.08 * force);
    ASSERT_LT(ratio, 1. + 1e-4) << k;
    n_sliding += ratio > 1. - 1e-10;
  }
  EXPECT_GT(n_sliding, 300u);
  EXPECT_NEAR(run.step.last().works.contact_tangential, 0., 1e-15);
  EXPECT_GT(std::abs(coordinate(run) - 0.5 * dealii::numbers::PI), 1e-3);
}

/// A block on a slider slides v²/(2 μ g), and a slope holds it below the limit of friction.
TEST(FrictionOfASlider, StopsABlockByItsWeight) {
  const double h = 1e-3, mu = 0.4, last = 0.125 * mu * 10. * h * h;
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("block", box("1, 2, 3", set("Initial velocity", "3, 0, 0")))) +
      in("Joints",
         section("rail", joint("slider", "block", "1.1, 2, 3",
                               set("Axis", "1, 0, 0") + set("Friction coefficient", mu)))) +
      gravity("0, 6, -8") + time(h));
  for (unsigned int k = 0; k < 1000; ++k)
    advance(run, 5.);
  EXPECT_NEAR(coordinate(run), 9. / (2. * mu * 10.), last + 1e-12);
  EXPECT_NEAR(run.step.last().works.contact_tangential, 0., 1e-15);
}

TEST(FrictionOfASlider, HoldsABlockOnASlopeUpToItsLimit) {
  const double alpha = 0.3;
  for (const double ratio : {0.999, 1.001}) {
    const std::string force =
        format("%.17g, 0, %.17g", 10. * std::sin(alpha), -10. * std::cos(alpha));
    Stepped3 run = rigid_runs::stepped<3>(
        in("Rigid bodies", section("block", box("1, 2, 3"))) +
        in("Joints",
           section("rail", joint("slider", "block", "1, 2, 3",
                                 set("Axis", "1, 0, 0") +
                                     set("Friction coefficient", std::tan(alpha) / ratio)))) +
        gravity(force) + time(1e-2));
    for (unsigned int k = 0; k < 100; ++k)
      advance(run, 10.); // the weight times the size of coordinates
    const double slip = 0.5 * 10. * std::sin(alpha) * (1. - 1. / ratio);
    EXPECT_NEAR(coordinate(run), ratio < 1. ? 0. : slip, ratio < 1. ? 1e-13 : 1e-10);
  }
}

/// A brake whose torque begins at t = 0.5.
TEST(FrictionOfAHinge, MayFollowAFormulaOfTime) {
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("disc", box("1, 2, 3", set("Initial angular velocity", "0, 0, 3")))) +
      in("Joints", section("axle", joint("hinge", "disc", "1, 2, 3",
                                         set("Axis", "0, 0, 1") +
                                             set("Friction torque", "if(t < 0.505, 0, 10)")))) +
      time(1e-2));
  for (unsigned int k = 0; k < 50; ++k)
    ASSERT_EQ(advance(run, 1.).works.contact_tangential, 0.);
  for (unsigned int k = 0; k < 10; ++k)
    advance(run, 1.);
  EXPECT_NEAR(rigid_runs::velocity(run, 0)[5], 0., 1e-14);
}

// ---- 2D ----

std::string disc(const std::string &position, const std::string &entries = "") {
  return set("Mass", "2") + set("Shape", "disc") + set("Radius", "0.1") +
         set("Position", position) + entries;
}

/// A pendulum on a rope whose speed suffices for less than a turn: the rope goes slack where its
/// tension m v²/L − m g cos φ vanishes, the mass flies along a parabola, and the rope stops its
/// outward motion when it is taut again.
TEST(Rope, GoesSlackAndTautAgain) {
  const double h = 2e-4, L = 1.5, g = 10., v = std::sqrt(3.5 * g * L);
  Stepped2 run = rigid_runs::stepped<2>(
      in("Rigid bodies",
         section("bob", disc("1, 0.5", set("Initial velocity", format("%.17g, 0", v))))) +
      in("Links", section("rope", set("Type", "distance") + set("Second", "bob") +
                                      set("First point", "1, 2") + set("Second point", "1, 0.5") +
                                      set("Upper length", L))) +
      gravity("0, -10") + time(h));
  const double energy = run.state.energy();
  const auto position = [&] {
    const double *const q = rigid_runs::displacement(run, 0);
    return dealii::Point<2>(q[0], q[1] - L); // relative to the upper end
  };
  while (run.step.last().bound_impulses.empty() || run.step.last().bound_impulses[0].limit < 0.) {
    if (advance(run, energy).bound_impulses.at(0).limit < 0.) {
      ASSERT_NEAR(coordinate(run), L, 1e-12);
    }
    ASSERT_NEAR(run.step.last().works.contact_normal, 0., 1e-12);
    ASSERT_LT(run.state.time, 2.);
  }
  // v² = v0² − 2 g L (1 + s) = g L s with the height s L above the upper end
  const double height = 1.5 / 3., speed = std::sqrt(g * L * height);
  EXPECT_NEAR(position()[1], height * L, 10. * h);
  const double t0 = run.state.time, cosine = std::sqrt(1. - height * height);
  const dealii::Point<2> start(cosine * L, height * L);
  while (run.step.last().bound_impulses[0].limit == 0.) {
    const double t = run.state.time - t0;
    ASSERT_NEAR(position()[0], start[0] - speed * height * t, 20. * h);
    ASSERT_NEAR(position()[1], start[1] + speed * cosine * t - 0.5 * g * t * t, 20. * h);
    advance(run, energy);
    ASSERT_LT(run.state.time, 3.);
  }
  EXPECT_LT(run.step.last().works.contact_normal, -1.); // the jerk loses the radial velocity
  for (unsigned int k = 0; k < 2000; ++k) {
    advance(run, energy);
    ASSERT_LT(coordinate(run), L + 1e-2 * L);
  }
}

/// A strut carries compression only.
TEST(Strut, IsLostInTension) {
  Stepped2 run = rigid_runs::stepped<2>(
      in("Rigid bodies", section("bob", disc("0, 1"))) +
      in("Links", section("strut", set("Type", "distance") + set("Second", "bob") +
                                       set("First point", "0, 0") + set("Second point", "0, 1") +
                                       set("Lower length", "1"))) +
      "subsection Boundary conditions\n  set Gravity = 0, -10\nend\n" + time(1e-3));
  for (unsigned int k = 0; k < 100; ++k)
    ASSERT_NEAR(advance(run, 1.).bound_impulses.at(0).limit, 2e-2, 1e-13);
  EXPECT_NEAR(coordinate(run), 1., 1e-15);
}

TEST(Pin, HasLimitsAndFrictionOfItsAngle) {
  const double h = 1e-3;
  Stepped2 run = rigid_runs::stepped<2>(
      in("Rigid bodies", section("arm", set("Mass", "1") + set("Width", "1") +
                                            set("Height", "0.1") + set("Position", "0.5, 0"))) +
      in("Links",
         section("pin", set("Type", "pin") + set("Second", "arm") + set("First point", "0, 0") +
                            set("Lower angle", -0.4) + set("Friction torque", "0.5"))) +
      gravity("0, -10") + time(h));
  for (unsigned int k = 0; k < 600; ++k)
    advance(run, 5.);
  const double angle = coordinate(run);
  EXPECT_NEAR(angle, -0.4, 3e-3);
  for (unsigned int k = 0; k < 100; ++k) {
    const auto &impulse = advance(run, 5.).bound_impulses.at(0);
    ASSERT_NEAR(impulse.limit + impulse.friction, 5. * std::cos(angle) * h, 1e-13);
    ASSERT_NEAR(impulse.friction, 0.5 * h, 1e-15);
    ASSERT_NEAR(coordinate(run), angle, 1e-15);
  }
}

TEST(SliderIn2D, SlidesHoldsAndStops) {
  for (const double ratio : {0.999, 1.001}) {
    const double alpha = 0.3;
    Stepped2 run = rigid_runs::stepped<2>(
        in("Rigid bodies", section("block", disc("1, 2"))) +
        in("Links",
           section("rail",
                   set("Type", "slider") + set("Second", "block") + set("First point", "1, 2") +
                       set("Axis", format("%.17g, %.17g", std::cos(alpha), -std::sin(alpha))) +
                       set("Friction coefficient", std::tan(alpha) / ratio) +
                       set("Upper displacement", "1e-3"))) +
        gravity("0, -10") + time(1e-2));
    double largest = 0;
    for (unsigned int k = 0; k < 200; ++k) {
      advance(run, 10.); // the weight times the size of coordinates
      const double t = run.state.time,
                   slip = 0.5 * 10. * std::sin(alpha) * (1. - 1. / ratio) * t * t;
      if (slip < 9e-4) {
        ASSERT_NEAR(coordinate(run), ratio < 1. ? 0. : slip, ratio < 1. ? 1e-13 : 1e-10);
      }
      largest = std::max(largest, coordinate(run));
    }
    EXPECT_NEAR(largest, ratio < 1. ? 0. : 1e-3, ratio < 1. ? 1e-13 : 2e-5);
  }
}

// ---- mechanisms ----

/// The torque T of a crank presses the piston of a slider–crank mechanism against its limit, with
/// the force −T / (dx/dφ). In 3D its joints are redundant.
TEST(SliderCrankWithALimit, StopsOnTheForceOfItsMotor) {
  const std::string z = set("Axis", "0, 0, 1");
  const auto bar = [](const std::string &position, const std::string &size) {
    return set("Mass", "1") + set("Shape", "box") + set("Size", size) + set("Position", position);
  };
  Stepped3 run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("crank", bar("0.1, 0, 0", "0.2, 0.05, 0.05")) +
                             section("rod", bar("0.5, 0, 0", "0.6, 0.05, 0.05")) +
                             section("piston", bar("0.8, 0, 0", "0.2, 0.2, 0.2"))) +
      in("Joints",
         section("bearing", joint("hinge", "crank", "0, 0, 0", z + set("Motor torque", "3"))) +
             section("crank pin", joint("hinge", "crank, rod", "0.2, 0, 0",
                                        z + set("Friction torque", "0.01"))) +
             section("piston pin", joint("hinge", "rod, piston", "0.8, 0, 0", z)) +
             section("guide",
                     joint("slider", "piston", "0.8, 0, 0",
                           set("Axis", "1, 0, 0") + set("Lower displacement", "-0.25") +
                               set("Restitution", "0.4") + set("Friction coefficient", "0.05")))) +
      time(1e-3));
  bool has_hit = false;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = advance(run, 10.);
    has_hit = has_hit || record.bound_impulses.back().limit > 0.;
  }
  EXPECT_TRUE(has_hit);
  EXPECT_NEAR(coordinate(run, 3), -0.25, 1e-2);
  const double phi = coordinate(run, 0), s = 0.2 * std::sin(phi),
               slope = -s - s * 0.2 * std::cos(phi) / std::sqrt(0.36 - s * s);
  const auto &impulses = run.step.last().bound_impulses;
  // Friction in the crank pin acts on the angle of the rod relative to the crank.
  const double angle_slope =
      coordinate(run, 1) == 0. ? 0. : -0.2 * std::cos(phi) / std::sqrt(0.36 - s * s) - 1.;
  EXPECT_NEAR((impulses.at(3).limit + impulses.at(3).friction) * slope +
                  impulses.at(1).friction * angle_slope + 3e-3,
              0., 1e-9);
  EXPECT_NEAR(run.state.kinetic, 0., 1e-12);
}

/// Two axes of a universal joint: a body that turns about Axis alone stops at its limit, and
/// likewise about Second axis.
TEST(UniversalJoint, HasLimitsAboutBothAxes) {
  for (const bool is_second : {false, true}) {
    const std::string spin = is_second ? "0, 4, 0" : "4, 0, 0";
    Stepped3 run = rigid_runs::stepped<3>(
        in("Rigid bodies",
           section("shaft", box("0, 0, 0", set("Initial angular velocity", spin)))) +
        in("Joints", section("cross", joint("universal", "shaft", "0, 0, 0",
                                            set("Axis", "1, 0, 0") + set("Second axis", "0, 1, 0") +
                                                set("Upper angle", "0.3") +
                                                set("Upper second angle", "0.2")))) +
        time(1e-3));
    for (unsigned int k = 0; k < 200; ++k)
      advance(run, 1.);
    EXPECT_NEAR(coordinate(run, 0), is_second ? 0. : 0.3, 4e-3);
    EXPECT_NEAR(coordinate(run, 1), is_second ? 0.2 : 0., 4e-3);
    EXPECT_NEAR(run.state.kinetic, 0., 1e-12);
  }
}

/// A bead on an arm that turns freely is pressed against its limit, and the friction of its sleeve
/// holds it: neither drifts.
TEST(BeadOnATurningArm, DoesNotDrift) {
  for (const std::string &bound : {set("Upper displacement", "0.5"), set("Friction force", "50")}) {
    Stepped3 run = rigid_runs::stepped<3>(
        in("Rigid bodies",
           section("arm", box("0, 0, 0", set("Initial angular velocity", "0, 0, 3"))) +
               section("bead", set("Mass", "1") + set("Shape", "sphere") + set("Radius", "0.1") +
                                   set("Position", "0.5, 0, 0") +
                                   set("Initial velocity", "0, 1.5, 0") +
                                   set("Initial angular velocity", "0, 0, 3"))) +
        in("Joints", section("axle", joint("hinge", "arm", "0, 0, 0", set("Axis", "0, 0, 1"))) +
                         section("sleeve", joint("cylindrical", "arm, bead", "0.5, 0, 0",
                                                 set("Axis", "1, 0, 0") +
                                                     (bound.find("Upper") == std::string::npos
                                                          ? bound
                                                          : set("Upper displacement", "0"))))) +
        time(1e-2));
    const double energy = run.state.energy();
    for (unsigned int k = 0; k < 10000; ++k) {
      run.advance();
      if (k % 100 == 0) {
        ASSERT_LT(std::abs(coordinate(run, 1)), 1e-12) << k;
      }
    }
    EXPECT_LT(std::abs(coordinate(run, 1)), 1e-12);
    EXPECT_LT(largest_defect(run), 1e-12);
    EXPECT_NEAR(run.state.energy(), energy, 1e-9 * energy);
  }
}

/// A run that goes on from a state has bitwise the same motion.
TEST(BoundsOfJoints, GoOnBitForBit) {
  Stepped3 one = pendulum(0.5), other = pendulum(0.5);
  for (unsigned int k = 0; k < 1200; ++k)
    one.advance();
  other.state.q = one.state.q;
  other.state.v = one.state.v;
  other.state.rounding = one.state.rounding;
  other.state.link_turns = one.state.link_turns;
  other.state.bound_memory = one.state.bound_memory;
  other.state.time = one.state.time;
  other.state.step = one.state.step;
  other.step.initialise(other.state);
  other.state.previous_h = one.state.previous_h;
  other.step.restore(other.state, one.step.memory());
  for (unsigned int k = 0; k < 300; ++k) {
    one.advance();
    other.advance();
    ASSERT_EQ(one.state.energy(), other.state.energy());
  }
}

/// A pendulum with a limit falls on the ground: contact and limit are solved together.
TEST(BoundsOfJoints, ActBesideContacts) {
  for (const double upper : {0.5, 0.2}) {
    Stepped3 run = rigid_runs::stepped<3>(
        in("Rigid bodies", section("bar", box("0.5, 0, 0"))) +
        in("Joints", section("axle", joint("hinge", "bar", "0, 0, 0",
                                           set("Axis", "0, 1, 0") + set("Upper angle", upper)))) +
        in("Contact",
           section("ground", set("Bodies", "bar") + set("Surface", "half-space") +
                                 set("Point", "0, 0, -0.4") + set("Friction coefficient", "0.3"))) +
        gravity("0, 0, -10") + time(1e-3, 0.6)); // an impact on the ground leaves motions
                                                 // against the joint that θ = ½ keeps
    for (unsigned int k = 0; k < 1000; ++k) {
      const auto &record = run.advance();
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 5.) << k;
      ASSERT_LE(record.works.contact_normal, 1e-13) << k;
      ASSERT_LE(record.works.contact_tangential, 1e-13) << k;
    }
    EXPECT_EQ(run.step.last().bound_impulses.at(0).limit < 0., upper < 0.3);
    EXPECT_LT(run.state.kinetic, 1e-10);
  }
}

} // namespace joint_bounds
