// Joints in 3D: mechanisms against closed forms and an independent integration, their ledgers and
// momenta.

#include <percussion/base/format.h>

#include "cases/joint_reference.h"
#include "cases/rigid_runs.h"

namespace joints_in_space {

using namespace percussion;
using joint_reference::ground;
using joint_reference::Mechanism;
using joint_reference::Vector3;
using SteppedJoints = cases_in_space::Stepped<3>;

std::string section(const std::string &name, const std::string &entries) {
  return "  subsection " + name + "\n" + entries + "  end\n";
}
std::string bodies(const std::string &sections) {
  return "subsection Rigid bodies\n" + sections + "end\n";
}
std::string joints(const std::string &sections) {
  return "subsection Joints\n" + sections + "end\n";
}
std::string body(const std::string &name, const std::string &position, const std::string &entries) {
  return section(name, "    set Mass = 1\n    set Position = " + position + "\n" + entries);
}
std::string joint(const std::string &name, const std::string &kind, const std::string &of_bodies,
                  const std::string &point, const std::string &entries = "") {
  return section(name, "    set Kind = " + kind + "\n    set Bodies = " + of_bodies +
                           "\n    set Point = " + point + "\n" + entries);
}
std::string gravity(const std::string &vector) {
  return "subsection Boundary conditions\n  set Gravity = " + vector + "\nend\n";
}
std::string time(double h) {
  return format("subsection Time\n  set Scheme = moreau-jean-fremond\n  set Theta = 0.5\n"
                "  set Step = %.17g\n  set End = 100\nend\n",
                h);
}
std::string numbers(const Vector3 &x) { return format("%.17g, %.17g, %.17g", x[0], x[1], x[2]); }

SteppedJoints run_of(const std::string &text, double h) {
  return rigid_runs::stepped<3>(text + time(h));
}

RigidPose<3> pose(const SteppedJoints &run, std::size_t b) {
  return {run.c.bodies->rigid[b], run.c.bodies->rigid_values(run.state.q, b)};
}

/// Returns the largest displacement of a joint out of position, relative to its size.
double largest_defect(const SteppedJoints &run) {
  double largest = 0;
  for (const auto &link : run.c.bodies->links) {
    const double *const q = run.state.q.data();
    const LinkMotion<3> motion(*run.c.bodies, link, q, q);
    for (const auto &coordinate : coordinates_of(link))
      if (coordinate.is_held && !coordinate.drive.motor.is_holding()) {
        const auto values = motion.motion(coordinate);
        largest = std::max(largest, std::abs(values.end - coordinate.drive.rest) / values.size);
      }
  }
  return largest;
}

double coordinate(const SteppedJoints &run, std::size_t index) {
  return LinkForces<3>(*run.c.bodies).drive_coordinates(run.state.q, run.state.link_turns)[index];
}

/// Returns the angular momentum of all bodies about the origin.
Vector3 angular_momentum(const SteppedJoints &run) {
  Vector3 sum;
  for (std::size_t b = 0; b < run.c.bodies->rigid.size(); ++b) {
    const auto &rigid = run.c.bodies->rigid[b];
    const double *const v = run.c.bodies->rigid_values(run.state.v, b);
    const RigidPose<3> placed = pose(run, b);
    sum += rigid.mass * cross_product_3d(Vector3(placed.centre), Vector3({v[0], v[1], v[2]})) +
           placed.rotation * (rigid.inertia * Vector3({v[3], v[4], v[5]}));
  }
  return sum;
}

/// Advances to a time; expects ledgers that close to `bound`.
void advance_to(SteppedJoints &run, double end, double bound) {
  while (run.state.time < end - 1e-9) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), bound) << run.state.step;
    ASSERT_LT(largest_defect(run), 1e-13) << run.state.step;
  }
}

// ---- a double pendulum ----

const std::string double_pendulum =
    bodies(body("upper", "0.5, 0, 0",
                "    set Shape = box\n    set Size = 1, 0.2, 0.1\n"
                "    set Initial angular velocity = 3, 0, 0\n") +
           body("lower", "1, 0.5, 0", "    set Shape = box\n    set Size = 0.1, 1, 0.2\n")) +
    joints(joint("first", "ball", "upper", "0, 0, 0") +
           joint("second", "ball", "upper, lower", "1, 0, 0")) +
    gravity("0, 0, -9.81");

