// Contacts of bodies that the friction of their joints holds, against closed forms.

#include <percussion/base/format.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"

namespace joint_contacts {

using namespace percussion;
template <int dim>
using SteppedRun = cases_in_space::Stepped<dim>;

using namespace case_text;

const std::string moving = "subsection Time\n  set Scheme = moreau-jean-fremond\n"
                           "  set Theta = 0.5\n  set Step = 1e-3\n  set End = 1000\nend\n";

std::string arm(const std::string &position, const std::string &entries = "") {
  return set("Mass", "1") + set("Shape", "box") + set("Size", "1, 0.2, 0.1") +
         set("Position", position) + entries;
}
std::string ball(const std::string &position, const std::string &velocity) {
  return set("Mass", "1") + set("Shape", "sphere") + set("Radius", "0.1") +
         set("Position", position) + set("Initial velocity", velocity);
}
std::string law(double restitution, double friction) {
  return set("Restitution", restitution) + set("Friction coefficient", friction);
}
std::string contacts(double restitution, double friction = 0.3) {
  return in("Contact",
            section("each other", set("Bodies", "all") + set("Surface", "rigid bodies") +
                                      set("Against", "all") + law(restitution, friction)));
}
std::string ground(double restitution) {
  return in("Contact", section("ground", set("Bodies", "all") + set("Surface", "half-space") +
                                             set("Point", "0, 0, -0.05") + law(restitution, 0.3)));
}

/// Advances steps; expects that the ledger closes to 1e-13 of an energy and that neither contacts
/// nor friction do positive work.
template <int dim>
void advance(SteppedRun<dim> &run, unsigned int n_steps, double energy) {
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << run.state.step;
    ASSERT_LE(record.works.contact_normal, 1e-13 * energy) << run.state.step;
    ASSERT_LE(record.works.contact_tangential, 1e-13 * energy) << run.state.step;
  }
}
template <int dim>
double coordinate(const SteppedRun<dim> &run, std::size_t index = 0) {
  return LinkForces<dim>(*run.c.bodies)
      .drive_coordinates(run.state.q, run.state.link_turns)
      .at(index);
}

/// Returns an arm on a joint at its left end with this friction torque, which a ball hits from
/// above 0.8 from the joint.
SteppedRun<3> struck_arm(const std::string &joint, double torque, double restitution) {
  return rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("arm", arm("0.5, 0, 0")) + section("ball", ball("0.8, 0, 0.15", "0, 0, -1"))) +
      in("Joints", section("axle", joint + set("Bodies", "arm") + set("Point", "0, 0, 0") +
                                       set("Friction torque", torque))) +
      contacts(restitution, 0.) + moving);
}
const std::string hinge = set("Kind", "hinge") + set("Axis", "0, 1, 0"),
                  cross = set("Kind", "universal") + set("Axis", "1, 0, 0") +
                          set("Second axis", "0, 1, 0");

TEST(StruckArm, IsAHeldBodyBelowTheFrictionOfItsJoint) {
  for (const std::string &joint : {hinge, cross})
    for (const double e : {0., 0.5, 1.}) {
      SteppedRun<3> run = struck_arm(joint, 2000., e);
      advance(run, 5, 0.5);
      EXPECT_NEAR(rigid_runs::velocity(run, 1)[2], e, 1e-12) << joint;
      EXPECT_NEAR(coordinate(run), 0., 1e-15) << joint;
      EXPECT_NEAR(rigid_runs::velocity(run, 0)[4], 0., 1e-12) << joint;
    }
}

/// Above its friction the joint turns: the percussion p of the ball has p l − T h = I ω, and the
/// ball leaves with the restitution, as far as the turn within a step is negligible.
TEST(StruckArm, TurnsAboveTheFrictionOfItsJoint) {
  const double l = 0.8, I = (1. + 0.01) / 12. + 0.25, e = 0.5, h = 1e-3;
  for (const std::string &joint : {hinge, cross})
    for (const double T : {10., 1000.}) {
      SteppedRun<3> run = struck_arm(joint, T, e);
      advance(run, 1, 0.5);
      const double omega = (l * (1. + e) - T * h) / (I + l * l);
      EXPECT_NEAR(rigid_runs::velocity(run, 0)[4], omega, 1e-6) << joint << T;
      EXPECT_NEAR(rigid_runs::velocity(run, 1)[2], e - l * omega, 1e-6) << joint << T;
    }
}

