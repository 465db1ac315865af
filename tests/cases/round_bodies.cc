// Capsules and cylinders in cases: rolling, standing, lying, impacts, and inputs that are refused.

#include <percussion/base/format.h>

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"

namespace round_bodies { // separates names from other tests in unity builds

using namespace percussion;
using rigid_runs::displacement;
using rigid_runs::stepped;
using rigid_runs::velocity;

constexpr double g = 9.81;

/// Returns a body of radius 0.2 and length or height 0.6.
std::string body(const std::string &name, const std::string &shape, const std::string &entries) {
  return "subsection Rigid bodies\n  subsection " + name + "\n    set Shape = " + shape +
         "\n    set Radius = 0.2\n    set " + (shape == "capsule" ? "Length" : "Height") +
         " = 0.6\n" + entries + "  end\nend\n";
}

std::string gravity(const std::string &components) {
  return "subsection Boundary conditions\n  set Gravity = " + components + "\nend\n";
}

const std::string ground = R"(subsection Contact
  subsection ground
    set Bodies = all
    set Friction coefficient = 0.8
  end
end
)";

const std::string between_bodies = R"(subsection Contact
  subsection bodies
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Friction coefficient = 0.5
  end
end
)";

const std::string time = R"(subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-3
  set End = 0.3
  set Theta = 0.5
end
)";

/// Rotation of a body with its axis z to the direction y.
const std::string lying = "    set Axis = 1, 0, 0\n    set Angle = -1.5707963267948966\n";

/// A round body rolls down a slope with the acceleration g sin α / (1 + I/(m r²)).
void expect_rolling(const std::string &shape) {
  const double r = 0.2, sine = 0.5, cosine = std::sqrt(0.75);
  auto run = stepped<3>(
      body("roller", shape, lying + "    set Density = 1000\n    set Position = 0, 0, 0.2\n") +
      gravity(std::to_string(g * sine) + ", 0, " + format("%.17g", -g * cosine)) + ground + time);
  double worst = 0, largest = 0;
  for (unsigned int k = 0; k < 300; ++k) {
    worst = std::max(worst, std::abs(run.advance().balance_residual));
    largest = std::max(largest, run.state.energy());
  }
  const RigidBody<3> &roller = run.c.bodies->rigid[0];
  const double acceleration = g * sine / (1 + roller.inertia[1][1] / (roller.mass * r * r));
  const double *const v = velocity(run, 0);
  EXPECT_NEAR(v[0], acceleration * 0.3, 1e-10);
  EXPECT_NEAR(displacement(run, 0)[0], acceleration * 0.3 * 0.3 / 2, 1e-10);
  EXPECT_NEAR(v[4], v[0] / r, 1e-11); // Ω about y
  EXPECT_NEAR(displacement(run, 0)[2], 0., 1e-11);
  EXPECT_LT(worst, 1e-13 * std::max(largest, std::abs(roller.mass * g * 0.2)));
}

TEST(RoundBodies, RollDownASlope) {
  expect_rolling("capsule");
  expect_rolling("cylinder");
}

/// Bodies at rest on the ground and on each other stay there.
void expect_rest(const std::string &shape) {
  auto run = stepped<3>(
      body("lower", shape, lying + "    set Density = 1000\n    set Position = 0, 0, 0.2\n") +
      body("upper", shape, lying + "    set Density = 1000\n    set Position = 3, 0.1, 1.2\n") +
      "subsection Rigid bodies\n  subsection block\n    set Shape = box\n    set Size = 2, 0.5, 1\n"
      "    set Density = 2000\n    set Position = 3, 0, 0.5\n  end\nend\n" +
      gravity("0, 0, -9.81") + ground + between_bodies + time);
  for (unsigned int k = 0; k < 100; ++k)
    run.advance();
  for (unsigned int b = 0; b < 3; ++b)
    for (unsigned int d = 0; d < 6; ++d) {
      EXPECT_NEAR(displacement(run, b)[d], 0., 1e-11) << b << d;
      EXPECT_NEAR(velocity(run, b)[d], 0., 1e-10) << b << d;
    }
}

TEST(RoundBodies, LieOnTheGroundAndOnABox) {
  expect_rest("capsule");
  expect_rest("cylinder");
}

/// A cylinder stands, also on another one and on a slope, and does not drift.
TEST(Cylinder, Stands) {
  auto run = stepped<3>(
      body("lower", "cylinder", "    set Density = 1000\n    set Position = 0, 0, 0.3\n") +
      body("upper", "cylinder", "    set Density = 1000\n    set Position = 0.05, 0, 0.9\n") +
      gravity("1, 0.5, -9.81") + ground + between_bodies + time);
  for (unsigned int k = 0; k < 200; ++k)
    run.advance();
  for (unsigned int b = 0; b < 2; ++b)
    for (unsigned int d = 0; d < 6; ++d)
      EXPECT_NEAR(displacement(run, b)[d], 0., 1e-10) << b << d;
}

