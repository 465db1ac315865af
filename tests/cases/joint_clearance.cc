// Slider–crank mechanisms in 3D with clearance in a joint: between impacts they move as an accurate
// integration of their equations from the last impact on.

#include <percussion/base/format.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"

namespace joint_clearance {

using namespace percussion;
using namespace case_text;
using SteppedRun = cases_in_space::Stepped<3>;

constexpr double crank_length = 0.2, rod_length = 0.6, clearance = 0.01, gravity_constant = 9.81;

std::string bar(const std::string &position, const std::string &size,
                const std::string &entries = "") {
  return set("Mass", 1.) + set("Shape", "box") + set("Size", size) + set("Position", position) +
         entries;
}
std::string joint(const std::string &kind, const std::string &bodies, const std::string &point,
                  const std::string &entries) {
  return set("Kind", kind) + set("Bodies", bodies) + set("Point", point) + entries;
}
std::string time(double h) {
  return in("Time", set("Scheme", "moreau-jean-fremond") + set("Theta", 0.5) + set("Step", h) +
                        set("End", 1000.));
}
const std::string z = set("Axis", "0, 0, 1"), x = set("Axis", "1, 0, 0");

/// Returns the largest displacement of a joint out of position, relative to its size.
double largest_defect(const SteppedRun &run) {
  double largest = 0;
  for (const auto &link : run.c.bodies->links) {
    const double *const q = run.state.q.data();
    const LinkMotion<3> motion(*run.c.bodies, link, q, q);
    for (const auto &held : coordinates_of(link))
      if (held.is_held) {
        const auto values = motion.motion(held);
        largest = std::max(largest, std::abs(values.end - held.drive.rest) / values.size);
      }
  }
  return largest;
}

/// Two coordinates and their rates.
using Motion = std::array<double, 4>;

/// Integrates by the Runge–Kutta method, with steps below 1e-4.
template <typename Rates>
Motion integrate(Motion y, double duration, const Rates &rates) {
  const auto n = static_cast<unsigned int>(std::ceil(duration / 1e-4));
  const double h = duration / n;
  for (unsigned int step = 0; step < n; ++step) {
    Motion sum = y, k{};
    for (const auto &[reach, weight] : {std::pair(0., 1. / 6), std::pair(0.5, 1. / 3),
                                        std::pair(0.5, 1. / 3), std::pair(1., 1. / 6)}) {
      Motion stage = y;
      for (std::size_t i = 0; i < y.size(); ++i)
        stage[i] += reach * h * k[i];
      k = rates(stage);
      for (std::size_t i = 0; i < y.size(); ++i)
        sum[i] += weight * h * k[i];
    }
    y = sum;
  }
  return y;
}

/// Flights of a run between its impacts.
struct Flights {
  double error = 0;        ///< largest distance from the integration of a flight [length or angle]
  unsigned int number = 0; ///< number of flights of at least 20 steps
};

/// Advances a run, and integrates each of its flights from the end of the last impact on.
/// `motion(run)` returns the coordinates, `is_impact(record)` tells a step with an impact.
template <typename MotionOf, typename IsImpact, typename Rates>
Flights compare_flights(SteppedRun &run, double end, double energy, const MotionOf &motion,
                        const IsImpact &is_impact, const Rates &rates) {
  Flights flights;
  Motion start = motion(run), last = start;
  double start_time = run.state.time, last_time = start_time;
  unsigned int n_steps = 0;
  while (run.state.time < end) {
    const auto &record = run.advance();
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy) << run.state.step;
    EXPECT_LE(record.works.contact_normal, 1e-13 * energy) << run.state.step;
    EXPECT_LE(record.works.contact_tangential, 1e-13 * energy) << run.state.step;
    EXPECT_LT(largest_defect(run), 1e-13) << run.state.step;
    if (!is_impact(record)) {
      last = motion(run);
      last_time = run.state.time;
      ++n_steps;
      continue;
    }
    if (n_steps >= 20) {
      const double duration = last_time - start_time;
      const Motion exact = integrate(start, duration, rates);
      for (const std::size_t i : {0U, 1U})
        flights.error = std::max(flights.error, std::abs(last[i] - exact[i]));
      ++flights.number;
    }
    start = motion(run);
    start_time = run.state.time;
    n_steps = 0;
  }
  return flights;
}

