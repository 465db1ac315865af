// Discs in 2D.

#include "cases/rigid_runs.h"

namespace rigid_runs {

/// A disc on an incline rolls with 2/3 g sin α, or slides if friction is too small for rolling.
TEST(Discs, RollDownAnIncline) {
  const double alpha = 0.4, g = 9.81, r = 0.3;
  for (const double mu : {0.5, 0.05}) {
    auto run = stepped<2>(moving + R"(subsection Constants
  set alpha = 0.4
end
subsection Rigid bodies
  subsection disc
    set Shape = disc
    set Radius = 0.3
    set Density = 7
    set Position = 0, 0.3
  end
end
subsection Boundary conditions
  set Gravity = 9.81*sin(alpha), -9.81*cos(alpha)
end
subsection Contact
  subsection ground
    set Bodies = disc
    set Friction coefficient = 0.5
  end
end
)",
                          {"Contact/ground/Friction coefficient=" + std::to_string(mu)});
    const auto &disc = run.c.bodies->rigid[0];
    const double m = 7 * std::acos(-1.) * r * r;
    EXPECT_NEAR(disc.mass, m, 1e-14);
    EXPECT_NEAR(disc.inertia, 0.5 * m * r * r, 1e-14);
    for (unsigned int k = 0; k < 1000; ++k) {
      const auto &record = run.advance();
      ASSERT_EQ(record.contacts.size(), 1u);
      ASSERT_LT(std::abs(record.balance_residual), 1e-12);
    }
    const bool rolls = mu == 0.5;
    const double a =
        rolls ? 2. / 3 * g * std::sin(alpha) : g * (std::sin(alpha) - mu * std::cos(alpha));
    EXPECT_NEAR(velocity(run, 0)[0], a, 1e-10) << mu;
    EXPECT_NEAR(displacement(run, 0)[0], 0.5 * a, 1e-10) << mu;
    EXPECT_NEAR(velocity(run, 0)[2], rolls ? -a / r : -2 * mu * g * std::cos(alpha) / r, 1e-9);
    EXPECT_NEAR(displacement(run, 0)[1], 0, 1e-12);
  }
}

/// Two discs and a box: central impacts with e = 1 exchange velocities; the ledger closes with
/// friction on discs that pass a corner.
TEST(Discs, TouchDiscsAndPolygons) {
  const std::string bodies = R"(subsection Rigid bodies
  subsection ball
    set Shape = disc
    set Radius = 0.5
    set Mass = 2
    set Initial velocity = 3, 0
  end
  subsection other
    set Shape = disc
    set Radius = 0.25
    set Mass = 1
    set Position = 1, 0
  end
  subsection box
    set Mass = 1e6
    set Position = 2.1, 0
    set Height = 0.2
  end
end
subsection Contact
  subsection all
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Restitution = 1
  end
end
)";
  auto run = stepped<2>(moving + bodies);
  for (unsigned int k = 0; k < 130; ++k)
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-13);
  // 2 (v − 3) + w = 0, w − v = 3
  EXPECT_NEAR(velocity(run, 0)[0], 1, 1e-12);
  EXPECT_NEAR(velocity(run, 1)[0], 4, 1e-12);
  for (unsigned int k = 0; k < 60; ++k)
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-12);
  EXPECT_NEAR(velocity(run, 1)[0], -4, 1e-4); // from the collision with the box
  auto corner = stepped<2>(
      moving + bodies, {"Rigid bodies/ball/Position=0, 0.3", "Contact/all/Friction coefficient=0.4",
                        "Rigid bodies/other/Position=0, -5", "Rigid bodies/box/Position=2, -0.2"});
  double worst = 0, deepest = 0;
  unsigned int n_contacts = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = corner.advance();
    worst = std::max(worst, std::abs(record.balance_residual));
    deepest = std::max(deepest, record.penetration_max);
    n_contacts += static_cast<unsigned int>(record.contacts.size());
  }
  EXPECT_LT(worst, 1e-12 * 9);
  EXPECT_LT(deepest, 3.1e-3); // displacement of the ball in a step
  EXPECT_GT(n_contacts, 0u);
  EXPECT_GT(std::abs(velocity(corner, 0)[2]), 0.1);
}

/// A disc that falls on a corner leaves it along the line through its centre.
TEST(Discs, BounceOffCorners) {
  for (const double offset : {0.1, 0.3}) {
    auto run = stepped<2>(moving + R"(subsection Rigid bodies
  subsection ball
    set Shape = disc
    set Radius = 0.5
    set Mass = 2
    set Position = 0.1, 0.51
    set Initial velocity = 0, -1
  end
  subsection box
    set Mass = 1
    set Position = -0.5, -0.5
    set Displacement x = 0
    set Displacement y = 0
    set Rotation = 0
  end
end
subsection Contact
  subsection all
    set Bodies = ball
    set Surface = rigid bodies
    set Against = box
    set Restitution = 1
  end
end
)",
                          {"Rigid bodies/ball/Position=" + std::to_string(offset) + ", 0.51"});
    for (unsigned int k = 0; k < 200; ++k)
      ASSERT_LT(std::abs(run.advance().balance_residual), 1e-14);
    // The sine of the angle of the normal is offset / 0.5.
    const double s = offset / 0.5, c2 = 1 - 2 * s * s;
    EXPECT_NEAR(velocity(run, 0)[0], 2 * s * std::sqrt(1 - s * s), 5e-3);
    EXPECT_NEAR(velocity(run, 0)[1], c2, 5e-3);
    EXPECT_NEAR(std::hypot(velocity(run, 0)[0], velocity(run, 0)[1]), 1, 1e-12);
    EXPECT_NEAR(velocity(run, 0)[2], 0, 1e-13);
  }
}

} // namespace rigid_runs
