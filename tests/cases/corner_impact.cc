// A box slides into the corner of a floor and a wall that are one surface: its normal jumps.

#include "cases/rigid_runs.h"

namespace {

using namespace rigid_runs;

const std::string corner = R"(subsection Rigid bodies
  subsection box
    set Shape = rectangle
    set Width = 0.2
    set Height = 0.1
    set Mass = 1
    set Position = 0.85, 0.05
    set Initial velocity = 1, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection ground
    set Bodies = box
    set Surface = signed distance
    set Signed distance = min(y, 1 - x)
  end
end
subsection Time
  set Scheme = fremond-gonzalez
  set End = 0.1
  set Step = 1e-3
end
)";

/// The jump of the normal to the wall is no turn of a frame: with e = 0 the box stops there, at
/// whatever time of a step its corner is as near to the floor as to the wall.
TEST(CornerImpact, StopsWithoutRestitution) {
  for (const std::string x : {"0.8500", "0.8503", "0.8505", "0.8507", "0.8509"}) {
    SCOPED_TRACE(x);
    auto run = stepped<2>(corner, {"Rigid bodies/box/Position=" + x + ", 0.05"});
    for (unsigned int k = 0; k < 100; ++k)
      run.advance();
    EXPECT_NEAR(velocity(run, 0)[0], 0., 0.06);
    EXPECT_LT(velocity(run, 0)[1], 0.06); // it is not thrown up
  }
}

} // namespace
