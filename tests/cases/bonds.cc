// Bodies that bonds glue: toughness, ledger, contact on what has broken, wrong input.

#include "cases/bonded_blocks.h"
#include <cmath>
#include <filesystem>

namespace {

namespace fs = std::filesystem;
using bonded_blocks::BondedBlocks;

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

/// Entries for bonds that are rigid until they open.
const std::vector<std::string> extrinsic = {"Contact/glue/Cohesion=extrinsic",
                                            "Contact/glue/Shear bond strength=0",
                                            "Contact/glue/Shear fracture energy=0"};

std::vector<std::string> with(std::vector<std::string> entries,
                              const std::vector<std::string> &more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

TEST_F(BondedBlocks, TakeTheFractureEnergyIfTheyAreRigidAtFirst) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "signorini-midpoint"})
    for (const std::string step : {"0.1", "0.02", "0.005"}) {
      const auto table = run(with(extrinsic, {"Time/Scheme=" + scheme, "Time/Step=" + step}));
      expect_balance(table);
      EXPECT_NEAR(table.at("work_fracture").back(), -0.02, 1e-14) << scheme << ' ' << step;
      EXPECT_NEAR(table.at("contact_potential").back(), 0., 1e-15);
    }
  const auto boxes = run(extrinsic, "boxes.prm");
  expect_balance(boxes);
  EXPECT_NEAR(boxes.at("work_fracture").back(), -0.02, 1e-14);
  const auto slow = run(with(extrinsic, {"Time/Inertia=none", "Time/Theta=1"}));
  EXPECT_NEAR(slow.at("work_fracture").back(), -0.02, 1e-14);
}

/// Pressed and sheared, they slide with friction.
TEST_F(BondedBlocks, SlideIfTheyAreRigidAtFirst) {
  for (const std::string discretisation : {"mortar", "nodes"}) {
    const auto table = run(with(extrinsic, {"Constants/shear=0.05", "Constants/lift=-0.04",
                                            "Time/End=4", "Solver/Newton tolerance=1e-13",
                                            "Contact/glue/Discretisation=" + discretisation}));
    expect_balance(table);
    EXPECT_NEAR(table.at("work_fracture").back(), -0.02, 1e-14);
    EXPECT_LT(table.at("work_contact_tangential").back(), -0.05);
  }
}

/// Until they open, the blocks move as tied ones: bonds are no springs.
TEST_F(BondedBlocks, MoveAsOneBodyIfTheyAreRigid) {
  const auto tied = run({"Contact/glue/Bond strength=0", "Contact/glue/Fracture energy=0",
                         "Contact/glue/Shear bond strength=0",
                         "Contact/glue/Shear fracture energy=0", "Contact/glue/Tied until=10"});
  const auto table = run(with(extrinsic, {"Contact/glue/Bond strength=50"}));
  EXPECT_EQ(table.at("work_fracture").back(), 0.);
  ASSERT_GT(tied.at("kinetic").back(), 0.);
  for (const std::string column : {"kinetic", "strain", "work_prescribed"})
    for (std::size_t k = 0; k < table.at(column).size(); ++k)
      ASSERT_NEAR(table.at(column)[k], tied.at(column)[k], 1e-12 * largest(tied.at(column)))
          << column << ' ' << k;
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

TEST_F(BondedBlocks, BreakByTheEnergiesOfTheirModesIfTheyAreRigidAtFirst) {
  const Entries law = {"Contact/glue/Cohesion=extrinsic"};
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const auto shear = run(with(law, {"Constants/shear=0.05", "Constants/lift=-0.04", "Time/End=4",
                                      "Solver/Newton tolerance=1e-13", "Time/Scheme=" + scheme}));
    expect_balance(shear);
    EXPECT_NEAR(shear.at("work_fracture").back(), -0.05, 1e-13) << scheme;
    const auto tension = run(with(law, {"Time/Scheme=" + scheme}));
    expect_balance(tension);
    EXPECT_NEAR(tension.at("work_fracture").back(), -0.02, 0.0005) << scheme;
  }
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
  for (const Entries &law : {Entries{}, adhesion("1e-3"), extrinsic}) {
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
  refused(with(extrinsic, {"Contact/glue/Bond stiffness=600"}), "with Cohesion = extrinsic");
  refused({"Contact/glue/Cohesion=extrinsic", "Contact/glue/Shear bond stiffness=2"},
          "with Cohesion = extrinsic and a Shear bond strength");
  refused({"Contact/glue/Cohesion=extrinsic", "Contact/glue/Shear fracture energy=0"},
          "requires an energy > 0");
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
