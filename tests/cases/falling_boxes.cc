// Boxes that fall on each other with rotation.

#include "cases/rigid_runs.h"

namespace rigid_runs {

namespace {

/// Returns six boxes above each other, almost parallel when they meet.
Stepped<3> column(const std::string &angular_velocity) {
  const std::string text = R"(subsection Rigid bodies
  subsection boxes
    set Shape = box
    set Size = 0.1, 0.1, 0.1
    set Density = 1000
    set Axis = 1, 2, 3
    set Angle = 40
    set Position = 0, 0, 0.12
    set Initial velocity = 0, 0, -1
    set Courses = 6
    set Course offset = 0.006, 0.004, 0.18
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
)" + contacts("0.4", "set Forecast = leapfrog") +
                           moving;
  return stepped<3>(text, {"Rigid bodies/boxes/Initial angular velocity=" + angular_velocity});
}

} // namespace

/// All corners of faces that rotate towards each other are contacts before they have closed. If
/// only the deepest edges were, each change of these edges would add to the depth: 5.8, 4.3 and 5.4
/// mm.
TEST(FallingBoxes, SinkInNoDeeperThanTheyFallInAStep) {
  const unsigned int n_steps = 300;
  for (const char *const spin : {"-2.19, 2.08, 1.58", "-0.22, -0.76, -2.17", "2.79, -2.93, 1.42"}) {
    auto run = column(spin);
    const double h = run.c.choices.h, speed = 1 + 9.81 * n_steps * h;
    double deepest = 0;
    for (unsigned int k = 0; k < n_steps; ++k)
      deepest = std::max(deepest, run.advance().penetration_max);
    EXPECT_GT(deepest, 0.) << spin;
    EXPECT_LT(deepest, h * speed) << spin;
  }
}

/// Restitutions of more than twenty contacts are decided by solutions of a loose tolerance; the
/// solution of the step must obey the law to the tolerance of the solver.
TEST(FallingBoxes, ObeyTheLawInEachStep) {
  auto run = column("2.79, -2.93, 1.42");
  double scale = std::abs(run.state.energy());
  unsigned int n_steps_of_many = 0;
  for (unsigned int k = 0; k < 500; ++k) {
    const auto &record = run.advance();
    scale = std::max(scale, std::abs(run.state.energy()));
    n_steps_of_many += record.contacts.size() > 20;
    ASSERT_LE(record.solver_residual, run.c.cone.tolerance) << "step " << k + 1;
    ASSERT_LE(record.defects.defect(DefectKind::cone_violation).value, 1e-9) << "step " << k + 1;
    ASSERT_LE(record.tangential_work_max, 1e-9 * scale) << "step " << k + 1;
    ASSERT_LE(record.normal_work_max, 1e-9 * scale) << "step " << k + 1;
    ASSERT_LE(std::abs(record.balance_residual), 1e-12 * scale) << "step " << k + 1;
  }
  EXPECT_GT(n_steps_of_many, 50u);
}

} // namespace rigid_runs
