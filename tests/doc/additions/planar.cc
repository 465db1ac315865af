// The joint that joint.patch adds: a plate slides down an inclined plane and turns in it.

#include <gtest/gtest.h>

#include "cases/stepped.h"
#include <cmath>

namespace {

using namespace percussion;

const std::string plate = R"(subsection Rigid bodies
  subsection plate
    set Shape = box
    set Size = 1, 0.2, 0.1
    set Mass = 1
    set Position = 0, 0, 0
    set Initial velocity = 0, 1, 0
    set Initial angular velocity = 1.8, 0, 2.4
  end
end
subsection Joints
  subsection table
    set Kind = planar
    set Bodies = plate
    set Point = 0, 0, 0
    set Axis = 0.6, 0, 0.8
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta = 0.5
  set Step = 1e-3
  set End = 0.5
end
)";

TEST(PlanarJoint, LetsPlateSlideAndTurnInItsPlane) {
  cases_in_space::Stepped<3> run(
      cases_in_space::build<3>(ParameterFile::parse(plate, "planar.prm")));
  for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-13 * 10.) << k;
  const double *const q = run.c.bodies->rigid_values(run.state.q, 0),
                      *const v = run.c.bodies->rigid_values(run.state.v, 0);
  constexpr double t = 0.5, along_x = 4.8, along_z = -3.6; // gravity in the plane
  EXPECT_NEAR(q[0], 0.5 * along_x * t * t, 1e-12);
  EXPECT_NEAR(q[1], t, 1e-12);
  EXPECT_NEAR(q[2], 0.5 * along_z * t * t, 1e-12);
  const RigidPose<3> pose(run.c.bodies->rigid[0], q);
  const dealii::Tensor<1, 3> axis({0.6, 0., 0.8}), spin({v[3], v[4], v[5]});
  EXPECT_LT((pose.rotation * axis - axis).norm(), 1e-13);
  EXPECT_LT((spin - 3. * axis).norm(), 1e-11);
}

} // namespace
