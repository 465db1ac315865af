// Warnings about runs as a whole: bodies that meet nothing, hop, stand on a single node, collide in
// long steps or are too stiff.

#include "cases/support.h"
#include "support/csv.h"

namespace {
using namespace cases;
using Assignments = std::vector<std::string>;

class RunWarnings : public CaseFolder {
protected:
  static std::string section(const std::string &name, const std::string &entries) {
    return "subsection " + name + "\n" + entries + "\nend\n";
  }
  static std::string disc(const std::string &name, const std::string &position,
                          const std::string &velocity) {
    return section(
        "Rigid bodies",
        section(name, "set Shape = disc\nset Radius = 0.1\nset Mass = 1\nset Position = " +
                          position + "\nset Initial velocity = " + velocity));
  }
  static std::string steps(const std::string &step, const std::string &end) {
    return section("Time", "set Step = " + step + "\nset End = " + end) +
           section("Output", "set Number of instants = 1");
  }

  /// Runs the case of the folder, and expects that it warns by these words, or does not.
  Outcome expect_warning(bool expected, const std::string &words,
                         const Assignments &assignments = {}) const {
    fs::remove_all(folder / "output");
    const Outcome outcome = run_with(assignments);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.error;
    EXPECT_EQ(has(outcome.out, "Warning   " + words), expected) << outcome.out;
    EXPECT_EQ(has(read("output/case/summary.json"), words), expected);
    return outcome;
  }

