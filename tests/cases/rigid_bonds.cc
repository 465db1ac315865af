// Walls whose joints are rigid bonds: strength where three of them meet, 3D, prescribed sides,
// statics, mirror images, units.

#include <percussion/contact/bond_law.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"
#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace rigid_bonds {

using namespace percussion;
using namespace case_text;
using cases_in_space::Stepped;
using Entries = std::vector<std::string>;
using Table = std::map<std::string, std::vector<double>>;

double largest(const std::vector<double> &column) {
  double value = 0;
  for (const double x : column)
    value = std::max(value, std::abs(x));
  return value;
}

/// Three bricks of 1 × 0.5 (× 0.5): two on one, whose three joints meet in its middle.
const std::string bricks_2d = R"(DefineConstant[ n = 1 ];
For j In {0:2}
  For i In {0:2}
    Point(10 * j + i + 1) = {i * 0.5, j * 0.5, 0};
  EndFor
EndFor
For j In {0:2}
  For i In {0:1}
    Line(100 + 10 * j + i) = {10 * j + i + 1, 10 * j + i + 2};
  EndFor
EndFor
For j In {0:1}
  For i In {0:2}
    Line(200 + 10 * j + i) = {10 * j + i + 1, 10 * (j + 1) + i + 1};
  EndFor
  For i In {0:1}
    Curve Loop(10 * j + i + 1) = {100 + 10 * j + i, 200 + 10 * j + i + 1, -(110 + 10 * j + i),
                                  -(200 + 10 * j + i)};
    Plane Surface(10 * j + i + 1) = {10 * j + i + 1};
  EndFor
EndFor
Transfinite Curve{:} = n + 1; Transfinite Surface{:}; Recombine Surface{:};
)";
const std::string regions_2d = R"(Physical Surface("bricks") = Surface{:};
Physical Curve("bed") = {110, 111}; Physical Curve("head") = {211};
Physical Curve("left") = {200, 210}; Physical Curve("right") = {202, 212};
Physical Curve("foot") = {100, 101}; Physical Curve("top") = {120, 121};
)";
const std::string regions_3d = R"(
bed() = {}; head() = {}; left() = {}; right() = {}; foot() = {}; top() = {}; bricks() = {};
For j In {0:1}
  For i In {0:1}
    out[] = Extrude{0, 0, 0.5}{ Surface{10 * j + i + 1}; Layers{1}; Recombine; };
    bricks() += {out[1]};
    If(j == 0)
      foot() += {out[2]}; bed() += {out[4]};
    Else
      top() += {out[4]};
    EndIf
    If(i == 0)
      left() += {out[5]};
      If(j == 1)
        head() += {out[3]};
      EndIf
    Else
      right() += {out[3]};
    EndIf
  EndFor
EndFor
Physical Volume("bricks") = bricks();
Physical Surface("bed") = bed(); Physical Surface("head") = head();
Physical Surface("left") = left(); Physical Surface("right") = right();
Physical Surface("foot") = foot(); Physical Surface("top") = top();
)";

std::string joint(const std::string &name, const std::string &entries) {
  return section(name + " joints", set("Region", name + " 1") + set("Surface", "region") +
                                       set("Against", name + " 2") +
                                       set("Friction coefficient", 0.5) +
                                       set("Cohesion", "extrinsic") + set("Bond strength", 2.) +
                                       set("Fracture energy", 0.02) + entries);
}

/// Conditions that pull the bricks apart along the bed or across it.
const std::string moved_ends = section("left", set("Displacement x", "-pull*t")) +
                               section("right", set("Displacement x", "pull*t")) +
                               section("foot", set("Displacement y", "0")) +
                               section("top", set("Displacement y", "rise*t"));

class RigidBonds : public cases::CaseFolder {
protected:
  RigidBonds() {
    const std::string z = set("Displacement z", "0");
    write("bricks.geo", bricks_2d + regions_2d);
    write("solid.geo", bricks_2d + regions_3d);
    write("case.prm", text("bricks.geo", moved_ends));
    write("solid.prm", text("solid.geo", moved_ends + section("foot", z) + section("top", z)));
  }

  /// Returns a case of bricks of the modulus 100 with joints of the strengths 2 and 3.
  static std::string text(const std::string &mesh, const std::string &conditions) {
    const std::string modes = set("Shear bond strength", 3.) + set("Shear fracture energy", 0.05);
    return "subsection Mesh\n  set File = " + mesh + "\n  set Split = bed, head\nend\n" +
           in("Material",
              set("Density", 1.) + set("Young modulus", 100.) + set("Poisson ratio", 0.)) +
           in("Constants", set("pull", 0.) + set("rise", 0.)) +
           in("Boundary conditions", conditions) +
           in("Contact", joint("bed", modes) + joint("head", modes)) +
           in("Time", set("Scheme", "moreau-jean-fremond") + set("Theta", 0.5) + set("Step", 0.01) +
                          set("End", 1.)) +
           in("Output", set("Number of instants", 2.));
  }

