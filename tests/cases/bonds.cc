// Bodies that bonds glue: toughness, ledger, cracks, contact on what has broken, wrong input.

#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

class BondedBlocks : public cases::CaseFolder {
protected:
  using Entries = std::vector<std::string>;

  BondedBlocks() {
    write("blocks.geo", R"(DefineConstant[ n = 4, m = 3 ];
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 0.5};
Rectangle(2) = {0, 0.5, 0, 1, 0.5};
Transfinite Curve{1, 3} = n + 1; Transfinite Curve{2, 4} = 3;
Transfinite Curve{5, 7} = m + 1; Transfinite Curve{6, 8} = 3;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("lower") = {1}; Physical Surface("upper") = {2};
Physical Curve("base") = {1}; Physical Curve("lower face") = {3};
Physical Curve("upper face") = {5}; Physical Curve("top") = {7};
)");
    write("lower.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 0.5};
MeshSize{ PointsOf{ Volume{1}; } } = 0.6;
Physical Volume("lower") = {1};
Physical Surface("base") = {5}; Physical Surface("lower face") = {6};
)");
    write("upper.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0.5, 1, 1, 0.5};
MeshSize{ PointsOf{ Volume{1}; } } = 0.5;
Physical Volume("upper") = {1};
Physical Surface("upper face") = {5}; Physical Surface("top") = {6};
)");
    write("case.prm", text("blocks.geo", "", "y"));
    write("boxes.prm", text("lower.geo, upper.geo", "    set Displacement z = 0\n", "z"));
  }

  /// Returns a case of two bonded blocks, the upper one of which moves.
  static std::string text(const std::string &mesh, const std::string &held,
                          const std::string &axis) {
    return "subsection Mesh\n  set File = " + mesh + R"(
end
subsection Material
  set Law           = neo-hooke
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Constants
  set shear = 0
  set lift  = 0.05
end
subsection Boundary conditions
  subsection base
    set Displacement x = 0
    set Displacement y = 0
)" + held + R"(  end
  subsection top
    set Displacement x = shear*max(0, t - 0.5)
    set Displacement )" +
           axis + R"( = lift*min(t, lift < 0 ? 0.5 : 10)
  end
end
subsection Contact
  subsection glue
    set Region                = lower face
    set Surface               = region
    set Against               = upper face
    set Friction coefficient  = 0.3
    set Bond strength         = 2
    set Fracture energy       = 0.02
    set Shear bond strength   = 3
    set Shear fracture energy = 0.05
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 0.01
  set End    = 1
end
subsection Output
  set Directory = results
  set Number of instants = 4
end
)";
  }

  /// Runs a case and returns its energies.
  std::map<std::string, std::vector<double>> run(const Entries &entries,
                                                 const std::string &file = "case.prm",
                                                 const std::string &results = "results") const {
    std::vector<std::string> arguments = {file, "--output", results};
    for (const auto &entry : entries) {
      arguments.emplace_back("--set");
      arguments.push_back(entry);
    }
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return percussion::test::read_csv((folder / results / "energy.csv").string());
  }

  static double largest(const std::vector<double> &column) {
    double value = 0;
    for (const double x : column)
      value = std::max(value, std::abs(x));
    return value;
  }
  static void expect_balance(const std::map<std::string, std::vector<double>> &table) {
    EXPECT_LT(largest(table.at("balance_residual")), 1e-13 * largest(table.at("total")));
    const auto &fracture = table.at("work_fracture");
    EXPECT_TRUE(std::is_sorted(fracture.rbegin(), fracture.rend()));
    // Contacts beside bonds obey Coulomb's law, and none of them creates energy.
    EXPECT_LT(largest(table.at("cone_violation")), 1e-9);
    for (const double work : table.at("tangential_work_max"))
      EXPECT_LE(work, 1e-14 * largest(table.at("total")));
  }
};

/// The upper block is free to contract: the mode is tension within 1 % until the bonds break.
TEST_F(BondedBlocks, TakeTheFractureEnergyOfTheirAreaInTension) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "signorini-midpoint"})
    for (const std::string step : {"0.02", "0.005"}) {
      const auto table =
          run({"Time/Scheme=" + scheme, "Time/Step=" + step, "Contact/glue/Shear bond strength=0",
               "Contact/glue/Shear fracture energy=0"});
      expect_balance(table);
      EXPECT_NEAR(table.at("work_fracture").back(), -0.02, 1e-14) << scheme << ' ' << step;
      EXPECT_NEAR(table.at("contact_potential").back(), 0., 1e-15);
    }
}