/// Returns the distance of the lower bar's centre from the integrated one at t = 1.
double error_of_pendulum(double h) {
  SteppedJoints run = run_of(double_pendulum, h);
  Mechanism exact = joint_reference::mechanism_of(run, Vector3({0., 0., -9.81}));
  exact.add_ball(ground, 0, Vector3());
  exact.add_ball(0, 1, Vector3({1., 0., 0.}));
  advance_to(run, 1., 1e-13 * 30.);
  for (unsigned int k = 0; k < 1000; ++k)
    exact.advance(1e-3);
  return (Vector3(pose(run, 1).centre) - exact.bodies[1].centre).norm();
}

TEST(DoublePendulumInSpace, AgreesWithItsIntegrationToSecondOrder) {
  const double coarse = error_of_pendulum(4e-3), fine = error_of_pendulum(2e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4., 0.4);
}

TEST(DoublePendulumInSpace, KeepsItsEnergyItsJointsAndItsMomentumAboutTheVertical) {
  SteppedJoints run = run_of(double_pendulum, 5e-3);
  const double start = run.state.energy(), momentum = angular_momentum(run)[2];
  double external = 0;
  for (unsigned int k = 0; k < 6000; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 30.) << k;
    ASSERT_EQ(record.works.sum(), record.works.external);
    external += record.works.external;
    ASSERT_LT(largest_defect(run), 1e-13);
    ASSERT_NEAR(angular_momentum(run)[2], momentum, 1e-10) << k;
    ASSERT_NEAR(run.state.energy(), start + external, 1e-10);
  }
}

// ---- a gyroscope in gimbals ----

const std::string gyroscope =
    bodies(body("outer", "0, 0, 0", "    set Shape = box\n    set Size = 0.1, 0.1, 1\n") +
           body("inner", "0, 0, 0", "    set Shape = box\n    set Size = 0.2, 0.4, 0.1\n") +
           body("rotor", "0.4, 0, 0",
                "    set Shape = box\n    set Size = 0.1, 0.6, 0.6\n"
                "    set Initial angular velocity = 50, 0, 0\n")) +
    joints(joint("vertical", "hinge", "outer", "0, 0, 0", "    set Axis = 0, 0, 1\n") +
           joint("lateral", "hinge", "outer, inner", "0, 0, 0", "    set Axis = 0, 2, 0\n") +
           joint("axle", "hinge", "inner, rotor", "0.2, 0, 0", "    set Axis = 1, 0, 0\n")) +
    gravity("0, 0, -9.81");

double error_of_gyroscope(double h) {
  SteppedJoints run = run_of(gyroscope, h);
  Mechanism exact = joint_reference::mechanism_of(run, Vector3({0., 0., -9.81}));
  const Vector3 x({1., 0., 0.}), y({0., 1., 0.}), z({0., 0., 1.});
  exact.add_hinge(ground, 0, Vector3(), z, {x, y});
  exact.add_hinge(0, 1, Vector3(), y, {z, x});
  exact.add_hinge(1, 2, Vector3({0.2, 0., 0.}), x, {y, z});
  advance_to(run, 0.5, 1e-13 * 200.);
  for (unsigned int k = 0; k < 1000; ++k)
    exact.advance(5e-4);
  return (Vector3(pose(run, 2).centre) - exact.bodies[2].centre).norm();
}

TEST(Gyroscope, PrecessesAsItsIntegrationToSecondOrder) {
  const double coarse = error_of_gyroscope(2e-3), fine = error_of_gyroscope(1e-3);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(coarse / fine, 4., 0.4);
}

TEST(Gyroscope, KeepsItsMomentumAboutTheVertical) {
  SteppedJoints run = run_of(gyroscope, 2e-3);
  const double momentum = angular_momentum(run)[2];
  for (unsigned int k = 0; k < 500; ++k) {
    run.advance();
    ASSERT_NEAR(angular_momentum(run)[2], momentum, 1e-11) << k;
  }
  EXPECT_GT(std::abs(coordinate(run, 0)), 0.1); // it precesses
}