// ---- play between the wrist pin and the piston, as limits of a slider ----

SteppedRun play_in_the_piston(double h) {
  const double omega = 20., rod_spin = -omega * crank_length / rod_length,
               speed = 0.5 * omega * crank_length;
  const std::string up = format("0, %.17g, 0", speed);
  return rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("crank", bar("0.1, 0, 0", "0.2, 0.05, 0.05",
                              set("Initial velocity", up) +
                                  set("Initial angular velocity", format("0, 0, %.17g", omega)))) +
             section("rod",
                     bar("0.5, 0, 0", "0.6, 0.05, 0.05",
                         set("Initial velocity", up) +
                             set("Initial angular velocity", format("0, 0, %.17g", rod_spin)))) +
             section("pin", set("Mass", 0.1) + set("Shape", "sphere") + set("Radius", 0.02) +
                                set("Position", "0.8, 0, 0")) +
             section("piston", bar("0.8, 0, 0", "0.2, 0.2, 0.2"))) +
      in("Joints", section("bearing", joint("hinge", "crank", "0, 0, 0", z)) +
                       section("crank pin", joint("hinge", "crank, rod", "0.2, 0, 0", z)) +
                       section("wrist", joint("hinge", "rod, pin", "0.8, 0, 0", z)) +
                       section("guide", joint("slider", "piston", "0.8, 0, 0", x)) +
                       section("play", joint("slider", "pin, piston", "0.8, 0, 0",
                                             x + set("Upper displacement", clearance) +
                                                 set("Lower displacement", -clearance) +
                                                 set("Restitution", 0.7)))) +
      gravity(format("0, %.17g, 0", -gravity_constant)) + time(h));
}

/// Mechanism of one degree of freedom, the angle φ of the crank, in front of a free piston.
struct Crank {
  double crank_inertia = (0.04 + 0.0025) / 12. + 0.01, rod_inertia = (0.36 + 0.0025) / 12.,
         pin_mass = 0.1;

  double root(double phi) const {
    return std::sqrt(rod_length * rod_length - std::pow(crank_length * std::sin(phi), 2));
  }
  /// Returns the derivative of the position of the pin by φ.
  double pin_slope(double phi) const {
    const double s = crank_length * std::sin(phi), c = crank_length * std::cos(phi);
    return -s - s * c / root(phi);
  }
  double inertia(double phi) const {
    const double s = crank_length * std::sin(phi), c = crank_length * std::cos(phi),
                 rod_x = -s - 0.5 * s * c / root(phi), rod_y = 0.5 * c;
    return crank_inertia + rod_x * rod_x + rod_y * rod_y +
           rod_inertia * std::pow(c / root(phi), 2) + pin_mass * std::pow(pin_slope(phi), 2);
  }
  /// Returns the acceleration by I φ'' = −I' φ'²/2 − V', with V = 2 g (0.1 sin φ).
  Motion rates(const Motion &y) const {
    const double e = 1e-5,
                 slope = (8. * (inertia(y[0] + e) - inertia(y[0] - e)) -
                          (inertia(y[0] + 2. * e) - inertia(y[0] - 2. * e))) /
                         (12. * e),
                 torque = -gravity_constant * crank_length * std::cos(y[0]);
    return {y[2], y[3], (torque - 0.5 * slope * y[2] * y[2]) / inertia(y[0]), 0.};
  }
};

Motion crank_and_piston(const SteppedRun &run) {
  const double angle =
      LinkForces<3>(*run.c.bodies).drive_coordinates(run.state.q, run.state.link_turns).at(0);
  return {angle, rigid_runs::displacement(run, 3)[0], rigid_runs::velocity(run, 0)[5],
          rigid_runs::velocity(run, 3)[0]};
}