  Table run(const std::string &file, const Entries &entries,
            const std::string &results = "results") const {
    Entries arguments = {file, "--output", results};
    for (const auto &entry : entries)
      arguments.insert(arguments.end(), {"--set", entry});
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return percussion::test::read_csv((folder / results / "energy.csv").string());
  }

  static void expect_balance(const Table &table) {
    const double energy = largest(table.at("total"));
    EXPECT_LT(largest(table.at("balance_residual")), 1e-13 * energy);
    const auto &fracture = table.at("work_fracture");
    EXPECT_TRUE(std::is_sorted(fracture.rbegin(), fracture.rend()));
    for (const double work : table.at("tangential_work_max"))
      EXPECT_LE(work, 1e-14 * energy);
  }

  template <int dim>
  Stepped<dim> stepped(const std::string &file, const Entries &entries) const {
    return Stepped<dim>(
        cases_in_space::build<dim>(ParameterFile::read((folder / file).string()), entries));
  }
};

const Entries statics = {"Time/Inertia=none", "Time/Theta=1"};

Entries with(Entries entries, const Entries &more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

/// Fails if a bond that has no damage bears more than its strength. Returns the number of bonds
/// with damage, and the largest load over the strength in `load`.
template <int dim>
unsigned int expect_strength(const Stepped<dim> &run, const StepRecord<dim> &record, double &load) {
  const CompletedContacts &contacts = run.step.completed_contacts();
  unsigned int n_damaged = 0;
  load = 0;
  for (std::size_t i = 0; i < contacts.keys.size(); ++i) {
    const auto *const bond = find_key(run.state.history.bonds, contacts.keys[i]);
    if (bond == nullptr)
      continue;
    if (bond->damage > 0.) {
      ++n_damaged;
      continue;
    }
    std::array<double, dim> traction;
    for (unsigned int r = 0; r < dim; ++r)
      traction[r] = (record.contacts[i].percussion[r] - contacts.p[dim * i + r]) /
                    (contacts.length * bond->area);
    const BondLaw &law = run.c.boundary->pairs[bond->key.pair].bond;
    load = std::max(load, equivalent_traction<dim>(law, traction) / law.strength);
  }
  EXPECT_LE(load, 1. + 1e-8) << run.state.step;
  return n_damaged;
}

/// Uniform tension along the bed is the traction of the head joint, whatever the redundant bonds
/// at its foot bear: it holds up to the strength, and breaks above it.
template <int dim>
void expect_onset(Stepped<dim> run, double strain_per_step, unsigned int last_holding) {
  double load = 0;
  for (unsigned int k = 1; k <= last_holding; ++k) {
    const auto &record = run.advance();
    ASSERT_EQ(expect_strength<dim>(run, record, load), 0u) << k;
    EXPECT_LE(load, 100. * strain_per_step * k / 2. * (1. + 1e-8));
  }
  EXPECT_GT(load, 0.97);
  run.advance();
  expect_strength<dim>(run, run.step.last(), load);
  unsigned int n_damaged = 0;
  for (const auto &bond : run.state.history.bonds)
    n_damaged += bond.damage > 0.;
  EXPECT_GT(n_damaged, 0u);
}

TEST_F(RigidBonds, HoldUpToTheirStrengthWhereThreeMeet) {
  // The bricks have the strain 2 × pull × t, the modulus 100 and the strength 2.
  const Entries pull = with(statics, {"Constants/pull=0.0099", "Time/End=2"});
  expect_onset<2>(stepped<2>("case.prm", pull), 2. * 0.0099 * 0.01, 101);
  expect_onset<2>(stepped<2>("case.prm", with(pull, {"Mesh/Parameters=n = 2"})), 2. * 0.0099 * 0.01,
                  101);
  expect_onset<3>(stepped<3>("solid.prm", pull), 2. * 0.0099 * 0.01, 101);
}

/// Entries for one toughness in all directions.
const Entries one_toughness = {
    "Contact/bed joints/Shear bond strength=0", "Contact/bed joints/Shear fracture energy=0",
    "Contact/head joints/Shear bond strength=0", "Contact/head joints/Shear fracture energy=0"};

/// Bricks that are pulled up leave the bed with the energy of its area; the head joint holds.
/// Without inertia the traction falls by 40 for each unit of opening, less than bricks of the
/// stiffness 100 bear: with a steeper fall the bonds do not open alike, and have many solutions.
TEST_F(RigidBonds, TakeTheFractureEnergyOfTheBed) {
  for (const auto &[inertia, energy] : {std::pair{Entries{}, 0.02}, std::pair{statics, 0.05}}) {
    const Entries entries =
        with(with(inertia, one_toughness),
             {"Constants/rise=0.06", format("Contact/bed joints/Fracture energy=%.17g", energy)});
    const auto table = run("case.prm", entries), solid = run("solid.prm", entries);
    if (inertia.empty()) {
      expect_balance(table);
      expect_balance(solid);
    }
    EXPECT_NEAR(table.at("work_fracture").back(), -energy, 1e-13);
    EXPECT_NEAR(solid.at("work_fracture").back(), -0.5 * energy, 1e-13);
  }
}

/// Bricks are torn from a face whose motion is prescribed; bonds of two such faces have no effect.
TEST_F(RigidBonds, BreakAtAPrescribedSide) {
  const std::string held =
      section("foot", set("Fixed", "true")) +
      section("bed 1", set("Displacement x", "0") + set("Displacement y", "rise*t"));
  write("face.prm", text("bricks.geo", held));
  for (const Entries &inertia : {Entries{}, statics}) {
    const auto table = run("face.prm", with(with(inertia, one_toughness), {"Constants/rise=0.06"}));
    if (inertia.empty())
      expect_balance(table);
    EXPECT_NEAR(table.at("work_fracture").back(), -0.02, 1e-13);
    EXPECT_GT(table.at("work_prescribed").back(), 0.0199); // in steps without inertia less
  }
  write("faces.prm", text("bricks.geo", held + section("bed 2", set("Fixed", "true"))));
  expect_refusal(start("percussion", {"faces.prm"}),
                 {"the motion of all nodes of region 'bed", "is prescribed"});
}

// ---- the shipped wall ----

/// Returns entries of the shipped wall with rigid bonds, which a rock hits.
Entries wall(const Entries &more) {
  Entries entries = {"Output/Number of instants=2"};
  for (const std::string joints : {"bed", "head"})
    for (const std::string entry : {"Cohesion=extrinsic", "Bond stiffness=0"})
      entries.push_back("Contact/" + joints + " joints/" + entry);
  return with(entries, more);
}
const std::string wall_file = PERCUSSION_SOURCE_DIR "/params/mortar_wall.prm";

void expect_same(const Table &a, const Table &b, double unit, double tolerance) {
  EXPECT_LT(a.at("work_fracture").back(), -25.);
  for (const std::string column :
       {"kinetic", "strain", "work_external", "work_fracture", "work_contact_tangential"}) {
    ASSERT_EQ(a.at(column).size(), b.at(column).size());
    for (std::size_t k = 0; k < a.at(column).size(); ++k)
      ASSERT_NEAR(a.at(column)[k], b.at(column)[k] / unit, tolerance * largest(a.at("total")))
          << column << ' ' << k;
  }
}

/// A rock from the right breaks the wall like one from the left, and so does the same wall in mm,
/// t, s, with energies in mJ, for ten steps (to 3e-10 and 3e-13). After twenty steps the mirror
/// image differs by 1e-2 of the energy.
TEST_F(RigidBonds, BreakInAMirrorAndInOtherUnits) {
  Entries scaled = {"Time/End=5e-4",
                    "Mesh/Parameters=length = 1000, height = 500",
                    "Material/Density=2e-9",
                    "Material/Young modulus=8e3",
                    "Material/Thickness=300",
                    "Rigid bodies/rock/Radius=300",
                    "Rigid bodies/rock/Thickness=300",
                    "Rigid bodies/rock/Density=2.6e-9",
                    "Rigid bodies/rock/Position=-300.1, 1500",
                    "Rigid bodies/rock/Initial velocity=3000, 0",
                    "Boundary conditions/Gravity=0, -9810",
                    "Output/Units=t, mm, s"};
  for (const std::string joints : {"bed", "head"})
    for (const std::string entry : {"Bond strength=0.4", "Fracture energy=0.1",
                                    "Shear bond strength=0.6", "Shear fracture energy=0.24"})
      scaled.push_back("Contact/" + joints + " joints/" + entry);
  const auto left = run(wall_file, wall({"Time/End=5e-4"}), "left");
  expect_same(left,
              run(wall_file,
                  wall({"Time/End=5e-4", "Rigid bodies/rock/Position=3.3001, 1.5",
                        "Rigid bodies/rock/Initial velocity=-3, 0"}),
                  "right"),
              1., 1e-6);
  expect_same(left, run(wall_file, wall(scaled), "millimetres"), 1e3, 1e-9);
}

/// A run that ends while joints break, and goes on, writes the bytes of one that did not end.
TEST_F(RigidBonds, GoOnBitForBit) {
  const Entries whole = {"Output/Steps between checkpoints=3", "Time/End=7.5e-4"};
  const auto table = run(wall_file, wall(whole), "whole");
  EXPECT_LT(table.at("work_fracture").back(), -45.);
  run(wall_file, wall({whole[0], "Time/End=4e-4"}));
  Entries arguments = {wall_file, "--output", "results", "--resume"};
  for (const auto &entry : wall(whole))
    arguments.insert(arguments.end(), {"--set", entry});
  const auto resumed = start("percussion", arguments);
  ASSERT_EQ(resumed.status, 0) << resumed.error;
  const auto rows = [&](const std::string &results) {
    const std::string csv = read(results + "/energy.csv");
    return csv.substr(csv.find("step,time"));
  };
  EXPECT_EQ(rows("results"), rows("whole"));
}

} // namespace rigid_bonds
