// A sphere that rolls inside a vertical cylinder: the frame of its contact turns.

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace {

using namespace cases;

class RollingSphere : public CheckedCase {
protected:
  /// Returns the height after one second, in which the sphere has gone round most of the cylinder.
  double height(const std::string &step) const {
    write("case.prm", R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Mass = 1
    set Position = 0.9, 0, 0
    set Initial velocity = 0, 5, 0
    set Initial angular velocity = 0, 0, -50
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection wall
    set Bodies = ball
    set Surface = inside of cylinder
    set Radius = 1
    set Axis = 0, 0, 1
    set Friction coefficient = 2
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 1
  set Step = 1
end
)");
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    cases_in_space::Stepped<3> run(cases_in_space::build<3>(file, {"Time/Step=" + step}));
    double largest = 0, worst = 0, work = 0;
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      const auto &record = run.advance();
      largest = std::max(largest, run.state.energy());
      worst = std::max(worst, std::abs(record.balance_residual));
      work = std::max(work, record.tangential_work_max);
    }
    EXPECT_LT(worst, 1e-13 * largest);
    EXPECT_LT(work, 1e-13 * largest);
    return run.c.bodies->rigid_values(run.state.q, 0)[2];
  }
};

/// The mean velocity of a contact that goes on sticking vanishes, which is of second order in the
/// step. A velocity at the end that vanishes in the frame of the middle is of first order.
TEST_F(RollingSphere, MovesUpAndDownToSecondOrder) {
  const double coarse = height("2e-3"), middle = height("1e-3"), fine = height("5e-4");
  EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2., 0.1);
  EXPECT_NEAR(middle, -1.5775, 2e-3);
}

} // namespace
