// A shaft and a nave whose meshes overlap: the first quasi-static step presses them apart.

#include "cases/checked_case.h"
#include "support/csv.h"
#include <cmath>
#include <regex>

namespace {

using namespace cases;
using Assignments = std::vector<std::string>;

class PressFit : public CheckedCase {
protected:
  /// Writes quarters of a shaft of the radius 0.5 and of a nave from there to 1, less an overlap,
  /// with the modulus 2e5 in plane stress.
  void write_fit(const std::string &overlap = "0.6667e-3", unsigned int n_edges = 16) const {
    write("nave.geo", "r = 0.5 - " + overlap + "; n = " + std::to_string(n_edges) + R"(; R = 1;
Point(1) = {0, 0, 0}; Point(2) = {r, 0, 0}; Point(3) = {R, 0, 0}; Point(4) = {0, R, 0}; Point(5) = {0, r, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Transfinite Curve{2, 4} = n + 1; Transfinite Curve{1, 3} = 9;
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
    EXPECT_FALSE(has(outcome.out, "Warning")) << outcome.out;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (std::size_t k = 1; k < probes.at("time").size(); ++k)
      EXPECT_NEAR(probes.at("p.stress_xx")[k], -pressure, 0.01 * pressure) << k;
  }
}

/// An overlap that is kept does not press; one that is resolved over a time presses in proportion
/// to the time until then.
TEST_F(PressFit, MayKeepOrResolveItsOverlap) {
  write_fit();
  const auto stress = [&](const std::string &treatment, const Assignments &more = {}) {
    Assignments all = {"Contact/fit/Initial overlap=" + treatment, "Time/Step=0.25"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_with(all);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_FALSE(has(outcome.out, "Warning")) << outcome.out;
    return percussion::test::read_csv((folder / "output/case/probes.csv").string())
        .at("p.stress_xx");
  };
  EXPECT_NEAR(stress("kept").back(), 0., 1e-6);
  EXPECT_NEAR(stress("kept", {"Constants/load=50"}).back(), -50., 0.5);
  const std::vector<double> resolved = stress("resolved over 2*0.25");
  EXPECT_NEAR(resolved.at(1), -50., 0.5);
  EXPECT_NEAR(resolved.at(2), -100., 1.);
  EXPECT_NEAR(resolved.at(4), -100., 1.);
}

/// With inertia the overlap is pushed out over many transits of a wave, and its work is the energy
/// that the bodies gain.
TEST_F(PressFit, IsResolvedWithInertia) {
  write_fit();
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Outcome outcome =
        run_with({"Contact/fit/Initial overlap=resolved over 0.5", "Time/Inertia=full",
                  "Time/Theta=0.5", "Time/Step=2e-3", "Material/Density=0.5",
                  "Material/Viscosity=200", "Time/Scheme=" + scheme});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    const auto energy = percussion::test::read_csv((folder / "output/case/energy.csv").string());
    EXPECT_NEAR(probes.at("p.stress_xx").at(125), -50., 1.) << scheme;
    EXPECT_NEAR(probes.at("p.stress_xx").back(), -100., 1.) << scheme;
    double pushed = 0;
    for (const double work : energy.at("work_prescribed"))
      pushed = std::max(pushed, std::abs(work));
    EXPECT_GT(pushed, 0.) << scheme;
    EXPECT_LT(std::abs(energy.at("balance_residual").back()), 1e-12) << scheme;
  }
}

/// With inertia an overlap stays without a force unless an entry treats it.
TEST_F(PressFit, IsWarnedOfIfItStays) {
  write_fit();
  const Assignments moving = {"Time/Inertia=full", "Time/Theta=0.5", "Time/Step=2e-3",
                              "Material/Density=0.5"};
  const auto warns = [&](const std::string &treatment) {
    Assignments all = moving;
    if (!treatment.empty())
      all.push_back("Contact/fit/Initial overlap=" + treatment);
    const Outcome outcome = validate_with(all);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return has(outcome.out, "the sides of contact 'fit' begin inside of each other, 0.000") &&
           has(outcome.out, "this overlap stays and does not press");
  };
  EXPECT_TRUE(warns(""));
  EXPECT_FALSE(warns("kept"));
  EXPECT_FALSE(warns("resolved over 0.5"));
  // Chords of the nave lie inside of the shaft, by 1e-3 at most.
  write_fit("0", 12);
  EXPECT_FALSE(warns(""));
  write_fit("0", 33);
  EXPECT_FALSE(warns(""));
}

TEST_F(PressFit, RefusesOverlapsIfAsked) {
  write_fit();
  expect_refusal(check_with({"Contact/fit/Initial overlap=refused"}),
                 {"Contact/fit", "begin inside of each other"});
  expect_refusal(check_with({"Contact/fit/Initial overlap=removed"}),
                 {"Initial overlap", "allowed is kept, refused, or 'resolved over' and a time"});
  for (const char *time : {"", " 0", " -1", " t", " x", " soon"})
    expect_refusal(check_with({"Contact/fit/Initial overlap=resolved over" + std::string(time)}),
                   {"Initial overlap", "the time must be a number > 0"});
  write("nave.geo",
        std::regex_replace(read(folder / "nave.geo"), std::regex("0.5 - 0.6667e-3"), "0.51"));
  expect_refusal(check_with({"Contact/fit/Initial overlap=kept"}),
                 {"Initial overlap", "this has no effect"});
}

} // namespace
