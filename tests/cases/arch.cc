// The arch in 2D and 3D, made of rotated copies.

#include "cases/rigid_runs.h"

namespace rigid_runs {

namespace {

Stepped<2> arch(const std::string &thickness) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/arch.prm");
  return Stepped<2>(
      cases_in_space::build<2>(std::move(file), {"Constants/thickness=" + thickness}));
}

} // namespace

/// The critical thickness of limit analysis is 0.1067209 (tests/dynamics/masonry.cc).
TEST(Arch, FallsAtTheThicknessOfLimitAnalysis) {
  auto stands = arch("0.106722"), falls = arch("0.106720");
  for (unsigned int k = 0; k < 10; ++k) {
    EXPECT_EQ(stands.advance().contacts.size(), 2u * 28);
    EXPECT_LT(largest_velocity(stands), 1e-11) << k;
    falls.advance();
  }
  EXPECT_GT(largest_velocity(falls), 1e-8);
}

TEST(Arch, StandsAsShipped) {
  auto shipped = arch("0.107");
  for (unsigned int k = 0; k < 200; ++k) {
    shipped.advance();
    ASSERT_LT(largest_velocity(shipped), 1e-9) << k;
  }
}

/// The same voussoirs in 3D, three arches deep.
TEST(Arch, StandsInSpace) {
  const std::string text = R"(subsection Constants
  set inner = 1 - thickness/2
  set outer = 1 + thickness/2
  set joint = pi/27
end
subsection Rigid bodies
  subsection voussoirs
    set Shape = polyhedron
    set Vertices = inner, 0, 0; outer, 0, 0; outer*cos(joint), 0, outer*sin(joint); \
                   inner*cos(joint), 0, inner*sin(joint); inner, 1, 0; outer, 1, 0; \
                   outer*cos(joint), 1, outer*sin(joint); inner*cos(joint), 1, inner*sin(joint)
    set Density = 2000
    set Copies = 27
    set Turn = -joint
    set Turn axis = 0, 2, 0
    set Courses = 3
    set Course offset = 0, 1.5, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
)" + contacts("0.5", "set Gap tolerance = 1e-9") +
                           moving;
  auto stands = stepped<3>("subsection Constants\n set thickness = 0.106821\nend\n" + text),
       falls = stepped<3>("subsection Constants\n set thickness = 0.106621\nend\n" + text);
  for (unsigned int k = 0; k < 3; ++k) {
    EXPECT_EQ(stands.advance().contacts.size(), 3 * 4u * 28);
    EXPECT_LT(largest_velocity(stands), 1e-8) << k;
    falls.advance();
  }
  EXPECT_GT(largest_velocity(falls), 1e-5 * 9.81 * falls.state.time);
  // A copy is the first body rotated as a whole, including its mass properties.
  const auto &bodies = stands.c.bodies->rigid;
  const RigidBody<3> anew = solid_body("voussoir", 2000, bodies[5].shapes);
  EXPECT_NEAR(bodies[5].mass, anew.mass, 1e-12 * anew.mass);
  EXPECT_LT(bodies[5].centre.distance(anew.centre), 1e-14);
  EXPECT_LT((bodies[5].inertia - anew.inertia).norm(), 1e-13 * anew.inertia.norm());
}

} // namespace rigid_runs
