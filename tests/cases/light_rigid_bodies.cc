// Rigid bodies with negligible inertia in long steps, held by contacts only.

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace cases_in_space {
namespace {

/// A box of 1e-9 t pressed on the ground by 4 N: in a step of 0.02 s its free velocity is 8e7 mm/s.
class LightRigidBodies : public cases::CaseFolder, public testing::WithParamInterface<double> {
protected:
  void write_case() const {
    const std::string theta = std::to_string(GetParam());
    write("case.prm", "subsection Rigid bodies\n"
                      "  subsection punch\n    set Shape = box\n    set Size = 1.4, 1.4, 0.2\n"
                      "    set Mass = 1e-9\n    set Position = 0.5, 0.5, 0.1\n"
                      "    set Displacement x = 0\n    set Displacement y = 0\n"
                      "    set Angular velocity z = 0\n"
                      "    set Force z = -4*if(t < 1, 0.5*(1 - cos(pi*t)), 1)\n  end\nend\n"
                      "subsection Contact\n  subsection joint\n    set Bodies = punch\n"
                      "    set Surface = half-space\n    set Point = 0, 0, 0\n"
                      "    set Normal = 0, 0, 1\n  end\nend\n"
                      "subsection Time\n  set Theta = " +
                          theta + "\n  set End = 1.5\n  set Step = 0.02\nend\n");
  }

  /// Returns the depth of the deepest contact of all steps, and the height of the box in the last
  /// one.
  std::pair<double, double> run_case() const {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    Stepped<3> run(build<3>(ParameterFile::read("case.prm")));
    std::filesystem::current_path(before);
    double deepest = 0;
    while (run.state.step < run.c.span.n_steps)
      deepest = std::max(deepest, run.advance().penetration_max);
    return {deepest, run.c.bodies->poses(run.state.q)[0].centre[2]};
  }
};

TEST_P(LightRigidBodies, StayOnTheGround) {
  write_case();
  const auto [deepest, height] = run_case();
  EXPECT_LT(deepest, 1e-6);
  EXPECT_NEAR(height, 0.1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Theta, LightRigidBodies, testing::Values(0.5, 1.));

} // namespace
} // namespace cases_in_space
