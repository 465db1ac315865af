// Contacts that begin closed: elastic rings with non-matching facets, compared with Lamé's
// solution.

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"
#include <cmath>

namespace {

using namespace cases;
using percussion::Case;
using percussion::State;

/// Fixture with a quarter of a ring of radii 8 to 10 under a unit pressure inside a quarter of a
/// ring of radii 10 to 13, in plane strain.
class MatchingRings : public CheckedCase {
protected:
  static constexpr double length_of_joint = 5. * M_PI;
  /// Pressure between the rings, as in a single ring.
  static constexpr double exact = 64. / (169. - 64.) * (169. / 100. - 1.);

  void write_ring(const std::string &name, double inside, double outside, unsigned int n,
                  unsigned int layers) const {
    const auto number = [](double x) { return std::to_string(x); };
    const std::string a = number(inside), b = number(outside);
    write(name + ".geo",
          "Point(1) = {0, 0, 0}; Point(2) = {" + a + ", 0, 0}; Point(3) = {" + b +
              ", 0, 0}; Point(4) = {0, " + b + ", 0}; Point(5) = {0, " + a +
              ", 0};\nLine(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; "
              "Circle(4) = {5, 1, 2};\nCurve Loop(1) = {1 : 4}; Plane Surface(1) = {1};\n"
              "Transfinite Curve {1, 3} = " +
              std::to_string(layers + 1) + "; Transfinite Curve {2, 4} = " + std::to_string(n + 1) +
              ";\nTransfinite Surface {1}; Recombine Surface {1};\n"
              "Physical Surface(\"" +
              name + "\") = {1};\nPhysical Curve(\"" + name + " x\") = {1};\nPhysical Curve(\"" +
              name + " y\") = {3};\nPhysical Curve(\"" + name +
              " outside\") = {2};\nPhysical Curve(\"" + name + " inside\") = {4};\n");
  }

  /// Writes rings with n and m facets on the quarters of both sides of the joint.
  void write_rings(unsigned int n, unsigned int m) const {
    write_ring("core", 8., 10., n, std::max(4u, n / 6));
    write_ring("shell", 10., 13., m, std::max(6u, m / 5));
    std::string text = "subsection Mesh\n  set File = core.geo, shell.geo\nend\n"
                       "subsection Material\n  set Density = 1e-3\n  set Young modulus = 1000\n"
                       "  set Poisson ratio = 0.3\nend\nsubsection Boundary conditions\n"
                       "  subsection core inside\n    set Traction x = x/8\n"
                       "    set Traction y = y/8\n  end\n";
    for (const std::string ring : {"core", "shell"})
      text += "  subsection " + ring + " x\n    set Displacement y = 0\n  end\n  subsection " +
              ring + " y\n    set Displacement x = 0\n  end\n";
    text += "end\nsubsection Contact\n  subsection joint\n    set Region = core outside\n"
            "    set Surface = region\n    set Against = shell inside\n  end\nend\n"
            "subsection Time\n  set Theta = 1\n  set End = 10\n  set Step = 0.5\nend\n";
    write("case.prm", text);
  }

  /// Mean pressure in the joint at the end, and largest penetration.
  struct Joint {
    double pressure, penetration;
  };
  Joint joint(const std::string &discretisation, double begin_closed,
              const std::string &forecast = "of the scheme") const {
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    file.override_with("Contact/joint/Discretisation=" + discretisation);
    file.override_with("Contact/Forecast=" + forecast);
    file.override_with("Contact/joint/Begin closed up to=" + std::to_string(begin_closed));
    const auto c = percussion::build_case<2>(
        percussion::Parameters(percussion::declare_case(&file), file), file);
    percussion::Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
    State<2> state = c.initial;
    step.initialise(state);
    double energy = 0;
    for (unsigned int k = 0; k < c.span.n_steps; ++k) {
      step.advance(state, (k + 1) * c.choices.h);
      energy = std::max(energy, state.energy());
      EXPECT_LT(std::abs(step.last().balance_residual), 1e-12 * energy);
    }
    double force = 0;
    for (const auto &contact : step.last().contacts)
      force += contact.percussion[0] / c.choices.h;
    return {force / length_of_joint, step.last().penetration_max};
  }
};

TEST_F(MatchingRings, HaveThePressureOfLamesSolution) {
  struct Meshes {
    unsigned int n, m;
    double begin_closed, tolerance;
  };
  // Facets of length l leave gaps of l^2 / (8 R).
  for (const Meshes &s : {Meshes{24, 30, 0.01, 0.005}, Meshes{6, 8, 0.1, 0.03}}) {
    write_rings(s.n, s.m);
    for (const std::string discretisation : {"mortar", "nodes", "nodes of both sides"}) {
      const Joint closed = joint(discretisation, s.begin_closed);
      EXPECT_NEAR(closed.pressure / exact, 1., s.tolerance) << s.n << discretisation;
      EXPECT_LT(closed.penetration, 0.1 * s.begin_closed);
    }
  }
}

/// Without the entry, the gaps of the meshes reduce the pressure, and most of it if contacts with
/// an open gap are left out of a step.
TEST_F(MatchingRings, LoseThePressureWithout) {
  write_rings(24, 30);
  EXPECT_LT(joint("mortar", 0.).pressure, 0.97 * exact);
  EXPECT_LT(joint("mortar", 0., "position").pressure, 0.5 * exact);
}

TEST_F(MatchingRings, MayOverlapUpToThatLengthOnly) {
  write_rings(6, 8);
  EXPECT_TRUE(has(check_with({"Contact/joint/Discretisation=nodes"}).error,
                  "let faces that match begin closed (Begin closed up to)"));
  EXPECT_EQ(check_with({"Contact/joint/Begin closed up to=0.1"}).status, 0);
  const auto too_long = check_with({"Contact/joint/Begin closed up to=1"});
  EXPECT_EQ(too_long.status, 2);
  EXPECT_TRUE(has(too_long.error, "allowed is at most half of the shortest edge of the faces"));
  write_rings(24, 30);
  const auto too_short = check_with({"Contact/joint/Begin closed up to=1e-9"});
  EXPECT_EQ(too_short.status, 2);
  EXPECT_TRUE(
      has(too_short.error,
          "this has no effect: no point of this contact begins with a gap of at most this length"));
}

/// A block that begins above a surface, or inside of it, stays there: the gap in the contact law is
/// zero.
TEST_F(MatchingRings, AreNotTheOnlyOnes) {
  for (const std::string height : {"-0.01", "0.01"}) {
    write("case.prm", std::string(case_file));
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    file.override_with("Contact/ground/Point=0, " + height);
    file.override_with("Contact/ground/Begin closed up to=0.02");
    const auto c = percussion::build_case<2>(
        percussion::Parameters(percussion::declare_case(&file), file), file);
    EXPECT_EQ(c.boundary->reference_gaps.size(), 3u);
    percussion::Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
    State<2> state = c.initial;
    step.initialise(state);
    for (const auto &contact : state.found.contacts)
      EXPECT_EQ(contact.gap, 0.);
    step.advance(state, c.choices.h);
    double force = 0;
    for (const auto &contact : step.last().contacts)
      force += contact.percussion[0] / c.choices.h;
    EXPECT_GT(force, 0.);
  }
}

} // namespace
