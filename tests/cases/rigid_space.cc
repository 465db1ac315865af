// Shipped cases of rigid bodies in 3D, shortened, compared with known results.

#include <percussion/body/attitude.h>
#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cases_of_solids {

using namespace percussion;
using Direction = dealii::Tensor<1, 3>;

struct SteppedSolids {
  SteppedSolids(const std::string &name, const std::vector<std::string> &assignments)
      : c(read(name, assignments)), step(*c.bodies, *c.boundary, c.choices, c.cone),
        state(c.initial) {
    step.initialise(state);
  }
  static Case<3> read(const std::string &name, const std::vector<std::string> &assignments) {
    auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + name + ".prm");
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    return build_case<3>(Parameters(declare_case(&file), file), file);
  }
  const StepRecord<3> &advance() {
    return step.advance(state, c.span.start + (state.step + 1) * c.choices.h);
  }
  const double *q(std::size_t body) const { return state.q.data() + c.bodies->rigid_dof(body); }
  const double *v(std::size_t body) const { return state.v.data() + c.bodies->rigid_dof(body); }
  /// Returns a direction of the body's frame in the global frame.
  Direction turned(std::size_t body, const Direction &x) const {
    return RigidPose<3>(c.bodies->rigid[body], q(body)).turned(x);
  }
  std::size_t body(const std::string &name) const {
    std::size_t b = 0;
    while (c.bodies->rigid.at(b).name != name)
      ++b;
    return b;
  }

  Case<3> c;
  Step<3> step;
  State<3> state;
};

/// Inclination θ and heading φ of a symmetric heavy top on a fixed tip, which begins with its spin
/// only: its momenta about the vertical and about its axis are conserved. Integrated by the
/// Runge–Kutta method.
struct HeavyTop {
  double I1, I3, mgl, spin, inclination, rate = 0., heading = 0.;
  const double vertical = I3 * spin * std::cos(inclination), axial = I3 * spin;

  std::array<double, 3> derivative(const std::array<double, 3> &x) const {
    const double s = std::sin(x[0]),
                 precession = (vertical - axial * std::cos(x[0])) / (I1 * s * s);
    return {x[1], (precession * s * (I1 * precession * std::cos(x[0]) - axial) + mgl * s) / I1,
            precession};
  }
  void advance(double h) {
    std::array<double, 3> x = {inclination, rate, heading}, sum = x, k{};
    for (const auto &[reach, share] : {std::pair(0., 1. / 6), std::pair(0.5, 1. / 3),
                                       std::pair(0.5, 1. / 3), std::pair(1., 1. / 6)}) {
      std::array<double, 3> at = x;
      for (std::size_t i = 0; i < 3; ++i)
        at[i] += reach * h * k[i];
      k = derivative(at);
      for (std::size_t i = 0; i < 3; ++i)
        sum[i] += share * h * k[i];
    }
    inclination = sum[0];
    rate = sum[1];
    heading = sum[2];
  }
};

/// Frames at the midpoint are the default; the wall of AC24 has the frames of the paper.
TEST(FramesOfSolids, AreAtTheMidpointUnlessNamed) {
  const auto frames = [](const std::string &name, const std::vector<std::string> &assignments) {
    return SteppedSolids::read(name, assignments).choices.frames;
  };
  EXPECT_EQ(frames("spinning_top", {}), Frames::midpoint);
  EXPECT_EQ(frames("spinning_top", {"Time/Scheme=newmark-signorini"}), Frames::midpoint);
  EXPECT_EQ(frames("spinning_top", {"Contact/Frames=start"}), Frames::start);
  EXPECT_EQ(frames("spinning_top", {"Contact/Frames=reached midpoint"}), Frames::reached);
  EXPECT_EQ(frames("rock_wall", {}), Frames::start);
  EXPECT_EQ(frames("rock_wall_classical", {}), Frames::start);
}

/// The top nutates and precesses like the heavy symmetric top in textbooks.
TEST(SpinningTop, NodsAndPrecesses) {
  SteppedSolids top("spinning_top", {});
  const auto &body = top.c.bodies->rigid[0];
  const Direction axis({0., -std::sin(0.3), std::cos(0.3)}); // axis in the body's frame
  const Direction across({1., 0., 0.}); // a direction perpendicular to the axis
  const dealii::Tensor<2, 3> inertia(body.inertia);
  const double length = body.centre.norm(), mass = body.mass;
  HeavyTop exact{across * (inertia * across) + mass * length * length, axis * (inertia * axis),
                 mass * 9.81 * length, 200., 0.3};
  const double energy = top.state.energy(), h = top.c.choices.h;
  double heading = 0, last = -0.5 * std::acos(-1.), largest = 0, heading_error = 0;
  for (unsigned int k = 0; k < 3000; ++k) {
    const auto &record = top.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << k;
    exact.advance(h);
    const Direction now = top.turned(0, axis);
    const double turned = std::atan2(now[1], now[0]);
    heading += std::remainder(turned - last, 2 * std::acos(-1.));
    last = turned;
    largest = std::max(largest, std::abs(std::acos(now[2]) - exact.inclination));
    heading_error = std::max(heading_error, std::abs(heading - exact.heading));
  }
  EXPECT_GT(heading, 1.);
  EXPECT_LT(largest, 1e-2);
  EXPECT_LT(heading_error, 2e-2 * heading);
}