// ---- linkages with redundant joints ----

/// Three hinges and a slider that move in a plane are redundant in 3D.
TEST(SliderCrank, FollowsItsMotorAsTheClosedForm) {
  const std::string z = "    set Axis = 0, 0, 1\n";
  SteppedJoints run = run_of(
      bodies(body("crank", "0.1, 0, 0", "    set Shape = box\n    set Size = 0.2, 0.05, 0.05\n") +
             body("rod", "0.5, 0, 0", "    set Shape = box\n    set Size = 0.6, 0.05, 0.05\n") +
             body("piston", "0.8, 0, 0", "    set Shape = box\n    set Size = 0.2, 0.2, 0.2\n")) +
          joints(
              joint("bearing", "hinge", "crank", "0, 0, 0", z + "    set Motor angle = 20*t^2\n") +
              joint("crank pin", "hinge", "crank, rod", "0.2, 0, 0", z) +
              joint("piston pin", "hinge", "rod, piston", "0.8, 0, 0", z) +
              joint("guide", "slider", "piston", "0.8, 0, 0", "    set Axis = 1, 0, 0\n")) +
          gravity("0, -9.81, 0"),
      2e-3);
  double energy = run.state.energy(), works = 0;
  for (unsigned int k = 0; k < 500; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 100.) << k;
    ASSERT_LT(largest_defect(run), 1e-13) << k;
    works += record.works.external + record.works.prescribed;
    ASSERT_EQ(record.works.sum(), record.works.external + record.works.prescribed);
    const double t = run.state.time, phi = 20. * t * t, s = 0.2 * std::sin(phi);
    ASSERT_NEAR(pose(run, 2).centre[0], 0.2 * std::cos(phi) + std::sqrt(0.36 - s * s), 1e-13) << k;
    ASSERT_NEAR(coordinate(run, 0), phi, 1e-12);
  }
  EXPECT_NEAR(run.state.energy(), energy + works, 1e-10);
  EXPECT_GT(coordinate(run, 0), 19.); // three turns
}

/// Four bars whose axes neither intersect nor are parallel move with one degree of freedom, with
/// three joints more than a mechanism in 3D may have (Bennett 1903).
struct Bennett {
  double a = 1., alpha = 0.7, beta = 1.9, theta1 = 1.2;
  double b = a * std::sin(beta) / std::sin(alpha);
  double ratio = std::sin(0.5 * (beta + alpha)) / std::sin(0.5 * (beta - alpha));
  double theta2 = 2. * std::atan2(ratio, std::tan(0.5 * theta1));
  std::array<Vector3, 4> points, axes;

  Bennett() {
    const double pi = dealii::numbers::PI;
    const std::array<double, 4> theta = {theta1, theta2, 2. * pi - theta1, 2. * pi - theta2};
    const Vector3 x({1., 0., 0.}), z({0., 0., 1.});
    Quaternion frame = {{1., 0., 0., 0.}};
    Vector3 point;
    for (unsigned int i = 0; i < 4; ++i) {
      points[i] = point;
      axes[i] = rotation_matrix(frame) * z;
      frame = product(frame, quaternion(z, theta[i]));
      point += (i % 2 == 0 ? a : b) * (rotation_matrix(frame) * x);
      frame = product(frame, quaternion(x, i % 2 == 0 ? alpha : beta));
    }
    EXPECT_LT(point.norm(), 1e-14);
  }

  std::string text() const {
    std::string bars, hinges;
    for (unsigned int i = 0; i < 4; ++i) {
      const std::string first = i == 0 ? "" : format("bar %u", i),
                        second = i == 3 ? "" : format("bar %u", i + 1);
      if (i < 3)
        bars += body(second, numbers(0.5 * (points[i] + points[i + 1])),
                     "    set Shape = box\n    set Size = 0.5, 0.2, 0.1\n");
      hinges += joint(format("hinge %u", i + 1), "hinge",
                      first.empty() || second.empty() ? first + second : first + ", " + second,
                      numbers(points[i]), "    set Axis = " + numbers(axes[i]) + "\n");
    }
    return bodies(bars) + joints(hinges) + gravity("3, -5, -8");
  }
};