Flights flights_of_the_piston(double h) {
  SteppedRun run = play_in_the_piston(h);
  const Crank crank;
  double impact_error = 0;
  Motion before = crank_and_piston(run);
  const auto is_impact = [&](const StepRecord<3> &record) {
    const double limit = record.bound_impulses.back().limit;
    const Motion after = crank_and_piston(run);
    // The piston's limit is hit with a speed far above what forces change in a step.
    const double approach = before[3] - crank.pin_slope(before[0]) * before[2],
                 rebound = after[3] - crank.pin_slope(after[0]) * after[2];
    if (limit != 0. && std::abs(approach) > 0.3)
      impact_error = std::max(impact_error, std::abs(rebound + 0.7 * approach));
    before = after;
    return limit != 0.;
  };
  const Flights flights = compare_flights(run, 0.6, 20., crank_and_piston, is_impact,
                                          [&](const Motion &y) { return crank.rates(y); });
  EXPECT_LT(impact_error, 200. * h); // by the accelerations of the pin within the step
  return flights;
}

TEST(SliderCrankWithPlay, FliesBetweenImpactsAsItsIntegrationToSecondOrder) {
  const Flights coarse = flights_of_the_piston(1e-3), fine = flights_of_the_piston(5e-4);
  EXPECT_GE(fine.number, 5u);
  EXPECT_LT(fine.error, 1e-4);
  EXPECT_GT(coarse.error / fine.error, 3.);
}

/// Neither the joints nor the clearance drift: the play stays within what a step penetrates.
TEST(SliderCrankWithPlay, DoesNotDrift) {
  SteppedRun run = play_in_the_piston(2e-3);
  double defect = 0, depth = 0, energy = run.state.energy(), sum = 0;
  for (unsigned int k = 0; k < 2500; ++k) {
    const auto &record = run.advance();
    sum += record.works.sum();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * 20.) << k;
    defect = std::max(defect, largest_defect(run));
    depth = std::max(depth, std::abs(LinkForces<3>(*run.c.bodies)
                                         .drive_coordinates(run.state.q, run.state.link_turns)
                                         .back()) -
                                clearance);
  }
  EXPECT_LT(defect, 1e-12);
  EXPECT_LT(depth, 5. * 2e-3);
  EXPECT_NEAR(run.state.energy(), energy + sum, 1e-9);
}

// ---- a pin in a hole that a crank drives ----

constexpr double omega = 10.;

/// Returns a rod with a pin, a capsule, in the hole of a driven crank, and a piston at its other
/// end.
SteppedRun pin_in_a_hole(double h) {
  return rigid_runs::stepped<3>(
      in("Rigid bodies",
         section("rod", bar("0.5, 0, 0", "0.6, 0.05, 0.05")) +
             section("pin", set("Mass", 0.2) + set("Shape", "capsule") + set("Radius", 0.02) +
                                set("Length", 0.1) + set("Position", "0.2, 0, 0")) +
             section("piston", bar("0.8, 0, 0", "0.2, 0.2, 0.2"))) +
      in("Joints", section("wrist", joint("hinge", "rod, piston", "0.8, 0, 0", z)) +
                       section("press fit", joint("weld", "rod, pin", "0.2, 0, 0", "")) +
                       section("guide", joint("slider", "piston", "0.8, 0, 0", x))) +
      in("Contact",
         section("hole", set("Bodies", "pin") + set("Surface", "inside of cylinder") +
                             set("Radius", 0.02 + clearance) + set("Point", "0.2, 0, 0") + z +
                             set("Motion x", format("0.2*cos(%.17g*t) - 0.2", omega)) +
                             set("Motion y", format("0.2*sin(%.17g*t)", omega)) +
                             set("Restitution", 0.7) + set("Friction coefficient", 0.1))) +
      gravity(format("0, %.17g, 0", -gravity_constant)) + time(h) +
      in("Solver", set("Tolerance", 1e-14))); // times an impulse, it is the error of its work
}

