// Rigid bodies that rest: on surfaces given by formulas, and on bodies of very different masses.

#include <gtest/gtest.h>

#include "cases/stepped.h"

namespace resting_bodies {

using namespace cases_in_space;

template <int dim>
Stepped<dim> case_of(const std::string &text) {
  return Stepped<dim>(build<dim>(ParameterFile::parse(text, "case.prm")));
}

const std::string end_of_case = "subsection Time\n  set End = 0.5\n  set Step = 1e-3\nend\n"
                                "subsection Output\n  set Number of instants = 1\nend\n";

/// A disc on the top of a circle, and a ball in the middle of a bowl, in both cases as the zero
/// level of a formula that is no distance.
TEST(RestingBodies, OnLevelSets) {
  const std::string contact = "subsection Contact\n  subsection ground\n    set Bodies = ball\n"
                              "    set Surface = signed distance\n    set Signed distance = ";
  for (const std::string formula : {"x^2+(y+1)^2-1", "5*(x^2+(y+1)^2-1)", "exp(y)-1-x^2"}) {
    auto run = case_of<2>(
        "subsection Rigid bodies\n  subsection ball\n    set Shape = disc\n    set Radius = 0.1\n"
        "    set Mass = 1\n    set Position = 0, 0.1\n  end\nend\n"
        "subsection Boundary conditions\n  set Gravity = 0, -9.81\nend\n" +
        contact + formula + "\n  end\nend\n" + end_of_case);
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
      ASSERT_NEAR(run.advance().contacts.size(), 1u, 0) << formula << k;
    EXPECT_NEAR(run.state.q[1], 0., 1e-12) << formula;
    EXPECT_NEAR(run.state.found.contacts.front().gap, 0., 1e-12) << formula;
  }
  auto run = case_of<3>(
      "subsection Rigid bodies\n  subsection ball\n    set Shape = sphere\n    set Radius = 0.1\n"
      "    set Mass = 1\n    set Position = 0, 0, 0.1\n  end\nend\n"
      "subsection Boundary conditions\n  set Gravity = 0, 0, -9.81\nend\n" +
      contact + "z-x^2-0.5*y^2\n  end\nend\n" + end_of_case);
  for (unsigned int k = 0; k < run.c.span.n_steps; ++k)
    ASSERT_EQ(run.advance().contacts.size(), 1u) << k;
  EXPECT_NEAR(run.state.q[2], 0., 1e-12);
}

/// A heavy body rests on a light one on the ground.
TEST(RestingBodies, OnALightBodyInThePlane) {
  for (const double light : {1., 1e-3}) {
    auto run = case_of<2>(
        "subsection Rigid bodies\n  subsection low\n    set Mass = " + std::to_string(light) +
        "\n    set Position = 0, 0.5\n  end\n  subsection high\n"
        "    set Mass = 1e6\n    set Position = 0, 1.5\n  end\nend\n"
        "subsection Boundary conditions\n  set Gravity = 0, -9.81\nend\n"
        "subsection Contact\n  subsection g\n    set Bodies = low\n  end\n"
        "  subsection c\n    set Bodies = all\n    set Surface = rigid bodies\n"
        "    set Against = all\n  end\nend\n" +
        end_of_case);
    for (unsigned int k = 0; k < 10; ++k)
      run.advance();
    for (const unsigned int i : {1u, 2u, 4u, 5u}) // nothing resists round-off along the ground
      EXPECT_NEAR(run.state.q[i], 0., 1e-9) << light << ' ' << i;
  }
}

/// The same in 3D with friction, where the residual that round-off leaves is above the tolerance:
/// the solution is accepted at once.
TEST(RestingBodies, OnALightBodyInSpace) {
  auto run = case_of<3>("subsection Rigid bodies\n  subsection low\n    set Shape = box\n"
                        "    set Size = 1, 1, 1\n    set Mass = 1\n    set Position = 0, 0, 0.5\n"
                        "  end\n  subsection high\n    set Shape = box\n    set Size = 1, 1, 1\n"
                        "    set Mass = 1e6\n    set Position = 0, 0, 1.5\n  end\nend\n"
                        "subsection Boundary conditions\n  set Gravity = 0, 0, -9.81\nend\n"
                        "subsection Contact\n  subsection g\n    set Bodies = low\n"
                        "    set Friction coefficient = 0.5\n  end\n  subsection c\n"
                        "    set Bodies = all\n    set Surface = rigid bodies\n"
                        "    set Against = all\n    set Friction coefficient = 0.5\n  end\nend\n" +
                        end_of_case);
  for (unsigned int k = 0; k < 10; ++k)
    EXPECT_LT(run.advance().solver_iterations, 1000u) << k; // not all of the 100,000 allowed
  for (unsigned int i = 0; i < 12; ++i)
    EXPECT_NEAR(run.state.q[i], 0., 1e-9) << i;
}

} // namespace resting_bodies