TEST(BennettsLinkage, MovesAsItsClosedForm) {
  const Bennett linkage;
  SteppedJoints run = run_of(linkage.text(), 5e-3);
  double range = 0, external = 0;
  const double start = run.state.energy();
  for (unsigned int k = 0; k < 600; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 50.) << k;
    ASSERT_LT(largest_defect(run), 1e-13) << k;
    external += record.works.external;
    const double theta1 = linkage.theta1 + coordinate(run, 0),
                 theta2 = linkage.theta2 + coordinate(run, 1);
    ASSERT_NEAR(std::sin(0.5 * theta1) * std::sin(0.5 * theta2),
                linkage.ratio * std::cos(0.5 * theta1) * std::cos(0.5 * theta2), 1e-12)
        << k;
    range = std::max(range, std::abs(coordinate(run, 0)));
  }
  EXPECT_GT(range, 1.);
  EXPECT_NEAR(run.state.energy(), start + external, 1e-10);
}

// ---- drives ----

const std::string disc = bodies(body("disc", "1, 2, 3",
                                     "    set Shape = box\n    set Size = 1, 1, 0.1\n"
                                     "    set Initial angular velocity = 0, 0, 40\n"));

/// J θ'' + k θ = 0 with an amplitude of several turns.
TEST(TorsionSpring, CountsFullTurns) {
  const double J = 1. / 6., k = 1.5, omega = std::sqrt(k / J), amplitude = 40. / omega;
  EXPECT_GT(amplitude, 4. * dealii::numbers::PI);
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3}) {
    SteppedJoints run = run_of(disc + joints(joint("axle", "hinge", "disc", "1, 2, 3",
                                                   "    set Torsion stiffness = 1.5\n")),
                               h);
    const double energy = run.state.energy();
    for (unsigned int step = 0; step < std::lround(2.4 / h); ++step)
      ASSERT_LT(std::abs(run.advance().balance_residual), 1e-13 * energy);
    EXPECT_NEAR(run.state.energy(), energy, 1e-11 * energy);
    errors.push_back(coordinate(run, 0) - amplitude * std::sin(omega * run.state.time));
  }
  // A step turns by 2 atan(hΩ/2), up to 5e-4 less than hΩ, over a way of 61 rad.
  EXPECT_LT(std::abs(errors[1]), 0.02);
  EXPECT_NEAR(errors[0] / errors[1], 4., 0.1);
}

/// A run that continues from a state in which the disc has rotated several times has bitwise the
/// same motion.
TEST(TorsionSpring, GoesOnBitForBit) {
  const std::string text =
      disc + joints(joint("axle", "hinge", "disc", "1, 2, 3",
                          "    set Torsion stiffness = 1.5\n    set Torsion damping = 0.1\n"));
  SteppedJoints one = run_of(text, 2e-3), other = run_of(text, 2e-3);
  for (unsigned int k = 0; k < 150; ++k)
    one.advance();
  ASSERT_GT(coordinate(one, 0), 4.);
  other.state.q = one.state.q;
  other.state.v = one.state.v;
  other.state.rounding = one.state.rounding;
  other.state.link_turns = one.state.link_turns;
  other.state.time = one.state.time;
  other.state.step = one.state.step;
  other.step.initialise(other.state);
  other.state.history = one.state.history;
  other.state.previous_h = one.state.previous_h;
  other.step.restore(other.state, one.step.memory());
  for (unsigned int k = 0; k < 20; ++k) {
    one.advance();
    other.advance();
    ASSERT_EQ(one.state.energy(), other.state.energy());
    for (unsigned int i = 0; i < 6; ++i)
      ASSERT_EQ(one.state.q[i], other.state.q[i]);
  }
}

