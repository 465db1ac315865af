// Rolling and spinning friction in parameter files: all schemes, elastic bodies, input.

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"

namespace rolling_friction { // separates names from other tests in unity builds

using namespace percussion;
using cases_in_space::Assignments;

const std::string disc = R"(subsection Rigid bodies
  subsection disc
    set Shape = disc
    set Radius = 0.2
    set Mass = 3
    set Position = 0, 0.2
    set Initial velocity = 0.7, 0
    set Initial angular velocity = -3.5
  end
end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
)";

const std::string ground = R"(subsection Contact
  subsection ground
    set Bodies = disc
    set Friction coefficient = 1
    set Rolling friction = 0.02
  end
end
subsection Time
  set End = 1.2
  set Step = 1e-3
end
)";

bool has_springs(const Scheme &scheme) {
  return scheme.penalty != Penalty::none || scheme.formulation != Formulation::collocated;
}

/// The disc stops after v0² / (2 a) with a = 2/3 μ_r g / R, and in no step does the moment do
/// positive work.
TEST(RollingFriction, StopsADiscInAllSchemes) {
  const double a = 2. / 3. * 0.02 * 9.81 / 0.2;
  for (const Scheme &scheme : schemes()) {
    if (has_springs(scheme))
      continue;
    SCOPED_TRACE(scheme.name);
    auto run = rigid_runs::stepped<2>(disc + ground, {"Time/Scheme=" + std::string(scheme.name)});
    const double energy = run.state.energy();
    double work = 0;
    for (unsigned int k = 0; k < 1200; ++k) {
      const auto &record = run.advance();
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << k;
      ASSERT_LT(record.rolling_work_max, 1e-13 * energy) << k;
      work += record.works.contact_rolling;
    }
    EXPECT_NEAR(rigid_runs::displacement(run, 0)[0], 0.5 * 0.7 * 0.7 / a, 2e-3);
    EXPECT_NEAR(rigid_runs::velocity(run, 0)[0], 0., 2e-3);
    EXPECT_NEAR(work, -energy, 1e-2 * energy);
  }
}

/// A ball on a turntable is carried by Coulomb friction; moments resist its rotation relative to
/// the table, whose work closes the ledger.
TEST(RollingFriction, ClosesTheLedgerOnATurntable) {
  auto run = rigid_runs::stepped<3>(R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.05
    set Mass = 1
    set Position = 0.3, 0, 0.05
    set Initial velocity = 0.1, 0.2, 0
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection table
    set Bodies = ball
    set Surface = half-space
    set Motion angle = 3*t + 0.2*sin(5*t)
    set Turning centre = 0, 0, 0
    set Turning axis = 0, 0, 1
    set Friction coefficient = 0.6
    set Rolling friction = 0.002
    set Spinning friction = 0.002
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 1
  set Step = 1e-3
end
)");
  double largest = 0, work = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * largest) << k;
    ASSERT_LT(record.rolling_work_max, 1e-13 * largest) << k;
    work += record.works.contact_rolling;
  }
  EXPECT_LT(work, -1e-2 * largest);
}

// ---- input ----

class RollingFrictionInput : public cases::CheckedCase {};

/// A disc that rolls over an elastic block, with its own angular velocity as relative one.
TEST_F(RollingFrictionInput, AcceptsElasticBodiesOnTheOppositeSide) {
  write("case.prm", R"(subsection Mesh
  set File = block.msh
end
subsection Material
  set Density = 100
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection bottom
    set Displacement x = 0
    set Displacement y = 0
  end
end
subsection Rigid bodies
  subsection disc
    set Shape = disc
    set Radius = 0.1
    set Mass = 1
    set Position = 0.3, 1.1
    set Initial velocity = 0.5, 0
    set Initial angular velocity = -5
  end
end
subsection Contact
  subsection top
    set Bodies = disc
    set Surface = region
    set Against = top
    set Friction coefficient = 0.8
    set Rolling friction = 0.01
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 0.2
  set Step = 5e-4
end
)");
  auto file = ParameterFile::read((folder / "case.prm").string());
  file.override_with("Mesh/File=" + (folder / "block.msh").string());
  cases_in_space::Stepped<2> run(cases_in_space::build<2>(std::move(file)));
  double largest = 0, work = 0;
  for (unsigned int k = 0; k < 400; ++k) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * largest) << k;
    ASSERT_LT(record.rolling_work_max, 1e-13 * largest) << k;
    work += record.works.contact_rolling;
  }
  EXPECT_LT(work, -1e-2 * largest);
}

TEST_F(RollingFrictionInput, IsRefusedWithoutAMeaning) {
  write("case.prm", disc + ground);
  EXPECT_EQ(check_with({}).status, 0);
  expect_refusal(check_with({"Contact/ground/Rolling friction=-0.1"}),
                 {"allowed is a number >= 0"});
  expect_refusal(check_with({"Contact/ground/Spinning friction=0.1"}), {"Spinning friction"});
  for (const Scheme &scheme : schemes())
    if (has_springs(scheme) && scheme.penalty != Penalty::none)
      expect_refusal(check_with({"Time/Scheme=" + std::string(scheme.name),
                                 "Contact/ground/Penalty stiffness=1e6"}),
                     {"Scheme = " + std::string(scheme.name) + " has no moments of friction"});
  std::string box = disc + ground;
  box.replace(box.find("Shape = disc"), 12, "Shape = rectangle");
  box.replace(box.find("Radius = 0.2"), 12, "Width = 0.4\n    set Height = 0.4");
  write("case.prm", box);
  EXPECT_EQ(check_with({"Contact/ground/Rolling friction=0"}).status, 0);
  expect_refusal(check_with({}), {"Rolling friction", "neither side has a rigid disc"});
}

} // namespace rolling_friction