TEST_F(BondedBlocks, TakeTheFractureEnergyIn3D) {
  const auto table = run(
      {"Contact/glue/Shear bond strength=0", "Contact/glue/Shear fracture energy=0"}, "boxes.prm");
  expect_balance(table);
  EXPECT_NEAR(table.at("work_fracture").back(), -0.02, 1e-13);
}

/// Pressed and sheared, the bonds break in mode II, under friction in proportion to their damage.
TEST_F(BondedBlocks, SlideWithFrictionOnceTheyHaveBroken) {
  for (const std::string discretisation : {"mortar", "nodes"}) {
    const auto table = run({"Constants/shear=0.05", "Constants/lift=-0.04", "Time/End=4",
                            "Contact/glue/Discretisation=" + discretisation});
    expect_balance(table);
    EXPECT_NEAR(table.at("work_fracture").back(), -0.05, 1e-13);
    EXPECT_LT(table.at("work_contact_tangential").back(), -0.05);
    EXPECT_NEAR(table.at("work_contact_tangential")[40], 0., 1e-16); // before any damage
  }
}

/// Entries for adhesion in place of cohesion.
std::vector<std::string> adhesion(const std::string &viscosity) {
  return {"Contact/glue/Bond strength=0",
          "Contact/glue/Fracture energy=0",
          "Contact/glue/Shear bond strength=0",
          "Contact/glue/Shear fracture energy=0",
          "Contact/glue/Adhesion energy=0.02",
          "Contact/glue/Bond stiffness=600",
          "Contact/glue/Adhesion viscosity=" + viscosity};
}

/// The opening at the end leaves w/(K s), about a hundredth, of the adhesion; viscosity takes
/// energy as well.
TEST_F(BondedBlocks, TakeTheEnergyOfTheirAdhesion) {
  for (const std::string file : {"case.prm", "boxes.prm"}) {
    const auto slow = run(adhesion("0"), file), viscous = run(adhesion("1e-3"), file);
    expect_balance(slow);
    expect_balance(viscous);
    const double taken = -slow.at("work_fracture").back();
    EXPECT_LT(taken, 0.02);
    EXPECT_NEAR(taken, 0.02, 0.02 * 0.02) << file;
    EXPECT_GT(-viscous.at("work_fracture").back(), 1.01 * taken) << file;
  }
}

/// Pressed and sheared, what has lost its adhesion slides with friction.
TEST_F(BondedBlocks, SlideWithFrictionOnceTheyDoNotAdhere) {
  Entries entries = adhesion("1e-4");
  entries.insert(entries.end(), {"Constants/shear=0.05", "Constants/lift=-0.04", "Time/End=4",
                                 "Solver/Newton tolerance=1e-13"});
  const auto table = run(entries);
  expect_balance(table);
  EXPECT_LT(table.at("work_fracture").back(), -0.0199);
  EXPECT_LT(table.at("work_contact_tangential").back(), -0.05);
}

TEST_F(BondedBlocks, BreakByAPowerLawOfTheirModes) {
  const Entries law = {"Contact/glue/Mixed-mode law=power law",
                       "Contact/glue/Mixed-mode exponent=1.5"};
  Entries sheared = law;
  sheared.insert(sheared.end(), {"Constants/shear=0.05", "Constants/lift=-0.04", "Time/End=4"});
  const auto shear = run(sheared);
  expect_balance(shear);
  EXPECT_NEAR(shear.at("work_fracture").back(), -0.05, 1e-13);
  const auto tension = run(law);
  expect_balance(tension);
  EXPECT_NEAR(tension.at("work_fracture").back(), -0.02, 0.0005);
}