/// J θ'' + c θ' = τ: the work of the motor is external, and the dashpot dissipates.
TEST(Motor, OfTorqueDrivesAsTheClosedForm) {
  const double J = 1. / 6., c = 0.5, torque = 10.;
  SteppedJoints run = run_of(disc + joints(joint("axle", "hinge", "disc", "1, 2, 3",
                                                 "    set Motor torque = 10\n"
                                                 "    set Torsion damping = 0.5\n")),
                             1e-3);
  double external = 0, viscous = 0;
  const double start = run.state.energy();
  for (unsigned int k = 0; k < 500; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 200.);
    external += record.works.external;
    viscous += record.works.viscous;
  }
  const double rate = torque / c + (40. - torque / c) * std::exp(-c / J * 0.5);
  // The dashpot feels the change 2 atan(hΩ/2) of the angle, up to (hΩ)²/12 = 1.3e-4 less than hΩ.
  EXPECT_NEAR(rigid_runs::velocity(run, 0)[5], rate, 1.3e-4 * rate);
  EXPECT_NEAR(external, torque * coordinate(run, 0), 1e-10);
  EXPECT_NEAR(run.state.energy(), start + external + viscous, 1e-10);
  EXPECT_LT(viscous, -10.);
}

/// A motor that prescribes the rate does the work of the kinetic energy, by the reaction torque.
TEST(Motor, OfRateDoesTheWorkOfTheKineticEnergy) {
  SteppedJoints run = run_of(disc + joints(joint("axle", "hinge", "disc", "1, 2, 3",
                                                 "    set Motor angular velocity = 40 + 30*t\n")),
                             1e-3);
  const double start = run.state.energy();
  double prescribed = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = run.advance();
    prescribed += record.works.prescribed;
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 400.);
    ASSERT_NEAR(record.link_impulses.at(0)[5], 30. / 6. * 1e-3, 1e-11) << k; // 1e-12 of J Ω
  }
  EXPECT_NEAR(coordinate(run, 0), 55., 0.02); // 2 atan(h Ω/2) in each step
  EXPECT_NEAR(rigid_runs::velocity(run, 0)[5], 70., 1e-9);
  EXPECT_NEAR(prescribed, run.state.energy() - start, 1e-9);
}

/// A weight on a slider with a spring oscillates about k x = m g, and on a distance joint it hangs.
TEST(Slider, SwingsOnItsSpringAsTheClosedForm) {
  SteppedJoints run = run_of(
      bodies(body("weight", "1, 2, 3", "    set Shape = box\n    set Size = 0.2, 0.3, 0.4\n")) +
          joints(joint("guide", "slider", "weight", "0.9, 2.1, 3",
                       "    set Axis = 0, 0, 3\n    set Stiffness = 50\n")) +
          gravity("1, 2, -10"),
      1e-3);
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 10.);
    ASSERT_NEAR(coordinate(run, 0), -0.2 * (1. - std::cos(std::sqrt(50.) * run.state.time)), 1e-5);
    for (unsigned int i : {0u, 1u, 3u, 4u, 5u})
      ASSERT_NEAR(rigid_runs::displacement(run, 0)[i], 0., 1e-14);
  }
}

/// A distance joint is a pendulum; a weld to the ground carries weight and moment.
TEST(Weld, CarriesForceAndMoment) {
  SteppedJoints run = run_of(
      bodies(body("arm", "1, 0, 0", "    set Shape = box\n    set Size = 2, 0.1, 0.1\n") +
             body("load", "2, 0, -1", "    set Shape = box\n    set Size = 0.2, 0.2, 0.2\n")) +
          joints(joint("wall", "weld", "arm", "0, 0, 0") +
                 joint("rope", "distance", "arm, load", "2, 0, 0",
                       "    set Second point = 2, 0, -0.9\n")) +
          gravity("0, 0, -10"),
      1e-2);
  for (unsigned int k = 0; k < 50; ++k) {
    const auto &record = run.advance();
    const auto &wall = record.link_impulses.at(0), &rope = record.link_impulses.at(1);
    ASSERT_NEAR(wall[2], 20. * 1e-2, 1e-12);
    ASSERT_NEAR(wall[4], -(10. * 1. + 10. * 2.) * 1e-2, 1e-12);
    ASSERT_NEAR(rope[2], 10. * 1e-2, 1e-12);
    ASSERT_LT(largest_defect(run), 1e-14);
  }
}

