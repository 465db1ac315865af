// Cracks through bonds: beams of fracture mechanics, a crack in a strip, a ring in fragments.

#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace cracks {

using Table = std::map<std::string, std::vector<double>>;

double largest(const std::vector<double> &column) {
  double value = 0;
  for (const double x : column)
    value = std::max(value, std::abs(x));
  return value;
}
double mean(const std::vector<double> &column, std::size_t first, std::size_t past) {
  double sum = 0;
  for (std::size_t i = first; i < past; ++i)
    sum += column[i];
  return sum / static_cast<double>(past - first);
}

class Cracks : public cases::CaseFolder {
protected:
  /// Runs a case, and reads its tables of energies and probes.
  void run(const std::string &file, const std::vector<std::string> &entries) {
    std::vector<std::string> arguments = {file, "--output", "results"};
    for (const auto &entry : entries)
      arguments.insert(arguments.end(), {"--set", entry});
    const auto outcome = start("percussion", arguments);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    energies = percussion::test::read_csv((folder / "results/energy.csv").string());
    if (exists("results/probes.csv"))
      probes = percussion::test::read_csv((folder / "results/probes.csv").string());
  }
  /// Expects that each step balances to a fraction of the largest energy, and that no damage heals.
  void expect_balance(double bound) const {
    EXPECT_LT(largest(energies.at("balance_residual")), bound * largest(energies.at("total")));
    const auto &fracture = energies.at("work_fracture");
    EXPECT_TRUE(std::is_sorted(fracture.rbegin(), fracture.rend()));
  }

  Table energies, probes;
};

// ---- arms ----

/// Two arms of this thickness and length that are glued from `a` on and clamped at their right end.
const std::string arms_mesh = R"(DefineConstant[ L = 100, a = 40, n = 50, m = 1, thickness = 3 ];
For k In {0:1}
  p = 10 * k; y = k * thickness;
  Point(p + 1) = {0, y, 0}; Point(p + 2) = {a, y, 0}; Point(p + 3) = {L, y, 0};
  Point(p + 4) = {L, y - thickness, 0}; Point(p + 5) = {a, y - thickness, 0};
  Point(p + 6) = {0, y - thickness, 0};
  Line(p + 1) = {p + 1, p + 2}; Line(p + 2) = {p + 2, p + 3}; Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 5}; Line(p + 5) = {p + 5, p + 6}; Line(p + 6) = {p + 6, p + 1};
  Line(p + 7) = {p + 2, p + 5};
  Curve Loop(p + 1) = {p + 1, p + 7, p + 5, p + 6}; Plane Surface(p + 1) = {p + 1};
  Curve Loop(p + 2) = {p + 2, p + 3, p + 4, -(p + 7)}; Plane Surface(p + 2) = {p + 2};
  Transfinite Curve{p + 1, p + 5} = a / L * n + 1;
  Transfinite Curve{p + 2, p + 4} = (1 - a / L) * n + 1;
  Transfinite Curve{p + 3, p + 6, p + 7} = m + 1;
  Transfinite Surface{p + 1, p + 2}; Recombine Surface{p + 1, p + 2};
EndFor
Physical Surface("lower") = {1, 2}; Physical Surface("upper") = {11, 12};
Physical Curve("lower face") = {2}; Physical Curve("upper face") = {14};
Physical Curve("clamp") = {3, 13};
Physical Curve("lower end") = {6}; Physical Curve("upper end") = {16};
)";
const std::string arms_case = R"(subsection Mesh
  set File = arms.geo
end
subsection Material
  set Density       = 2.7e-9
  set Young modulus = 70000
  set Poisson ratio = 0
  set Plane         = stress
  set Element       = incompatible modes
end
subsection Boundary conditions
  subsection clamp
    set Displacement x = 0
    set Displacement y = 0
  end
  subsection upper end
    set Displacement y = 500*t
  end
end
subsection Contact
  subsection glue
    set Region          = lower face
    set Surface         = region
    set Against         = upper face
    set Bond strength   = 10
    set Fracture energy = 0.3
    set Bond stiffness  = 1e4
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 4e-5
  set End    = 4e-3