/// Two arms that their joints hold touch each other: no percussion could move them.
TEST(HeldArms, MayTouch) {
  SteppedRun<3> run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("lower", arm("0.5, 0, 0")) + section("upper", arm("1, 0, 0.1"))) +
      in("Joints",
         section("lower axle", hinge + set("Bodies", "lower") + set("Point", "0, 0, 0") +
                                   set("Friction torque", 100.)) +
             section("upper axle", hinge + set("Bodies", "upper") + set("Point", "1.5, 0, 0.1") +
                                       set("Friction torque", 100.))) +
      contacts(0.5) + gravity("0, 0, -10") + moving);
  advance(run, 20, 5.);
  EXPECT_NEAR(coordinate(run, 0), 0., 1e-14);
  EXPECT_NEAR(coordinate(run, 1), 0., 1e-14);
}

TEST(HeldArms, MayLieOnTheGround) {
  SteppedRun<3> run = rigid_runs::stepped<3>(
      in("Rigid bodies", section("arm", arm("0.5, 0, 0"))) +
      in("Joints", section("axle", hinge + set("Bodies", "arm") + set("Point", "0, 0, 0") +
                                       set("Friction torque", 100.))) +
      ground(0.5) + gravity("0, 0, -10") + moving);
  advance(run, 20, 5.);
  EXPECT_NEAR(coordinate(run), 0., 1e-14);
}

/// An arm on the ground rebounds from it although its joint could stop it. The impact also ends
/// motions against the joint: an error of second order.
TEST(HeldArms, ReboundFromTheGround) {
  const double omega = 1., e = 0.5;
  SteppedRun<3> run = rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("arm", arm("0.5, 0, 0", set("Initial angular velocity", "0, 1, 0") +
                                             set("Initial velocity", "0, 0, -0.5")))) +
      in("Joints", section("axle", hinge + set("Bodies", "arm") + set("Point", "0, 0, 0") +
                                       set("Friction torque", 500.))) +
      ground(e) + moving);
  advance(run, 1, 1.);
  EXPECT_NEAR(rigid_runs::velocity(run, 0)[4], -e * omega, 2e-5);
  advance(run, 20, 0.5); // friction then stops the arm
  EXPECT_NEAR(rigid_runs::velocity(run, 0)[4], 0., 1e-12);
}

/// A block on a rail, which its friction holds, is hit along the rail and across it.
TEST(HeldSlider, IsHitAlongItsRailAndAcross) {
  const double e = 0.5, h = 1e-3;
  for (const bool is_along : {true, false})
    for (const double force : {100., 5000.}) {
      const std::string position = is_along ? "-0.6, 0, 0" : "0, 0, 0.15",
                        velocity = is_along ? "1, 0, 0" : "0, 0, -1";
      SteppedRun<3> run = rigid_runs::stepped<3>(
          in("Rigid bodies",
             section("block", arm("0, 0, 0")) + section("ball", ball(position, velocity))) +
          in("Joints", section("rail", set("Kind", "slider") + set("Axis", "1, 0, 0") +
                                           set("Bodies", "block") + set("Point", "0, 0, 0") +
                                           set("Friction force", force))) +
          contacts(e) + moving);
      advance(run, 1, 0.5);
      const double block = is_along ? std::max(0., (1. + e - force * h) / 2.) : 0.,
                   rebound = is_along ? block - e : e;
      EXPECT_NEAR(rigid_runs::velocity(run, 0)[0], block, 1e-10) << is_along << force;
      EXPECT_NEAR(rigid_runs::velocity(run, 1)[is_along ? 0 : 2], rebound, 1e-10)
          << is_along << force;
    }
}

/// In 2D a pin with friction holds an arm on the ground, and one that a disc hits.
TEST(HeldArms, AreHeldIn2D) {
  const std::string arm_2d =
      set("Mass", "1") + set("Width", "1") + set("Height", "0.1") + set("Position", "0.5, 0");
  for (const bool has_ground : {false, true}) {
    SteppedRun<2> run = rigid_runs::stepped<2>(
        in("Rigid bodies",
           section("arm", arm_2d) +
               (has_ground
                    ? ""
                    : section("disc", set("Mass", "1") + set("Shape", "disc") +
                                          set("Radius", "0.1") + set("Position", "0.8, 0.15") +
                                          set("Initial velocity", "0.2, -1")))) +
        in("Links",
           section("pin", set("Type", "pin") + set("Second", "arm") + set("First point", "0, 0") +
                              set("Friction torque", 2000.))) +
        in("Contact",
           has_ground
               ? section("ground", set("Bodies", "arm") + set("Surface", "half-plane") +
                                       set("Point", "0, -0.05") + law(0.5, 0.3))
               : section("each other", set("Bodies", "all") + set("Surface", "rigid bodies") +
                                           set("Against", "all") + law(0.5, 0.3))) +
        (has_ground ? gravity("0, -10") : "") + moving);
    advance(run, 20, 0.5);
    EXPECT_NEAR(coordinate(run), 0., 1e-14) << has_ground;
    if (!has_ground) {
      EXPECT_NEAR(rigid_runs::velocity(run, 1)[1], 0.5, 1e-12);
    }
  }
}

} // namespace joint_contacts