  /// Writes a mesh of n × m quadrilaterals with the corner (x, y).
  void write_rectangle(const std::string &name, double x, double y, double width, double height,
                       unsigned int n, unsigned int m) const {
    std::ostringstream geo;
    geo << "Point(1) = {" << x << ", " << y << ", 0}; Point(2) = {" << x + width << ", " << y
        << ", 0};\nPoint(3) = {" << x + width << ", " << y + height << ", 0}; Point(4) = {" << x
        << ", " << y + height << ", 0};\nLine(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; "
        << "Line(4) = {4, 1};\nCurve Loop(1) = {1 : 4}; Plane Surface(1) = {1};\n"
        << "Transfinite Curve {1, 3} = " << n + 1 << "; Transfinite Curve {2, 4} = " << m + 1
        << ";\nTransfinite Surface {1}; Recombine Surface {1};\nPhysical Surface(\"" << name
        << "\") = {1};\n";
    for (const auto &[side, curve] :
         {std::pair("bottom", 1), std::pair("right", 2), std::pair("top", 3), std::pair("left", 4)})
      geo << "Physical Curve(\"" << name << " " << side << "\") = {" << curve << "};\n";
    write(name + ".geo", geo.str());
  }
  /// Writes the case of a block that meets the ground after 0.25 s, with this step.
  void write_falling_block(const std::string &step) const {
    write_rectangle("block", 0, 0, 1, 1, 4, 4);
    write("case.prm", R"(subsection Mesh
  set File = block.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0
end
subsection Initial state
  set Velocity y = -1
end
subsection Contact
  subsection ground
    set Region = block bottom
    set Point = 0, -0.25
  end
end
)" + steps(step, "0.5"));
  }
};

// ---- bodies that meet nothing ----

TEST_F(RunWarnings, ABodyThatMeetsNothingThoughOthersDo) {
  const auto discs = [&](const std::string &position, const std::string &velocity) {
    write("case.prm", disc("falling", "0, 0.15", "0, -1") + disc("flying", position, velocity) +
                          section("Contact", section("ground", "set Bodies = all\n"
                                                               "set Surface = half-plane") +
                                                 section("hit", "set Bodies = all\n"
                                                                "set Surface = rigid bodies")) +
                          steps("0.01", "0.2"));
  };
  const std::string words = "idle: body 'flying' has met nothing in this run";
  discs("1, 1", "0, 1");
  expect_warning(true, words);
  discs("1, 1", "1, 0"); // past the other disc, along the ground
  expect_warning(true, words);
  discs("1, 0.1", "0, -1"); // it lands
  expect_warning(false, "idle");
  discs("1, 0.7", "0, -2"); // it would land in a run of twice the duration
  expect_warning(false, "idle");
  discs("0, 2", "0, 0"); // a body at rest above the other
  expect_warning(true, words);
}

TEST_F(RunWarnings, ManyBodiesThatMeetNothingAreOneWarning) {
  write("case.prm", disc("falling", "0, 0.15", "0, -1") + disc("rising", "1, 1", "0, 1") +
                        section("Rigid bodies", section("rising", "set Copies = 3\n"
                                                                  "set Offset = 1, 0")) +
                        section("Contact", section("ground", "set Bodies = all\n"
                                                             "set Surface = half-plane")) +
                        steps("0.01", "0.1"));
  expect_warning(true, "idle: 3 bodies, the first 'rising 1', have met nothing");
}

/// A run that is resumed remembers the bodies that met something before.
TEST_F(RunWarnings, AResumedRunKnowsWhichBodiesHaveMet) {
  write("case.prm", disc("first", "0, 0.105", "0, -1") + disc("second", "1, 0.3", "0, -1") +
                        section("Contact", section("ground", "set Bodies = all\n"
                                                             "set Surface = half-plane\n"
                                                             "set Restitution = 1")) +
                        steps("0.01", "0.1"));
  EXPECT_EQ(start("percussion", {"case.prm"}).status, 0);
  const Outcome resumed = start("percussion", {"case.prm", "--resume", "--set", "Time/End=0.4"});
  EXPECT_EQ(resumed.status, 0) << resumed.error;
  EXPECT_FALSE(has(resumed.out, "idle:")) << resumed.out;
}

// ---- bodies that hop ----

TEST_F(RunWarnings, ABlockThatHopsAsItIsDragged) {
  write_rectangle("block", 0, 0, 2, 0.5, 16, 4);
  write("case.prm", R"(subsection Mesh
  set File = block.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e7
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection block top
    set Velocity x = 1
  end
end
subsection Initial state
  set Velocity x = 1
end
subsection Contact
  subsection ground
    set Region = block bottom
    set Friction coefficient = 0.5
  end
end
)" + steps("1e-3", "1"));
  const std::string words = "hopping: contact 'ground' at t = 0.";
  expect_warning(true, words);
  // A few hops, each higher than the one before, suffice.
  expect_warning(true, words, {"Contact/ground/Friction coefficient=0.7", "Time/End=0.6"});
  expect_warning(false, "hopping", {"Material/Viscosity=1e4"});
  expect_warning(false, "hopping", {"Time/Theta=1"});
  expect_warning(false, "hopping", {"Contact/ground/Friction coefficient=0"});
  // Thrown, the block bounces.
  expect_warning(false, "hopping",
                 {"Contact/ground/Point=0, -0.02", "Contact/ground/Friction coefficient=0.05",
                  "Boundary conditions/block top/Velocity x="});
}

// ---- contacts at a single node ----

/// A disc, and a plate, that press the top of the block.
TEST_F(RunWarnings, AContactThatOneNodeCarries) {
  const auto pressed = [&](const std::string &shape, const std::string &position) {
    write("case.prm",
          std::string(case_file) +
              section("Rigid bodies", section("stamp", shape + "\nset Mass = 0.1\nset Position = " +
                                                           position + "\nset Force y = -1")) +
              section("Contact", section("stamp", "set Region = top\n"
                                                  "set Surface = rigid bodies\n"
                                                  "set Against = stamp")));
  };
  const std::string words = "one point: in ";
  pressed("set Shape = disc\nset Radius = 0.6", "0.5, 1.6");
  const auto outcome = expect_warning(true, words, {"Time/End=0.05"});
  EXPECT_TRUE(has(outcome.out, "one point of region 'top' carried all of it")) << outcome.out;
  // The same contact, named by the disc.
  for (const std::string discretisation : {"nodes", "nodes of both sides"})
    expect_warning(true, words,
                   {"Time/End=0.05", "Contact/stamp/Region=", "Contact/stamp/Bodies=stamp",
                    "Contact/stamp/Surface=region", "Contact/stamp/Against=top",
                    "Contact/stamp/Discretisation=" + discretisation});
  pressed("set Width = 3\nset Height = 0.1", "0.5, 1.05");
  expect_warning(false, "one point", {"Time/End=0.05"});
}

// ---- impacts in long steps ----

/// With Theta = 1 and steps of some 40 transits, a block that falls stays where it lands.
TEST_F(RunWarnings, AnImpactThatTheSchemeDissipates) {
  write_falling_block("0.1");
  const std::string words = "impact energy: contact 'ground' at t = 0.3: the scheme dissipates ";
  const auto outcome = expect_warning(true, words, {"Time/Theta=1"});
  EXPECT_TRUE(has(outcome.out, " resolves the impact")) << outcome.out;
  expect_warning(false, "impact energy", {"Time/Theta=1", "Time/Step=0.002"});
  expect_warning(false, "impact energy", {"Time/Scheme=pdas-leapfrog"});
  // A block that comes to rest under its weight has no impact.
  expect_warning(false, "impact energy",
                 {"Time/Theta=1", "Contact/ground/Point=0, 0", "Initial state/Velocity y=0",
                  "Boundary conditions/Gravity=0, -9.81"});
}

/// The same impact multiplies the energy with Newmark's rule, as numerical work.
TEST_F(RunWarnings, AnImpactThatTheSchemeFeeds) {
  write_falling_block("0.01");
  const std::string words = " by numerical work, more than 3 % of the largest energy";
  for (const std::string scheme : {"newmark-signorini", "moreau-jean-fremond"}) {
    fs::remove_all(folder / "output");
    const auto outcome = run_with({"Time/Scheme=" + scheme});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(has(outcome.out, words), scheme == "newmark-signorini") << outcome.out;
  }
}

// ---- drift ----

/// With normals of one configuration a dragged block loses most of its force in 1.3 widths, and its
/// nodes gain 1e-3 of depth: 3e-3 of an element, and as much as the block was pressed in.
TEST_F(RunWarnings, ADriftThatCostsTheForce) {
  write_rectangle("block", 0.53, 0., 1., 0.5, 3, 1);
  write_rectangle("table", 0., -0.5, 4., 0.5, 12, 1);
  write("case.prm", R"(subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Young modulus = 1e5
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
  end
  subsection block top
    set Displacement x = if(t < 1, 0, 0.13*(t - 1))
    set Displacement y = -1e-3*min(t, 1)
  end
end
subsection Contact
  subsection c
    set Region = block bottom
    set Surface = region
    set Against = table top
    set Discretisation = mortar
  end
end
subsection Time
  set Inertia = none
  set Theta = 1
  set End = 11
  set Step = 0.2
end
)");
  const auto outcome = expect_warning(true, "drift: contact 'c'", {"Contact/Frames=start"});
  EXPECT_TRUE(has(outcome.out, "beside an indentation of 0.00")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "leave out Contact/Frames")) << outcome.out;
  expect_warning(false, "drift: ");
}