end
subsection Probes
  subsection end
    set Kind   = force
    set Region = upper end
  end
  subsection top
    set Kind  = displacement
    set Point = 0, 3
  end
  subsection bottom
    set Kind  = displacement
    set Point = 0, 0.5
  end
end
subsection Output
  set Number of instants = 2
end
)";

/// The end of an arm that is peeled off: the force that the crack has advanced to by beam theory.
TEST_F(Cracks, PeelAnArmAtTheForceOfBeamTheory) {
  for (const bool is_extrinsic : {false, true}) {
    std::vector<std::string> entries = {"Mesh/Parameters=n=100, m=2", "Time/Step=4e-5",
                                        "Probes/end/Kind=force", "Probes/end/Region=end"};
    if (is_extrinsic)
      entries.insert(entries.end(),
                     {"Contact/glue/Cohesion=extrinsic", "Contact/glue/Bond stiffness=0"});
    run(PERCUSSION_SOURCE_DIR "/params/peeling.prm", entries);
    const double stiffness = 70000. * 1.5 * 1.5 * 1.5 / 12., toughness = 0.3;
    double force = 0, theory = 0;
    for (std::size_t i = 3 * energies.at("time").size() / 4; i < energies.at("time").size(); ++i) {
      force += probes.at("end.force_y")[i];
      theory += std::sqrt(std::pow(2. * stiffness * toughness, 1.5) /
                          (3. * stiffness * 1000. * energies.at("time")[i]));
    }
    EXPECT_NEAR(force / theory, 1., 0.02);
    expect_balance(1e-12); // round-off, to 2e-13: energies of slender arms cancel
  }
}

/// A double cantilever beam: with G = (P a)²/(E I) and the lift w = P a³/(3 E I) of each arm, P =
/// √((E I G)^(3/2)/(3 E I w)).
TEST_F(Cracks, OpenADoubleCantileverBeamAtTheForceOfBeamTheory) {
  write("arms.geo", arms_mesh);
  write("arms.prm", arms_case);
  run("arms.prm", {"Boundary conditions/lower end/Displacement y=-500*t"});
  const double stiffness = 70000. * 27. / 12., toughness = 0.3;
  const auto &time = energies.at("time");
  double force = 0, theory = 0;
  for (std::size_t i = time.size() / 2; i < time.size(); ++i) {
    force += probes.at("end.force_y")[i];
    theory += std::sqrt(std::pow(stiffness * toughness, 1.5) / (3. * stiffness * 500. * time[i]));
  }
  EXPECT_NEAR(force / theory, 1., 0.02);
  EXPECT_LT(energies.at("work_fracture").back(), -15. * toughness); // the crack is 15 longer
  expect_balance(1e-9);
}

/// Two arms of which only the upper one is lifted: with its moment M = P a at the crack, half of
/// which bends the arms apart and half together, G_I = M²/(4 E I) and G_II = 3 M²/(16 E I). The
/// energy release rate of the forces, with the moment P L in the clamp, is P φ − (P L)²/(16 E I).
TEST_F(Cracks, BendAMixedModeBeamAtTheToughnessOfTheMode) {
  write("arms.geo", arms_mesh);
  write("arms.prm", arms_case);
  const double stiffness = 70000. * 27. / 12., length = 100., ratio = 3. / 7.;
  for (const bool has_modes : {false, true}) {
    std::vector<std::string> entries = {"Mesh/Parameters=a=55, n=60",
                                        "Boundary conditions/upper end/Displacement y=1000*t",
                                        "Time/End=6e-3"};
    if (has_modes) // the shear strength for which the final opening does not depend on the mode
      entries.insert(entries.end(), {"Contact/glue/Shear fracture energy=0.6",
                                     "Contact/glue/Shear bond strength=14.142"});
    run("arms.prm", entries);
    expect_balance(1e-9);
    const auto &force = probes.at("end.force_y");
    std::vector<double> release;
    for (std::size_t i = 0; i < force.size(); ++i) {
      const double angle =
          (probes.at("top.displacement_x")[i] - probes.at("bottom.displacement_x")[i]) / 2.5;
      release.push_back(force[i] * angle - std::pow(force[i] * length, 2) / (16. * stiffness));
    }
    const double toughness = has_modes ? 0.3 + 0.3 * ratio * ratio : 0.3;
    EXPECT_NEAR(mean(release, 2 * release.size() / 3, release.size()) / toughness, 1.,
                has_modes ? 0.08 : 0.03);
  }
}

