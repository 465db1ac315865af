// Runs whose results do not show that bodies never met, passed through each other or lost their
// force: a warning, or a line at the end.

#include "cases/support.h"
#include "support/csv.h"

namespace {
using namespace cases;
using Assignments = std::vector<std::string>;

class MissedContacts : public CaseFolder {
protected:
  static std::string section(const std::string &name, const std::string &entries) {
    return "subsection " + name + "\n" + entries + "\nend\n";
  }
  static std::string body(const std::string &name, const std::string &entries) {
    return section("Rigid bodies", section(name, "set Mass = 1\n" + entries));
  }
  static std::string contact(const std::string &entries) {
    return section("Contact", section("hit", entries));
  }
  static std::string steps(const std::string &step, const std::string &end) {
    return section("Time", "set Step = " + step + "\nset End = " + end) +
           section("Output", "set Number of instants = 2");
  }
  Outcome run(const std::string &text) const {
    write("case.prm", text);
    const Outcome outcome = start("percussion", {"case.prm"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.error;
    return outcome;
  }
  /// Expects, or excludes, the warning of bodies that pass each other in the run of a case.
  void expect_passing(const std::string &text, bool expected) const {
    const Outcome outcome = run(text);
    EXPECT_EQ(has(outcome.out, "the sides of contact 'hit' pass through each other undetected"),
              expected)
        << outcome.out;
  }
};

const char *const all_bodies = "set Bodies = all\nset Surface = rigid bodies";

// ---- bodies that pass each other within a step ----

TEST_F(MissedContacts, DiscsPassEachOther) {
  const auto discs = [](const std::string &speed, const std::string &height = "0") {
    return body("one", "set Shape = disc\nset Radius = 0.1\nset Position = 0, " + height) +
           body("other", "set Shape = disc\nset Radius = 0.1\nset Position = 1, 0\n"
                         "set Initial velocity = -" +
                             speed + ", 0") +
           contact(all_bodies) + steps("0.01", "0.04");
  };
  expect_passing(discs("200"), true);
  expect_passing(discs("30"), false); // the disc hits
  const Outcome slow = run(discs("30"));
  EXPECT_TRUE(has(slow.out, "Contact   'hit' closed in 1 of 4 steps")) << slow.out;
  // Discs beside each other do not meet at any speed.
  expect_passing(discs("200", "0.5"), false);
}

TEST_F(MissedContacts, BarTurnsPastDisc) {
  const auto bar = [](const std::string &speed) {
    return body("bar", "set Width = 2\nset Height = 0.02\nset Position = 0, 0\n"
                       "set Initial angular velocity = " +
                           speed) +
           body("disc", "set Shape = disc\nset Radius = 0.05\nset Position = 0.6, 0.6") +
           contact(all_bodies) + steps("0.01", "0.01");
  };
  expect_passing(bar("157"), true);
  expect_passing(bar("50"), false); // the bar stays in front of the disc
}

TEST_F(MissedContacts, SpherePassesPlate) {
  const auto sphere = [](const std::string &speed) {
    return body("plate", "set Shape = box\nset Size = 2, 2, 0.02\nset Position = 0, 0, 0") +
           body("ball", "set Shape = sphere\nset Radius = 0.1\nset Position = 0, 0, 1.5\n"
                        "set Initial velocity = 0, 0, -" +
                            speed) +
           contact(all_bodies) + steps("0.01", "0.01");
  };
  expect_passing(sphere("300"), true);
  expect_passing(sphere("100"), false); // the sphere stays above
}

TEST_F(MissedContacts, ElasticBlockPassesBar) {
  const auto block = [](const std::string &speed) {
    return section("Mesh", "set File = block.msh") +
           section("Material", "set Density = 1\nset Young modulus = 100") +
           body("bar", "set Width = 4\nset Height = 0.1\nset Position = 0.5, -1.5") +
           contact("set Region = bottom\nset Surface = rigid bodies\nset Against = bar") +
           section("Initial state", "set Velocity y = -" + speed) + steps("0.01", "0.01");
  };
  expect_passing(block("300"), true);
  expect_passing(block("50"), false);
}

TEST_F(MissedContacts, PointPassesSurface) {
  const auto disc = [](const std::string &speed) {
    return body("disc", "set Shape = disc\nset Radius = 0.1\nset Position = 0, 2\n"
                        "set Initial velocity = 0, -" +
                            speed) +
           contact("set Bodies = disc\nset Surface = outside of circle\nset Point = 0, 0\n"
                   "set Radius = 0.5") +
           steps("0.01", "0.01");
  };
  expect_passing(disc("400"), true);
  expect_passing(disc("100"), false);
}

/// A card and a table of 1 mm meet with 4 mm in a step.
TEST_F(MissedContacts, BodiesOverlapBeyondThickness) {
  const auto card = [&](const std::string &step) {
    return run(
        body("table",
             "set Width = 0.01\nset Height = 0.001\nset Position = 0, -0.0005\nset Velocity x = 0\n"
             "set Velocity y = 0\nset Angular velocity = 0") +
        body("card", "set Width = 0.01\nset Height = 0.001\nset Position = 0, 0.0032\n"
                     "set Initial velocity = 0, -2") +
        contact("set Bodies = card\nset Surface = rigid bodies\nset Against = table") +
        steps(step, "0.01"));
  };
  const std::string words = "the sides of contact 'hit' overlap by 0.00";
  const Outcome deep = card("2e-3");
  EXPECT_TRUE(has(deep.out, words)) << deep.out;
  const Outcome short_steps = card("1e-4");
  EXPECT_FALSE(has(short_steps.out, words)) << short_steps.out;
}

// ---- contacts that never close ----

TEST_F(MissedContacts, EachContactHasLineAtEnd) {
  const Outcome held = run(case_file);
  EXPECT_TRUE(has(held.out, "Contact   'ground' closed in 20 of 20 steps; largest normal force "))
      << held.out;
  EXPECT_FALSE(has(held.out, "ever closed"));
  EXPECT_TRUE(has(read("output/case/summary.json"), "\"steps_closed\": 20"));
  std::string upwards = case_file;
  upwards.replace(upwards.find("0, -1"), 5, "0, 1");
  const Outcome away = run(upwards);
  EXPECT_TRUE(has(away.out, "Contact   'ground' never closed")) << away.out;
  EXPECT_TRUE(has(away.out, "Warning   contact: no contact of the case has ever closed"));
  EXPECT_TRUE(has(read("output/case/summary.json"), "no contact of the case has ever closed"));
}

TEST_F(MissedContacts, ForceOfContactIsWeight) {
  const Outcome outcome =
      run(body("block", "set Width = 1\nset Height = 1\nset Position = 0, 0.5") +
          section("Boundary conditions", "set Gravity = 0, -10") + contact("set Bodies = block") +
          steps("0.01", "0.05"));
  EXPECT_TRUE(
      has(outcome.out, "Contact   'hit' closed in 5 of 5 steps; largest normal force 10 at"))
      << outcome.out;
}

// ---- forces that depths have lost, and heights gained ----

/// A block that a rigid punch presses from above.
class PressedByPunch : public MissedContacts {
protected:
  /// Returns the output of a run in which the punch begins at a height above the block.
  std::string press(const std::string &motion, const std::string &step,
                    const std::string &height = "0",
                    const std::string &scheme = "moreau-jean-fremond") const {
    return run(section("Mesh", "set File = block.msh") + section("Constants", "set a = " + height) +
               section("Material", "set Young modulus = 100\nset Density = 1e-6") +
               section("Boundary conditions",
                       section("bottom", "set Displacement x = 0\nset Displacement y = 0")) +
               body("punch", "set Width = 2\nset Height = 0.2\nset Position = 0.5, 1.1 + a\n"
                             "set Displacement x = 0\nset Rotation = 0\n" +
                                 motion) +
               section("Contact", section("hit", "set Region = top\nset Surface = rigid bodies\n"
                                                 "set Against = punch")) +
               section("Time", "set Scheme = " + scheme) + steps(step, "1"))
        .out;
  }
  const std::string down = "set Displacement y = -0.05*t", pushed = "set Force y = -5*t";
};

/// Between held bodies landing depths cost force; a free body is pressed by its load at any depth.
TEST_F(PressedByPunch, ForceIsLostByLandingDepths) {
  const std::string words = "forces are too small by about ";
  EXPECT_TRUE(has(press(down, "0.1"), words)) << press(down, "0.1");
  EXPECT_FALSE(has(press(down, "0.002"), words));
  EXPECT_FALSE(has(press(pushed, "0.1"), words));
}

/// Contacts that keep the gap at which they close press too early.
TEST_F(PressedByPunch, ForceIsGainedByHeights) {
  const std::string words = "above the opposite side on average, weighted with the forces, and the "
                            "bodies are indented by ",
                    scheme = "adapted-continuity";
  const std::string early = press(down, "0.1", "0.0025", scheme);
  EXPECT_TRUE(has(early, words)) << early;
  EXPECT_TRUE(has(early, "forces are too large by about ")) << early;
  const std::string short_steps = press(down, "5e-4", "0.0025", scheme);
  EXPECT_FALSE(has(short_steps, "forces are too ")) << short_steps;
}

// ---- a body that passes through itself ----

/// Three squares in a row, with two prongs of two squares at its ends.
const char *const fork_mesh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "bottom"
2 5 "fork"
$EndPhysicalNames
$Nodes
16
1 0 0 0
2 1 0 0
3 2 0 0
4 3 0 0
5 0 1 0
6 1 1 0
7 2 1 0
8 3 1 0
9 0 2 0
10 1 2 0
11 2 2 0
12 3 2 0
13 0 3 0
14 1 3 0
15 2 3 0
16 3 3 0
$EndNodes
$Elements
10
1 1 2 1 1 1 2
2 1 2 1 1 2 3
3 1 2 1 1 3 4
4 3 2 5 1 1 2 6 5
5 3 2 5 1 2 3 7 6
6 3 2 5 1 3 4 8 7
7 3 2 5 1 5 6 10 9
8 3 2 5 1 7 8 12 11
9 3 2 5 1 9 10 14 13
10 3 2 5 1 11 12 16 15
$EndElements
)";

TEST_F(MissedContacts, ProngsOfForkPassEachOther) {
  write("block.msh", fork_mesh);
  const auto closing = [](const std::string &speed) {
    return std::string(case_file) +
           section("Initial state",
                   "set Velocity x = " + speed + "*(y > 1)*(y - 1)*(x < 1.5 ? 1 : -1)");
  };
  const Outcome crossed = run(closing("20"));
  EXPECT_TRUE(has(crossed.out,
                  "Warning: self-crossing: at t = 0.015 the boundary of 'block' crosses "
                  "itself at (1."))
      << crossed.out;
  EXPECT_FALSE(has(run(closing("8")).out, "self-crossing"));
}

// ---- preload ----

TEST_F(MissedContacts, PreloadWithoutGround) {
  const auto preloaded = [](const std::string &height, const std::string &treatment) {
    return std::string(case_file) +
           section("Contact", section("ground", "set Point = 0, " + height)) +
           section("Initial state", "set Static preload = true\nset Preload gravity = true\n"
                                    "set Preload contact nodes = " +
                                        treatment) +
           section("Boundary conditions",
                   section("top", "set Displacement x = 0\nset Displacement y = 0"));
  };
  EXPECT_TRUE(has(run(preloaded("-0.1", "fixed")).out,
                  "contact 'ground': the static preload holds 0 of its 3 "
                  "nodes, for the other nodes are open, the nearest by 0.1"));
  EXPECT_FALSE(has(run(preloaded("0", "fixed")).out, "static preload holds"));
  const Outcome open = run(preloaded("-0.1", "contact"));
  EXPECT_TRUE(
      has(open.out, "contact 'ground' carries nothing in the static preload: it is open by"))
      << open.out;
  EXPECT_FALSE(has(run(preloaded("0", "contact")).out, "carries nothing"));
}

} // namespace
