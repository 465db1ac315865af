// A shaft and a nave whose meshes overlap: the first quasi-static step presses them apart.

#include "cases/checked_case.h"
#include "support/csv.h"

namespace {

using namespace cases;

class PressFit : public CheckedCase {
protected:
  /// Writes quarters of a shaft of the radius 0.5 and of a nave from 0.5 − 0.6667e-3 to 1, with the
  /// modulus 2e5 in plane stress.
  void write_fit() const {
    write("nave.geo", R"(r = 0.5 - 0.6667e-3; R = 1;
Point(1) = {0, 0, 0}; Point(2) = {r, 0, 0}; Point(3) = {R, 0, 0}; Point(4) = {0, R, 0}; Point(5) = {0, r, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Transfinite Curve{2, 4} = 17; Transfinite Curve{1, 3} = 9;
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Transfinite Surface{1};
Physical Curve("nave outside") = {2}; Physical Curve("nave inside") = {4};
Physical Curve("nave bottom") = {1}; Physical Curve("nave left") = {3}; Physical Surface("nave") = {1};
)");
    write("shaft.geo", R"(r = 0.5;
Point(1) = {0, 0, 0, 0.06}; Point(2) = {r, 0, 0}; Point(3) = {0, r, 0};
Line(1) = {1, 2}; Circle(2) = {2, 1, 3}; Line(3) = {3, 1};
Transfinite Curve{2} = 17; Transfinite Curve{1, 3} = 10;
Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1};
Physical Curve("shaft bottom") = {1}; Physical Curve("shaft outside") = {2};
Physical Curve("shaft left") = {3}; Physical Surface("shaft") = {1};
)");
    write("case.prm", R"(subsection Mesh
  set File = shaft.geo, nave.geo
end
subsection Material
  set Young modulus = 2e5
  set Poisson ratio = 0.3
  set Plane = stress
end
subsection Constants
  set load = 0
end
subsection Boundary conditions
  subsection shaft bottom
    set Displacement y = 0
  end
  subsection nave bottom
    set Displacement y = 0
  end
  subsection shaft left
    set Displacement x = 0
  end
  subsection nave left
    set Displacement x = 0
  end
  subsection nave outside
    set Traction x = -load*x
    set Traction y = -load*y
  end
end
subsection Contact
  subsection fit
    set Region  = shaft outside
    set Surface = region
    set Against = nave inside
  end
end
subsection Time
  set Inertia = none
  set Theta   = 1
  set End     = 1
  set Step    = 0.5
end
subsection Output
  set Number of instants = 1
end
subsection Probes
  subsection p
    set Kind = stress
    set Point = 0.1, 0.1
  end
end
)");
  }
};

/// Lamé's pressure for this interference is 100, with a pressure of 50 outside 150. The overlap is
/// removed in the first step.
TEST_F(PressFit, HasThePressureOfItsInterference) {
  write_fit();
  for (const auto &[load, pressure] : {std::pair{"0", 100.}, std::pair{"50", 150.}}) {
    const Outcome outcome = run_with({"Constants/load=" + std::string(load)});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_FALSE(has(outcome.error, "Warning")) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (std::size_t k = 1; k < probes.at("time").size(); ++k)
      EXPECT_NEAR(probes.at("p.stress_xx")[k], -pressure, 0.01 * pressure) << k;
  }
}

} // namespace