/// A cylinder that is tilted falls on its face or over, by the side of the vertical on which its
/// centre is.
TEST(Cylinder, FallsBackOrOver) {
  std::string longer = time;
  longer.replace(longer.find("End = 0.3"), 9, "End = 1.5");
  const auto height_after = [&](double angle) {
    // Its lowest point is on the ground.
    const double z = 0.3 * std::cos(angle) + 0.2 * std::sin(angle);
    auto run = stepped<3>(body("can", "cylinder",
                               "    set Density = 1000\n    set Axis = 1, 2, 0\n    set Angle = " +
                                   format("%.17g", angle) + "\n    set Position = 0, 0, " +
                                   format("%.17g", z) + "\n") +
                          gravity("0, 0, -9.81") + ground + longer);
    for (unsigned int k = 0; k < 1500; ++k)
      run.advance();
    return z + displacement(run, 0)[2];
  };
  EXPECT_NEAR(height_after(0.4), 0.3, 2e-3);
  EXPECT_NEAR(height_after(0.8), 0.2, 2e-3);
}

/// Returns velocities after an oblique impact of a sphere on a round body, in either order.
std::vector<double> velocities_after_impact(const std::string &shape, bool sphere_is_first) {
  const std::string sphere = "subsection Rigid bodies\n  subsection ball\n    set Shape = sphere\n"
                             "    set Radius = 0.3\n    set Density = 500\n"
                             "    set Position = 0.1, 0.2, 0.53\n"
                             "    set Initial velocity = 0.2, 0.1, -3\n  end\nend\n";
  const std::string other = body("other", shape, lying + "    set Density = 1000\n");
  auto run =
      stepped<3>((sphere_is_first ? sphere + other : other + sphere) + between_bodies + time);
  dealii::Tensor<1, 3> momentum;
  for (unsigned int k = 0; k < 50; ++k)
    run.advance();
  std::vector<double> v;
  for (const unsigned int b : {sphere_is_first ? 0u : 1u, sphere_is_first ? 1u : 0u}) {
    const double *const twist = velocity(run, b);
    v.insert(v.end(), twist, twist + 6);
    for (unsigned int d = 0; d < 3; ++d)
      momentum[d] += run.c.bodies->rigid[b].mass * twist[d];
  }
  const double mass = 500 * 4. / 3 * std::acos(-1.) * 0.027;
  EXPECT_LT((momentum - mass * dealii::Tensor<1, 3>({0.2, 0.1, -3.})).norm(), 1e-10);
  return v;
}

TEST(RoundBodies, CollideInAnyOrderOfTheirSections) {
  for (const char *shape : {"capsule", "cylinder"}) {
    const auto v = velocities_after_impact(shape, true),
               swapped = velocities_after_impact(shape, false);
    EXPECT_GT(v[2], -2.5) << shape;
    for (std::size_t i = 0; i < v.size(); ++i)
      EXPECT_NEAR(v[i], swapped[i], 1e-11) << shape << i;
  }
}

/// A capsule rolls over a sphere that is a surface: it touches it between its ends.
TEST(Capsule, RestsAcrossASphere) {
  for (const std::string surface :
       {"    set Surface = outside of sphere\n    set Radius = 1\n",
        "    set Surface = signed distance\n    set Signed distance = sqrt(x^2+y^2+z^2)-1\n"}) {
    auto run = stepped<3>(
        body("bar", "capsule", lying + "    set Density = 1000\n    set Position = 0, 0, 1.2\n") +
        gravity("0, 0, -9.81") + "subsection Contact\n  subsection ball\n    set Bodies = bar\n" +
        surface + "    set Friction coefficient = 1\n  end\nend\n" + time);
    for (unsigned int k = 0; k < 50; ++k)
      run.advance();
    for (unsigned int d = 0; d < 6; ++d)
      EXPECT_NEAR(displacement(run, 0)[d], 0., 1e-9) << surface << d;
  }
}

class RoundBodyInput : public cases::CheckedCase {
protected:
  void expect_refused(const std::vector<std::string> &assignments,
                      const std::vector<std::string> &words) const {
    const auto outcome = check_with(assignments);
    EXPECT_EQ(outcome.status, 2) << assignments[0];
    for (const std::string &word : words)
      EXPECT_PRED2(cases::has, outcome.error, word);
  }
};

TEST_F(RoundBodyInput, RefusesWrongSizesAndSurfaces) {
  const std::string mass = "    set Mass = 1\n", bar = "Rigid bodies/bar/",
                    can = "Rigid bodies/can/";
  write("case.prm", body("bar", "capsule", mass) + ground + time);
  EXPECT_EQ(check_with({}).status, 0) << check_with({}).error;
  expect_refused({bar + "Length=0"}, {"Length", "'0'"});
  expect_refused({bar + "Height=2"}, {"Height"});
  expect_refused({bar + "Shape=capsul"}, {"Shape", "'capsule'"});
  write("case.prm", body("can", "cylinder", mass) + ground + time);
  EXPECT_EQ(check_with({}).status, 0) << check_with({}).error;
  expect_refused({can + "Radius=-1"}, {"Radius", "'-1'"});
  const std::string surface = "Contact/ground/Surface=";
  for (const std::string kind : {"outside of sphere", "outside of cylinder"})
    expect_refused({surface + kind}, {"--set:", "Surface", "'can'", "half-spaces"});
  expect_refused({surface + "signed distance", "Contact/ground/Signed distance=z"},
                 {"--set:", "Surface", "'can'", "half-spaces"});
  EXPECT_EQ(check_with({surface + "inside of cylinder", "Contact/ground/Radius=5"}).status, 0);
}

} // namespace round_bodies