/// Bonds without damage are stiff: the pair deforms as one body, and glued faces transmit uniform
/// tension exactly (patch test).
TEST_F(BondedBlocks, PassThePatchTest) {
  for (const std::string file : {"case.prm", "boxes.prm"}) {
    const auto table = run({"Time/Inertia=none", "Time/Theta=1", "Constants/lift=1e-4",
                            "Material/Law=linear elastic", "Material/Poisson ratio=0"},
                           file);
    // The stiffness E A/L of the blocks in series with the stiffness of the bonds.
    const double bonds = 60. * 2. * 2. / (2. * 0.02), stiffness = 1. / (1. / 100. + 1. / bonds);
    const double energy = 0.5 * stiffness * 1e-8;
    EXPECT_NEAR(table.at("total").back(), energy, 1e-10 * energy) << file;
  }
}

TEST_F(BondedBlocks, HaveTheSameBytesAfterAStop) {
  for (const Entries &law : {Entries{}, adhesion("1e-3")}) {
    for (const std::string old : {"whole", "results"})
      fs::remove_all(folder / old);
    Entries entries = law;
    entries.insert(entries.end(), {"Constants/shear=0.03", "Output/Steps between checkpoints=7"});
    run(entries, "boxes.prm", "whole");
    Entries stopped = entries;
    stopped.emplace_back("Time/End=0.3");
    run(stopped, "boxes.prm");
    Entries arguments = {"boxes.prm", "--output", "results", "--resume"};
    for (const auto &entry : entries)
      arguments.insert(arguments.end(), {"--set", entry});
    const auto resumed = start("percussion", arguments);
    EXPECT_EQ(resumed.status, 0) << resumed.error;
    const auto data = [&](const std::string &name) {
      const std::string text = read(name + "/energy.csv");
      return text.substr(text.find("step,time"));
    };
    EXPECT_EQ(data("results"), data("whole"));
  }
}

TEST_F(BondedBlocks, KeepTheirDamageInARunThatGoesOn) {
  const Entries shear = {"Constants/shear=0.03"};
  const auto whole = run(shear, "case.prm", "whole");
  auto first = shear, second = shear;
  first.emplace_back("Time/End=0.5");
  run(first, "case.prm", "first");
  second.insert(second.end(), {"Time/Start=0.5", "Initial state/From=first"});
  const auto table = run(second, "case.prm", "second");
  EXPECT_NEAR(table.at("contact_potential")[0], whole.at("contact_potential")[50], 1e-15);
  EXPECT_NEAR(table.at("work_fracture").back(),
              whole.at("work_fracture").back() - whole.at("work_fracture")[50], 1e-9);
}

/// Bonds that are open keep their energy in a run with another step.
TEST_F(BondedBlocks, StayInARunWithOtherSteps) {
  const auto first = run({"Time/End=0.05"}, "case.prm", "first");
  ASSERT_GT(first.at("contact_potential").back(), 0.);
  const auto second =
      run({"Time/Start=0.05", "Time/End=0.1", "Time/Step=0.005", "Initial state/From=first"},
          "case.prm", "second");
  EXPECT_NEAR(second.at("contact_potential")[0], first.at("contact_potential").back(),
              1e-14 * second.at("contact_potential")[0]);
  EXPECT_GT(second.at("contact_potential").back(), 0.);
}

/// Ties hold a body that hangs from the static preload on.
TEST_F(BondedBlocks, HoldAHangingBodyFromItsPreloadOnIfTied) {
  write(
      "hanging.geo",
      R"(Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 0.5, 0}; Point(4) = {0, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Transfinite Curve{1, 3} = 5; Transfinite Curve{2, 4} = 3;
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Transfinite Surface{1}; Recombine Surface{1};
Physical Surface("hanging") = {1}; Physical Curve("glued") = {3};
)");
  write("hanging.prm", R"(subsection Mesh
  set File = hanging.geo
end
subsection Material
  set Law           = neo-hooke
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -1
end
subsection Initial state
  set Static preload  = true
  set Preload gravity = true
end
subsection Contact
  subsection ceiling
    set Region     = glued
    set Point      = 0, 0.5
    set Normal     = 0, -1
    set Tied until = 10
  end
end
subsection Time
  set Theta = 0.5
  set Step  = 0.01
  set End   = 1
end
)");
  const auto table = run({}, "hanging.prm");
  EXPECT_GT(table.at("strain")[0], 1e-4);
  EXPECT_LT(largest(table.at("kinetic")), 1e-16 * table.at("strain")[0]);
}