// ---- a strip ----

const std::string strip_mesh = R"(DefineConstant[ L = 60, a = 10, H = 20, n = 60, m = 12 ];
Point(1) = {0, 0, 0}; Point(2) = {a, 0, 0}; Point(3) = {L, 0, 0};
Point(4) = {L, H, 0}; Point(5) = {a, H, 0}; Point(6) = {0, H, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5};
Line(5) = {5, 6}; Line(6) = {1, 6}; Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, -6}; Plane Surface(1) = {1};
Curve Loop(2) = {2, 3, 4, -7}; Plane Surface(2) = {2};
Transfinite Curve{1, 5} = a / L * n + 1; Transfinite Curve{2, 4} = (1 - a / L) * n + 1;
Transfinite Curve{3, 6, 7} = m + 1 Using Progression 1.15;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("strip") = {1, 2}; Physical Curve("glued") = {2}; Physical Curve("top") = {4, 5};
)";
const std::string strip_case = R"(subsection Mesh
  set File = strip.geo
end
subsection Material
  set Density       = 1
  set Young modulus = 1
  set Poisson ratio = 0
end
subsection Constants
  set V = 0.006
end
subsection Initial state
  set Velocity y = V*y/20
end
subsection Boundary conditions
  subsection top
    set Displacement x = 0
    set Displacement y = V*min(t, 40)
  end
end
subsection Contact
  subsection glue
    set Region               = glued
    set Surface              = half-plane
    set Bond strength        = 0.018
    set Fracture energy      = 0.001
    set Shear bond stiffness = 1e-6
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 0.8
  set End    = 160
end
subsection Output
  set Number of instants = 2
end
)";

/// Half of a strip between clamps that store 1.2, 1.4 and 2 times the energy that the crack takes:
/// it runs the faster the more there is, below the speed of Rayleigh's waves, 0.874 √(E/(2 ρ)) for
/// ν = 0.
TEST_F(Cracks, RunBelowTheSpeedOfRayleighsWaves) {
  write("strip.geo", strip_mesh);
  write("strip.prm", strip_case);
  const double rayleigh = 0.874 * std::sqrt(0.5), length = 50., toughness = 0.001;
  double last = 0.6 * rayleigh;
  for (const std::string V : {"0.0055", "0.006", "0.007"}) {
    run("strip.prm", {"Constants/V=" + V});
    expect_balance(1e-13);
    const auto &fracture = energies.at("work_fracture"), &time = energies.at("time");
    const auto when = [&](double fraction) {
      std::size_t i = 0;
      while (i + 1 < time.size() && -fracture[i] < fraction * length * toughness)
        ++i;
      return i;
    };
    const std::size_t first = when(0.3), past = when(0.9);
    const double speed =
        (fracture[first] - fracture[past]) / toughness / (time[past] - time[first]);
    EXPECT_GT(speed, last) << V;
    EXPECT_LT(speed, rayleigh) << V;
    EXPECT_NEAR(fracture.back(), -length * toughness, 1e-13) << V;
    last = speed;
  }
}

// ---- a ring ----

const std::string ring_mesh = R"(DefineConstant[ R = 10, thickness = 1, n = 40 ];
Point(1) = {0, 0, 0};
For k In {0:2*n-1}
  c = Cos(Pi * k / n); s = Sin(Pi * k / n); r = R - thickness / 2;
  Point(10 + 2 * k) = {r * c, r * s, 0}; r = R + thickness / 2;
  Point(11 + 2 * k) = {r * c, r * s, 0};
  Line(1000 + k) = {10 + 2 * k, 11 + 2 * k};