/// A rod with a pin on a piston: a pendulum on a cart.
struct CartAndPendulum {
  double cart = 1., mass, arm, inertia; ///< inertia about the centre

  CartAndPendulum(const RigidBody<3> &rod, const RigidBody<3> &pin) : mass(rod.mass + pin.mass) {
    const double x_centre = (rod.mass * rod.centre[0] + pin.mass * pin.centre[0]) / mass;
    arm = 0.8 - x_centre;
    inertia = rod.inertia[2][2] + rod.mass * std::pow(rod.centre[0] - x_centre, 2) +
              pin.inertia[2][2] + pin.mass * std::pow(pin.centre[0] - x_centre, 2);
  }

  /// Returns the coordinates of a run, the displacement of the piston and the angle of the rod, and
  /// the rates that have the momenta of the bodies: their velocities at the end of a step miss the
  /// joints by a motion of the first order that alternates.
  Motion motion_of(const SteppedRun &run) const {
    const double angle = -LinkForces<3>(*run.c.bodies)
                              .drive_coordinates(run.state.q, run.state.link_turns)
                              .at(0),
                 moved = rigid_runs::displacement(run, 2)[0], wrist = 0.8 + moved;
    double along = 0, turning = 0;
    for (unsigned int b = 0; b < 3; ++b) {
      const auto &body = run.c.bodies->rigid[b];
      const double *const v = rigid_runs::velocity(run, b), *const q =
                                                                rigid_runs::displacement(run, b);
      along += body.mass * v[0];
      if (b < 2)
        turning +=
            body.mass * ((body.centre[0] + q[0] - wrist) * v[1] - (body.centre[1] + q[1]) * v[0]) +
            body.inertia[2][2] * v[5];
    }
    const double A = cart + mass, B = mass * arm * std::sin(angle), D = inertia + mass * arm * arm,
                 det = A * D - B * B;
    return {moved, angle, (D * along - B * turning) / det, (A * turning - B * along) / det};
  }

  Motion rates(const Motion &y) const {
    const double s = std::sin(y[1]), c = std::cos(y[1]), a = mass * arm;
    // (M + m) x'' + a s φ'' = −a c φ'², a s x'' + (I + a d) φ'' = a g c; the centre is at
    // (x − d cos φ, −d sin φ).
    const double A = cart + mass, B = a * s, D = inertia + a * arm, f = -a * c * y[3] * y[3],
                 g = a * gravity_constant * c, det = A * D - B * B;
    return {y[2], y[3], (D * f - B * g) / det, (A * g - B * f) / det};
  }
};

Flights flights_of_the_pin(double h) {
  SteppedRun run = pin_in_a_hole(h);
  const CartAndPendulum equations(run.c.bodies->rigid[0], run.c.bodies->rigid[1]);
  double depth = 0, driven = 0;
  const auto motion = [&](const SteppedRun &r) { return equations.motion_of(r); };
  const auto is_impact = [&](const StepRecord<3> &record) {
    depth = std::max(depth, record.penetration_max);
    driven = std::max(driven, std::abs(record.works.prescribed));
    return std::any_of(record.contacts.begin(), record.contacts.end(),
                       [](const auto &contact) { return contact.carries(); });
  };
  const Flights flights = compare_flights(run, 1., 10., motion, is_impact,
                                          [&](const Motion &y) { return equations.rates(y); });
  EXPECT_LT(depth, 10. * h); // the speed of impacts times a step
  EXPECT_GT(driven, 0.);
  return flights;
}

TEST(SliderCrankWithAPinInAHole, FliesBetweenImpactsAsItsIntegration) {
  const Flights coarse = flights_of_the_pin(1e-3), fine = flights_of_the_pin(2.5e-4);
  EXPECT_GE(coarse.number, 3u);
  EXPECT_GE(fine.number, 8u);
  EXPECT_LT(coarse.error, 5e-8);
  EXPECT_LT(fine.error, 2e-8);
}

} // namespace joint_clearance