/// The end of an arm that is peeled off: energy release rate P φ_end/G = 1 by beam theory, and the
/// force that the crack has advanced to.
TEST_F(BondedBlocks, PeelAtTheForceOfBeamTheory) {
  const auto outcome =
      start("percussion", {PERCUSSION_SOURCE_DIR "/params/peeling.prm", "--output", "results",
                           "--set", "Mesh/Parameters=n=100, m=2", "--set", "Time/Step=4e-5",
                           "--set", "Probes/end/Kind=force", "--set", "Probes/end/Region=end"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto probes = percussion::test::read_csv((folder / "results/probes.csv").string());
  const auto table = percussion::test::read_csv((folder / "results/energy.csv").string());
  const double stiffness = 70000. * 1.5 * 1.5 * 1.5 / 12., toughness = 0.3;
  double force = 0, theory = 0;
  std::size_t n = 0;
  for (std::size_t i = 3 * table.at("time").size() / 4; i < table.at("time").size(); ++i, ++n) {
    force += probes.at("end.force_y")[i];
    theory += std::sqrt(std::pow(2. * stiffness * toughness, 1.5) /
                        (3. * stiffness * 1000. * table.at("time")[i]));
  }
  EXPECT_NEAR(force / theory, 1., 0.02);
  EXPECT_LT(largest(table.at("balance_residual")), 1e-8 * largest(table.at("total")));
}

/// Entries that tie the blocks instead.
const std::vector<std::string> tied = {
    "Contact/glue/Tied until=10", "Contact/glue/Bond strength=0", "Contact/glue/Fracture energy=0",
    "Contact/glue/Shear bond strength=0", "Contact/glue/Shear fracture energy=0"};

TEST_F(BondedBlocks, AreOneBodyIfTied) {
  write("one.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 0.5};
Rectangle(2) = {0, 0.5, 0, 1, 0.5};
Coherence;
Transfinite Curve{1, 3, 6} = 5; Transfinite Curve{2, 4, 5, 7} = 3;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("all") = {1, 2};
Physical Curve("base") = {1}; Physical Curve("top") = {6};
)");
  const std::string two_blocks = read("case.prm");
  const auto contact = two_blocks.find("subsection Contact"),
             time = two_blocks.find("subsection Time");
  std::string one_block = two_blocks.substr(0, contact) + two_blocks.substr(time);
  one_block.replace(one_block.find("blocks.geo"), 10, "one.geo");
  write("one.prm", one_block);
  const auto one = run({"Constants/shear=0.05"}, "one.prm", "one");
  Entries entries = tied;
  entries.insert(entries.end(), {"Constants/shear=0.05", "Mesh/Parameters=n=4, m=4"});
  for (const std::string discretisation : {"mortar", "nodes"}) {
    Entries all = entries;
    all.push_back("Contact/glue/Discretisation=" + discretisation);
    const auto two = run(all, "case.prm", "two");
    expect_balance(two);
    for (std::size_t i = 0; i < one.at("total").size(); ++i)
      for (const std::string energy : {"kinetic", "strain"})
        ASSERT_NEAR(two.at(energy)[i], one.at(energy)[i], 1e-10 * largest(one.at("total")))
            << discretisation << ' ' << i;
  }
}

/// Tied meshes that do not match transmit uniform tension exactly.
TEST_F(BondedBlocks, PassThePatchTestIfTied) {
  for (const std::string file : {"case.prm", "boxes.prm"}) {
    Entries entries = tied;
    entries.insert(entries.end(), {"Time/Inertia=none", "Time/Theta=1", "Constants/lift=1e-4",
                                   "Material/Law=linear elastic", "Material/Poisson ratio=0"});
    const auto table = run(entries, file);
    EXPECT_NEAR(table.at("total").back(), 0.5 * 100. * 1e-8, 1e-10 * 0.5 * 100. * 1e-8) << file;
  }
}

/// Without inertia ties close the gaps that rows of large strains leave.
TEST_F(BondedBlocks, BalanceTheirTiesInStatics) {
  Entries entries = tied;
  entries.insert(entries.end(), {"Time/Inertia=none", "Time/Theta=1", "Constants/shear=0.05"});
  const auto table = run(entries);
  EXPECT_LT(largest(table.at("balance_residual")), 1e-13 * largest(table.at("total")));
  EXPECT_GT(table.at("strain").back(), 0.01);
}

/// Symmetry conditions fix directions of ties on both sides, here one that is no row of a contact;
/// the ties are redundant there.
TEST_F(BondedBlocks, AreTiedAtASlantedFaceThatEndsInASymmetryPlane) {
  write(
      "slant.geo",
      R"(Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 0.7, 0}; Point(4) = {0, 0.4, 0};
Point(5) = {1, 1, 0}; Point(6) = {0, 1, 0}; Point(7) = {1, 0.7, 0}; Point(8) = {0, 0.4, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {8, 7}; Line(6) = {7, 5}; Line(7) = {5, 6}; Line(8) = {6, 8};
Transfinite Curve{1, 3} = 5; Transfinite Curve{5, 7} = 4; Transfinite Curve{2, 4, 6, 8} = 3;
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Curve Loop(2) = {5, 6, 7, 8}; Plane Surface(2) = {2};
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("lower") = {1}; Physical Surface("upper") = {2};
Physical Curve("base") = {1}; Physical Curve("lower face") = {3}; Physical Curve("upper face") = {5};
Physical Curve("top") = {7}; Physical Curve("left") = {4, 8};
)");
  std::string text = read("case.prm");
  text.replace(text.find("blocks.geo"), 10, "slant.geo");
  const std::string held = "  subsection base\n";
  text.replace(text.find(held), held.size(),
               "  subsection left\n    set Displacement x = 0\n  end\n" + held);
  text.replace(
      text.find("    set Displacement x = shear"),
      text.find("    set Displacement y = lift") - text.find("    set Displacement x = shear"), "");
  write("slant.prm", text);
  const auto table = run(tied, "slant.prm");
  expect_balance(table);
  EXPECT_GT(table.at("strain").back(), 0.01);
  const auto nodes = [&] {
    Entries entries = tied;
    entries.emplace_back("Contact/glue/Discretisation=nodes");
    return run(entries, "slant.prm", "nodes");
  }();
  EXPECT_NEAR(nodes.at("strain").back(), table.at("strain").back(),
              0.1 * table.at("strain").back());
}

/// A body that is split and tied again is the body: along a line through it and along one that ends
/// inside, in 2D and in 3D.
TEST_F(BondedBlocks, AreOneBodyIfSplitAndTied) {
  const auto with = [&](const std::string &file, const std::string &mesh, bool has_contact) {
    std::string text = read(file);
    const auto contact = text.find("subsection Contact"), time = text.find("subsection Time");
    if (!has_contact)
      text.erase(contact, time - contact);
    const auto begin = text.find("set File = ") + 11;
    return text.replace(begin, text.find('\n', begin) - begin, mesh);
  };
  write("strip.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 0.4, 0.5}; Rectangle(2) = {0.4, 0, 0, 0.6, 0.5};
Rectangle(3) = {0, 0.5, 0, 0.4, 0.5}; Rectangle(4) = {0.4, 0.5, 0, 0.6, 0.5};
Coherence;
MeshSize{ PointsOf{ Surface{:}; } } = 0.2;
Physical Surface("all") = Surface{:};
left() = Curve In BoundingBox{-0.1, 0.4, -1, 0.5, 0.6, 1};
right() = Curve In BoundingBox{0.3, 0.4, -1, 1.1, 0.6, 1};
Physical Curve("whole") = {left(), right()}; Physical Curve("part") = {right()};
Physical Curve("base") = Curve In BoundingBox{-0.1, -0.1, -1, 1.1, 0.1, 1};
Physical Curve("top") = Curve In BoundingBox{-0.1, 0.9, -1, 1.1, 1.1, 1};
)");
  write("cube.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.4, 1, 0.5}; Box(2) = {0.4, 0, 0, 0.6, 1, 0.5};
Box(3) = {0, 0, 0.5, 0.4, 1, 0.5}; Box(4) = {0.4, 0, 0.5, 0.6, 1, 0.5};
Coherence;
MeshSize{ PointsOf{ Volume{:}; } } = 0.4;
Physical Volume("all") = Volume{:};
Physical Surface("part") = Surface In BoundingBox{0.3, -0.1, 0.4, 1.1, 1.1, 0.6};
Physical Surface("base") = Surface In BoundingBox{-0.1, -0.1, -0.1, 1.1, 1.1, 0.1};
Physical Surface("top") = Surface In BoundingBox{-0.1, -0.1, 0.9, 1.1, 1.1, 1.1};
)");
  for (const auto &[file, mesh, split] :
       {std::array<std::string, 3>{"case.prm", "strip.geo", "whole"},
        {"case.prm", "strip.geo", "part"},
        {"boxes.prm", "cube.geo", "part"}}) {
    const std::string whole_case = with(file, mesh, false), split_case = with(file, mesh, true);
    write("one.prm", whole_case);
    write("two.prm", split_case);
    const auto one = run({"Constants/shear=0.05"}, "one.prm", "one");
    Entries entries = tied;
    entries.insert(entries.end(),
                   {"Constants/shear=0.05", "Mesh/Split=" + split,
                    "Contact/glue/Region=" + split + " 1", "Contact/glue/Against=" + split + " 2"});
    const auto two = run(entries, "two.prm", "two");
    expect_balance(two);
    EXPECT_GT(largest(one.at("strain")), 0.01);
    for (std::size_t i = 0; i < one.at("total").size(); ++i)
      for (const std::string energy : {"kinetic", "strain"})
        ASSERT_NEAR(two.at(energy)[i], one.at(energy)[i], 1e-10 * largest(one.at("total")))
            << mesh << ' ' << split << ' ' << i;
  }
}

TEST_F(BondedBlocks, CloseTheGapsOfTheirMeshes) {
  std::string geometry = read("blocks.geo");
  const std::string upper = "Rectangle(2) = {0, 0.5,";
  geometry.replace(geometry.find(upper), upper.size(), "Rectangle(2) = {0, 0.501,");
  write("blocks.geo", geometry);
  EXPECT_EQ(run_with({}).status, 2);
  const auto table = run({"Contact/glue/Begin closed up to=0.002"});
  expect_balance(table);
  EXPECT_LT(table.at("work_fracture").back(), -0.019);
}

TEST_F(BondedBlocks, SeparateAfterTheTimeOfTheirTies) {
  Entries entries = tied;
  entries.front() = "Contact/glue/Tied until=0.5";
  const auto table = run(entries);
  expect_balance(table);
  EXPECT_EQ(table.at("work_fracture").back(), 0.);
  // The upper block takes its strain energy along, and the lower one springs back.
  const auto &strain = table.at("strain");
  EXPECT_GT(strain[50], 0.02);
  EXPECT_GT(largest(table.at("kinetic")), 0.3 * strain[50]);
}

TEST_F(BondedBlocks, RefuseWrongEntries) {
  const auto refused = [&](const Entries &entries, const std::string &words) {
    auto all = entries;
    const auto outcome = run_with(all);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(cases::has(outcome.error, words)) << outcome.error;
  };
  refused({"Contact/glue/Bond strength=0"}, "without a Bond strength");
  refused({"Contact/glue/Fracture energy=0"}, "requires an energy > 0");
  refused({"Contact/glue/Bond stiffness=1"}, "before its damage begins");
  refused({"Contact/glue/Shear fracture energy=1e-9"}, "allowed is a larger energy");
  refused({"Contact/glue/Mixed-mode law=power law", "Contact/glue/Mixed-mode exponent=0.5"},
          "numbers >= 1");
  refused({"Contact/glue/Adhesion energy=1"}, "not both");
  refused({"Contact/glue/Adhesion viscosity=1"}, "without an Adhesion energy");
  Entries soft = adhesion("0");
  soft[5] = "Contact/glue/Bond stiffness=0";
  refused(soft, "requires a stiffness > 0");
  soft[5] = "Contact/glue/Bond stiffness=1";
  refused(soft, "farther than contacts on faces are found");
  refused({"Time/Scheme=penalty"}, "has no bonds");
  refused({"Contact/glue/Discretisation=nodes of both sides"}, "bonded twice");
  refused({"Contact/glue/Fracture energy=1", "Contact/glue/Shear fracture energy=1"},
          "farther than contacts on faces are found");
}

} // namespace