EndFor
cuts() = {};
For k In {0:2*n-1}
  l = (k + 1) % (2 * n);
  Circle(2000 + k) = {10 + 2 * k, 1, 10 + 2 * l}; Circle(3000 + k) = {11 + 2 * k, 1, 11 + 2 * l};
  Curve Loop(k + 1) = {1000 + k, 3000 + k, -(1000 + l), -(2000 + k)}; Plane Surface(k + 1) = {k + 1};
  If(k % 2 == 0)
    cuts() += {1000 + k};
  EndIf
EndFor
Transfinite Curve{:} = 2; Transfinite Surface{:}; Recombine Surface{:};
Physical Surface("ring") = {1:2*n}; Physical Curve("cuts") = cuts();
)";
const std::string ring_case = R"(subsection Mesh
  set File  = ring.geo
  set Split = cuts
end
subsection Material
  set Density       = 1
  set Young modulus = 1
  set Poisson ratio = 0
end
subsection Constants
  set V = 0.1
end
subsection Initial state
  set Velocity x = V*x/10*(1 + 0.01*(cos(3*atan2(y, x)) + cos(7*atan2(y, x) + 1)))
  set Velocity y = V*y/10*(1 + 0.01*(cos(3*atan2(y, x)) + cos(7*atan2(y, x) + 1)))
end
subsection Contact
  subsection cuts
    set Region          = cuts 1
    set Surface         = region
    set Against         = cuts 2
    set Bond strength   = 0.02
    set Fracture energy = 0.001
    set Friction coefficient = 0.3
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 0.4
  set End    = 30
end
subsection Output
  set Number of instants = 2
end
)";

/// The faster a ring expands, the more of its 40 joints break: more than the fragments that the
/// balance of energies of Grady (1982) gives, 2 π R (ρ ε'²/(24 G))^(1/3).
TEST_F(Cracks, BreakARingIntoMoreFragmentsTheFasterItExpands) {
  write("ring.geo", ring_mesh);
  write("ring.prm", ring_case);
  const double toughness = 0.001, pi = std::acos(-1.);
  double last = 0;
  for (const std::string cohesion : {"intrinsic", "extrinsic"}) {
    last = 0;
    for (const double V : {0.05, 0.1}) {
      run("ring.prm", {"Constants/V=" + std::to_string(V), "Contact/cuts/Cohesion=" + cohesion});
      expect_balance(1e-13);
      const double joints = -energies.at("work_fracture").back() / toughness;
      EXPECT_GT(joints, last) << V;
      EXPECT_GT(joints, 2. * pi * 10. * std::cbrt(V * V / 100. / (24. * toughness))) << V;
      last = joints;
    }
    EXPECT_LE(last, 40. * (1. + 1e-12));
  }
}

// ---- a wall ----

/// A rock hits a wall whose bricks meet in threes: one of the three rigid bonds at such a place is
/// redundant while they hold, and the strength of one decides how they share their load. Bonds open
/// by tiny amounts and close under pressure.
TEST_F(Cracks, RunThroughAWallWithRigidBonds) {
  std::vector<std::string> entries = {"Time/End=2e-3", "Output/Number of instants=2"};
  const auto add = [&](const std::vector<std::string> &more) {
    for (const std::string joints : {"bed", "head"})
      for (const std::string &entry : more)
        entries.push_back("Contact/" + joints + " joints/" + entry);
  };
  const auto expect_crack = [&](const std::string &scheme) {
    std::vector<std::string> scheme_entries = entries;
    scheme_entries.push_back("Time/Scheme=" + scheme);
    run(PERCUSSION_SOURCE_DIR "/params/mortar_wall.prm", scheme_entries);
    expect_balance(1e-13);
    EXPECT_LT(energies.at("work_fracture").back(), -100.);
    EXPECT_LT(largest(energies.at("work_numerical")), 1e-10 * largest(energies.at("total")));
  };
  add({"Cohesion=extrinsic", "Bond stiffness=0"});
  expect_crack("pdas-leapfrog");
  // The states of redundant bonds cycle in step 5, unless sweeps find them.
  EXPECT_FALSE(cases::has(read("results/log.txt"), "step 5: cut"));
  add({"Shear bond strength=0", "Shear fracture energy=0"}); // one energy for all directions
  expect_crack("pdas-leapfrog");
  expect_crack("moreau-jean-fremond");
}

} // namespace cracks