// ---- contact ----

/// A cart whose wheels have motors climbs a slope with the acceleration (4 τ/r − M g sin α) / (M +
/// 4 J/r²). Four wheels on a stiff frame share the weight in many ways, and a wheel with little of
/// it slips; sweeps from equal forces keep them equal.
TEST(Cart, ClimbsASlopeByItsMotors) {
  const double mass_of_wheel = 1., r = 0.1, M = 1. + 4. * mass_of_wheel,
               J = 0.4 * mass_of_wheel * r * r, torque = 0.6, slope = 0.2;
  std::string wheels, axles;
  for (unsigned int k = 0; k < 4; ++k) {
    const std::string name = format("wheel %u", k + 1),
                      position = format("%g, %g, 0.1", k < 2 ? -0.4 : 0.4, k % 2 ? -0.3 : 0.3);
    wheels += body(name, position, "    set Shape = sphere\n    set Radius = 0.1\n");
    axles += joint(name, "hinge", "chassis, " + name, position,
                   format("    set Axis = 0, 1, 0\n    set Motor torque = %g\n", torque));
  }
  SteppedJoints run = run_of(
      bodies(body("chassis", "0, 0, 0.15", "    set Shape = box\n    set Size = 1, 0.4, 0.1\n") +
             wheels) +
          joints(axles) +
          gravity(format("%.17g, 0, %.17g", -9.81 * std::sin(slope), -9.81 * std::cos(slope))) +
          "subsection Contact\n  subsection road\n    set Bodies = wheel 1, wheel 2, wheel 3, "
          "wheel 4\n    set Surface = half-space\n    set Friction coefficient = 0.9\n  end\nend\n"
          "subsection Solver\n  set Method = nsgs\nend\n",
      2e-3);
  const double acceleration =
      (4. * torque / r - M * 9.81 * std::sin(slope)) / (M + 4. * J / (r * r));
  ASSERT_GT(acceleration, 0.5);
  for (unsigned int k = 0; k < 500; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 30.) << k;
    ASSERT_EQ(record.contacts.size(), 4u);
    const double t = run.state.time;
    // A step turns by 2 atan(hΩ/2) instead of hΩ.
    const double s = 0.5 * acceleration * t * t, turned = 2e-3 * acceleration / r * t,
                 lag = 1e-8 + s * turned * turned / 12.;
    ASSERT_NEAR(rigid_runs::displacement(run, 0)[0], s, lag) << k;
    ASSERT_NEAR(coordinate(run, 0), s / r, lag / r) << k;
  }
}

/// The shipped cart climbs while its motors act, and neither friction nor joints create energy.
TEST(Cart, OnItsSuspensionClimbsAsLongAsItsMotorsAct) {
  SteppedJoints run(
      cases_in_space::build<3>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/cart.prm")));
  double start = run.state.energy(), works = 0, speed = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = run.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 100.) << k;
    ASSERT_LT(largest_defect(run), 1e-13) << k;
    // Joints hold the wheels sideways, as friction does: percussions of a step are not unique.
    ASSERT_LT(record.defects.defect(DefectKind::cone_violation).value, 1e-11) << k;
    ASSERT_LE(record.works.contact_normal, 1e-12) << k;
    ASSERT_LE(record.works.contact_tangential, 1e-12) << k;
    ASSERT_LE(record.works.viscous, 0.) << k;
    works += record.works.sum();
    if (k + 1 == 750)
      speed = rigid_runs::velocity(run, 0)[0];
  }
  EXPECT_NEAR(run.state.energy(), start + works, 1e-9);
  // (4 τ/r − M g sin α) / (M + 4 J/r²) × 1.5 s
  EXPECT_NEAR(speed, 1.5 * (40. - 12.8 * 1.8718) / (12.8 + 4. * 0.4 * 0.5), 0.02);
  EXPECT_LT(rigid_runs::velocity(run, 0)[0], speed);
}

} // namespace joints_in_space