// ---- beams one element thick ----

/// Returns a cantilever of length 20 that a traction bends statically, with this dimension.
std::string cantilever(const std::string &bounds, const std::string &traction,
                       const std::string &tip) {
  return R"(subsection Mesh
  set File = beam.geo
end
subsection Material
  set Young modulus = 1e5
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  subsection beam left
)" + bounds +
         R"(  end
  subsection beam right
    set )" +
         traction + R"( = 1e-3
  end
end
subsection Time
  set Inertia = none
  set Theta = 1
  set End = 1
  set Step = 1
end
subsection Probes
  subsection tip
    set Point = )" +
         tip + "\n  end\nend\n";
}

class BeamWarnings : public RunWarnings {
protected:
  /// Returns the last value of a column of the probe with this element, and the output.
  std::pair<double, std::string> deflection(const std::string &element,
                                            const std::string &column) const {
    fs::remove_all(folder / "output");
    const Outcome outcome = run_with({"Material/Element=" + element});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto table = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    return {table.at(column).back(), outcome.out};
  }
  /// Expects that the factor of the warning is the ratio of the deflections of both elements.
  void expect_ratio(const std::string &column, double tolerance) const {
    const auto [bending, out_of_bending] = deflection("incompatible modes", column);
    const auto [stiff, out] = deflection("standard", column);
    const std::string words = "here by a factor of up to ";
    ASSERT_TRUE(has(out, words)) << out;
    EXPECT_NEAR(std::stod(out.substr(out.find(words) + words.size())), bending / stiff,
                tolerance * bending / stiff);
    EXPECT_FALSE(has(out_of_bending, words)) << out_of_bending;
  }
};

TEST_F(BeamWarnings, GiveTheExcessStiffness) {
  write_rectangle("beam", 0, 0, 20, 1, 10, 1);
  write("case.prm", cantilever("    set Displacement x = 0\n    set Displacement y = 0\n",
                               "Traction y", "20, 0.5"));
  expect_ratio("tip.displacement_y", 0.1);
}

/// A beam with one hexahedron in its cross-section bends in both directions.
TEST_F(BeamWarnings, GiveTheExcessStiffnessIn3D) {
  write("beam.geo", R"(Point(1) = {0, 0, 0};
line[] = Extrude {0, 1, 0} { Point{1}; Layers{1}; };
face[] = Extrude {0, 0, 0.8} { Line{line[1]}; Layers{1}; Recombine; };
body[] = Extrude {20, 0, 0} { Surface{face[1]}; Layers{10}; Recombine; };
Physical Volume("beam") = {body[1]};
Physical Surface("beam left") = {face[1]};
Physical Surface("beam right") = {body[0]};
)");
  for (const std::string axis : {"y", "z"}) {
    SCOPED_TRACE(axis);
    write("case.prm", cantilever("    set Displacement x = 0\n    set Displacement y = 0\n"
                                 "    set Displacement z = 0\n",
                                 "Traction " + axis, "20, 0.5, 0.4"));
    expect_ratio("tip.displacement_" + axis, 0.15);
  }
  write("case.prm", cantilever("    set Displacement x = 0\n    set Displacement y = 0\n"
                               "    set Displacement z = 0\n",
                               "Traction x", "20, 0.5, 0.4"));
  EXPECT_FALSE(has(deflection("standard", "tip.displacement_x").second, "one hexahedron thick"));
}

} // namespace