/// Each domino falls on the next one.
TEST(Dominoes, FallOneAfterTheOther) {
  SteppedSolids row("dominoes", {"Rigid bodies/dominoes/Copies=4"});
  const std::size_t n = row.c.bodies->rigid.size();
  std::vector<double> falls(n, 0.);
  double largest = row.state.energy();
  for (unsigned int k = 0; k < 1600; ++k) {
    const auto &record = row.advance();
    largest = std::max(largest, row.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * largest);
    for (std::size_t b = 0; b < n; ++b)
      if (falls[b] == 0. && row.turned(b, Direction({0., 0., 1.}))[0] > 0.2)
        falls[b] = row.state.time;
  }
  std::vector<double> ordered_falls = {falls[row.body("first")]};
  ordered_falls.insert(ordered_falls.end(), falls.begin(), falls.end() - 1);
  ASSERT_GT(ordered_falls.front(), 0.);
  for (std::size_t b = 1; b < n; ++b)
    EXPECT_GT(ordered_falls[b], ordered_falls[b - 1] + 0.02) << b;
}

/// The bodies of AC24, section 5.4, and the motion of the rock.
TEST(RockWall, HasTheBodiesOfTheSource) {
  SteppedSolids wall("rock_wall", {});
  const auto &bodies = wall.c.bodies->rigid;
  ASSERT_EQ(bodies.size(), 276u);
  const std::size_t rock = wall.body("rock");
  EXPECT_NEAR(bodies[rock].mass, 72049.828, 1.);
  for (unsigned int k = 0; k < 20; ++k)
    wall.advance();
  const double *const q = wall.q(rock), *const v = wall.v(rock);
  EXPECT_NEAR(bodies[rock].centre[0] + q[0], 30., 1e-9);
  EXPECT_NEAR(bodies[rock].centre[2] + q[2], 35., 1e-9);
  EXPECT_NEAR(v[2], -35., 1e-9);
  const Direction spin({v[3], v[4], v[5]});
  const double energy = 0.5 * bodies[rock].mass * (v[0] * v[0] + v[2] * v[2]) +
                        0.5 * (spin * (bodies[rock].inertia * spin));
  EXPECT_NEAR(energy, 55040384., 2000.);
  for (const auto &contact : wall.c.initial.found.contacts) // no bodies overlap
    ASSERT_GT(contact.gap, -1e-9);
}

/// The wall through a hit, with steps of eight times the length and the loosest tolerance of the
/// source. The rock begins near the wall, so that it arrives soon after the gaps have closed.
class WallUnderRock {
public:
  explicit WallUnderRock(const std::string &name)
      : wall(name, {"Time/Step=4e-3", "Time/End=0.36", "Solver/Tolerance=1e-4",
                    "Rigid bodies/rock/Position=12, 0, 6",
                    "Rigid bodies/rock/Initial velocity=-30, 0, 0"}),
        rock(wall.body("rock")) {}

  void advance_to(double t) {
    while (wall.state.time < t - 1e-9) {
      const StepRecord<3> &record = wall.advance();
      largest_energy = std::max(largest_energy, wall.state.energy());
      works += record.works;
      largest_work = std::max({largest_work, record.normal_work_max, record.tangential_work_max});
      balance_residual = std::max(balance_residual, std::abs(record.balance_residual));
    }
  }
  /// Returns the positions of all blocks, relative to their initial positions [length].
  std::vector<Direction> positions() const {
    std::vector<Direction> q;
    for (std::size_t b = 0; b < wall.c.bodies->rigid.size(); ++b)
      if (b != rock)
        q.emplace_back(Direction({wall.q(b)[0], wall.q(b)[1], wall.q(b)[2]}));
    return q;
  }

  SteppedSolids wall;
  std::size_t rock;
  Works works;
  double largest_energy = 0, largest_work = 0, balance_residual = 0;
};

double largest_distance(const std::vector<Direction> &a, const std::vector<Direction> &b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

TEST(RockWall, StandsUntilTheRockHitsItAndTakesItsEnergy) {
  WallUnderRock run("rock_wall");
  run.advance_to(0.2);
  const auto closed = run.positions();
  run.advance_to(0.34);
  EXPECT_LT(largest_distance(run.positions(), closed), 1e-5);
  run.advance_to(0.36);
  EXPECT_GT(largest_distance(run.positions(), closed), 0.02);
  EXPECT_LT(run.works.contact_normal, -1e7);
  EXPECT_LT(run.works.contact_tangential, -5e6);
  EXPECT_LT(run.largest_work, 2e-5 * run.largest_energy); // by the solver's tolerance
  EXPECT_LT(run.balance_residual, 1e-13 * run.largest_energy);
}

TEST(RockWall, GainsEnergyByFrictionUnderTheClassicalLaw) {
  WallUnderRock run("rock_wall_classical");
  run.advance_to(0.36);
  EXPECT_GT(run.largest_work, 1e-4 * run.largest_energy);
  EXPECT_LT(run.balance_residual, 1e-13 * run.largest_energy);
}

} // namespace cases_of_solids
