// Input with hidden errors in its physics: a warning, or a refusal.

#include <percussion/case/case.h>

#include "cases/checked_case.h"
#include <algorithm>

namespace {
using namespace cases;

class InputWarnings : public CheckedCase {
protected:
  std::vector<std::string> warnings(const std::string &text,
                                    const std::vector<std::string> &assignments = {}) const {
    write("case.prm", text);
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    auto file = percussion::ParameterFile::read("case.prm");
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    const percussion::Parameters parameters(percussion::declare_case(&file), file);
    auto found = percussion::build_case<2>(parameters, file).warnings;
    fs::current_path(before);
    return found;
  }
  /// True if a warning has these words, for the case with additional entries or with other values.
  bool warns(const std::string &more, const std::string &words,
             const std::vector<std::string> &assignments = {}) const {
    const auto all = warnings(std::string(case_file) + more, assignments);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string &text) { return has(text, words); });
  }
  static std::string section(const std::string &name, const std::string &entries) {
    return "subsection " + name + "\n" + entries + "\nend\n";
  }
  static std::string on_top(const std::string &entry) {
    return section("Boundary conditions", section("top", entry));
  }
  static std::string contact(const std::string &name, const std::string &entries) {
    return section("Contact", section(name, entries));
  }
  /// Expects that the case is refused with these words.
  void expect_refused(const std::string &more, const std::string &words) const {
    write("case.prm", std::string(case_file) + more);
    expect_refusal(check_with({}), {words});
  }
  /// Returns a mesh in format 2.2 of these nodes "x y" and cells "node node node (node)", numbered
  /// from 1.
  static std::string mesh(const std::vector<std::string> &nodes,
                          const std::vector<std::string> &cells) {
    std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"bottom\"\n"
                       "2 5 \"block\"\n$EndPhysicalNames\n$Nodes\n" +
                       std::to_string(nodes.size()) + "\n";
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text += std::to_string(i + 1) + " " + nodes[i] + " 0\n";
    text += "$EndNodes\n$Elements\n" + std::to_string(cells.size() + 1) + "\n1 1 2 1 1 1 2\n";
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += std::to_string(i + 2) +
              (std::count(cells[i].begin(), cells[i].end(), ' ') == 3 ? " 3" : " 2") + " 2 5 1 " +
              cells[i] + "\n";
    return text + "$EndElements\n";
  }
};

// ---- loads and motions within steps of 1e-3 ----

TEST_F(InputWarnings, LoadBetweenSteps) {
  const std::string words = "it changes within the steps";
  EXPECT_TRUE(warns(on_top("set Traction y = (t > 0.0052) * (t < 0.0054)"), words));
  EXPECT_TRUE(warns(on_top("set Traction y = sin(2*pi*t/1e-3)"), words));
  EXPECT_TRUE(warns(on_top("set Traction y = x*(t > 0.0052)*(t < 0.0054)"), words));
  EXPECT_TRUE(warns("", words, {"Boundary conditions/Gravity=0, -exp(-((t-0.0105)/1e-4)^2)"}));
  for (const char *slow : {"1", "t", "(t > 0.01)", "sin(2*pi*t/0.02)", "exp(-((t-0.01)/3e-3)^2)"})
    EXPECT_FALSE(warns(on_top(std::string("set Traction y = ") + slow), words)) << slow;
}

TEST_F(InputWarnings, TableBetweenSteps) {
  write("pulse.csv", "0, 0\n0.0052, 0\n0.0053, 1\n0.0054, 0\n1, 0\n");
  write("slow.csv", "0, 0\n0.01, 1\n1, 0\n");
  const auto load = [](const std::string &table) {
    return on_top("set Traction x = table(\"" + table + "\", t)");
  };
  EXPECT_TRUE(warns(load("pulse.csv"), "it changes within the steps"));
  EXPECT_FALSE(warns(load("slow.csv"), "it changes within the steps"));
  write("jump.csv", "0, 0\n0.00520, 0\n0.00521, 1e-3\n1, 1e-3\n");
  write("ramp.csv", "0, 0\n0.005, 0\n0.008, 1e-3\n1, 1e-3\n");
  const auto ground = [](const std::string &table) {
    return contact("ground", "set Motion y = table(\"" + table + "\", t)");
  };
  EXPECT_TRUE(warns(ground("jump.csv"), "it jumps at t = 0.0052"));
  EXPECT_FALSE(warns(ground("ramp.csv"), "it jumps"));
}

/// A rectangular pulse whose ends are ends of steps: the trapezoidal rule misses half a step of it.
TEST_F(InputWarnings, LoadJumpsBetweenSteps) {
  const std::string words = "of its impulse too small, because they sample it at their ends only";
  write("pulse.csv", "0, 1\n0.01, 1\n0.010000001, 0\n1, 0\n");
  for (const std::string pulse :
       {"if(t < 0.01, 1, 0)", "(t < 0.01)", "x*if(t < 0.01, 1, 0)", "if(t < 0.01, -1, 0)"})
    EXPECT_TRUE(warns(on_top("set Traction y = " + pulse), words)) << pulse;
  for (const std::string pulse :
       {"if(t <= 0.01, 1, 0)", "table(\"pulse.csv\", t)", "-table(\"pulse.csv\", t)"})
    EXPECT_TRUE(warns(on_top("set Traction y = " + pulse), "of its impulse too large")) << pulse;
  EXPECT_TRUE(warns("", words, {"Boundary conditions/Gravity=0, if(t < 0.01, -1, 0)"}));
  // The same pulse, half a step longer: both rules integrate it exactly.
  EXPECT_FALSE(warns(on_top("set Traction y = if(t < 0.0105, 1, 0)"), "its impulse"));
  // Smooth loads, a ramp, and a jump after many steps.
  for (const char *smooth : {"sin(2*pi*t/0.02)", "min(t/0.01, 1)", "exp(-((t-0.01)/3e-3)^2)", "t"})
    for (const char *scheme : {"moreau-jean-fremond", "paoli-schatzman"})
      EXPECT_FALSE(warns(on_top(std::string("set Traction y = ") + smooth), "its impulse",
                         {std::string("Time/Scheme=") + scheme}))
          << smooth << ", " << scheme;
  EXPECT_FALSE(warns(on_top("set Traction y = if(t < 0.5, 1, 0)"), "its impulse", {"Time/End=1"}));
}

/// The same rows as a load of which the steps warn, in a motion.
TEST_F(InputWarnings, MotionBetweenSteps) {
  write("pulse.csv", "0, 0\n0.0052, 0\n0.0055, 1e-4\n0.0058, 0\n1, 0\n");
  write("slow.csv", "0, 0\n0.005, 0\n0.008, 1e-4\n1, 1e-4\n");
  const std::string words = "it changes within the steps, which sample it at their ends only";
  const auto motion = [](const std::string &table) { return "table(\"" + table + "\", t)"; };
  for (const bool is_pulse : {true, false}) {
    const std::string formula = motion(is_pulse ? "pulse.csv" : "slow.csv");
    EXPECT_EQ(warns(contact("ground", "set Motion y = " + formula), words), is_pulse);
    EXPECT_EQ(warns(on_top("set Displacement y = " + formula), words), is_pulse);
  }
  EXPECT_FALSE(warns(contact("ground", "set Motion y = 1e-4*sin(2*pi*t/0.012)"), words));
}

/// Prescribed velocities are sampled at the ends of steps, those of belts also in their middles.
TEST_F(InputWarnings, VelocityBetweenSteps) {
  write("pulse.csv", "0, 0\n0.00511, 0\n0.00512, 1\n0.00513, 0\n1, 0\n");
  write("slow.csv", "0, 0\n0.005, 0\n0.008, 1\n1, 1\n");
  const std::string disc = "set Shape = disc\nset Radius = 0.1\nset Mass = 1\n"
                           "set Position = 5, 5\n";
  const auto warns_of = [&](const std::string &formula, const std::string &words) {
    const std::vector<std::string> cases = {
        on_top("set Velocity y = " + formula),
        contact("ground", "set Belt velocity x = " + formula),
        section("Rigid bodies", section("disc", disc + "set Velocity x = " + formula)),
        section("Rigid bodies", section("disc", disc + "set Angular velocity = " + formula))};
    return std::count_if(cases.begin(), cases.end(),
                         [&](const std::string &text) { return warns(text, words); });
  };
  const std::string within = "it changes within the steps";
  for (const std::string pulse : {"table(\"pulse.csv\", t)", "(t > 0.00511)*(t < 0.00513)"})
    EXPECT_EQ(warns_of(pulse, within), 4) << pulse;
  EXPECT_EQ(warns_of("table(\"pulse.csv\", t)", "of its path; take shorter steps"), 4);
  for (const std::string slow : {"table(\"slow.csv\", t)", "sin(2*pi*t/0.012)", "1"}) {
    EXPECT_EQ(warns_of(slow, within), 0) << slow;
    EXPECT_EQ(warns_of(slow, "its path"), 0) << slow;
  }
  // A jump at the end of a step: trapezoids have an error of a half, Simpson's rule of a sixth.
  EXPECT_EQ(warns_of("if(t < 0.01, 1, 0)", "of its path too small"), 4);
  EXPECT_FALSE(warns(on_top("set Velocity y = if(t < 0.0105, 1, 0)"), "its path"));
  EXPECT_TRUE(warns(on_top("set Velocity y = x*(t > 0.00511)*(t < 0.00513)"), within));
}

/// Contacts have the friction at the beginning of a step.
TEST_F(InputWarnings, FrictionBetweenSteps) {
  const std::string entry = "Contact/ground/Friction coefficient=",
                    words = "it changes within the steps, which sample it at their beginnings only";
  EXPECT_TRUE(warns("", words, {entry + "(t > 0.0052)*(t < 0.0054)"}));
  for (const char *slow :
       {"if(t < 0.01, 0.3, 0.1)", "0.1 + 10*t", "0.3*exp(-slip_speed*sin(1e6*t))"})
    EXPECT_FALSE(warns("", words, {entry + slow})) << slow;
}

/// Tables that begin and end with the run.
TEST_F(InputWarnings, AcceptsTableOfWholeRun) {
  write("whole.csv", "0, 0\n0.02, 1e-5\n");
  for (const char *step : {"0.02", "0.01", "1e-3"})
    for (const std::string entry :
         {"Boundary conditions/top/Traction y", "Boundary conditions/top/Displacement y",
          "Contact/ground/Motion y"}) {
      for (const std::string scheme :
           {"moreau-jean-fremond", "newmark-signorini", "generalized-alpha", "paoli-schatzman"}) {
        const auto outcome = run_with({entry + "=table(\"whole.csv\", t)",
                                       std::string("Time/Step=") + step, "Time/Scheme=" + scheme});
        EXPECT_EQ(outcome.status, 0) << entry << ", " << step << ": " << outcome.error;
      }
    }
}

// ---- the mesh ----

TEST_F(InputWarnings, SeamWithDoubledNodes) {
  // Four squares in a ring around an empty centre: nodes 5 and 10 are at the same position.
  const std::vector<std::string> nodes = {"0 0", "1 0", "2 0", "0 1", "1 1",
                                          "2 1", "0 2", "1 2", "2 2", "1 0"};
  write("block.msh", mesh(nodes, {"1 2 5 4", "10 3 6 5", "4 5 8 7", "5 6 9 8"}));
  EXPECT_TRUE(warns("", "mesh: 2 nodes of the boundary, the first at (1, 0), lie on faces"));
  write("block.msh", mesh(nodes, {"1 2 5 4", "2 3 6 5", "4 5 8 7", "5 6 9 8"}));
  EXPECT_FALSE(warns("", "nodes of the boundary"));
}

TEST_F(InputWarnings, SeamWithHangingNodes) {
  // Two rows of squares beside one square as high as both, connected at node 2 only.
  write("block.msh", mesh({"0 0", "2 0", "2 2", "0 2", "3 0", "3 1", "2 1", "3 2"},
                          {"1 2 3 4", "2 5 6 7", "7 6 8 3"}));
  EXPECT_TRUE(warns("", "mesh: 1 nodes of the boundary, the first at (2, 1), lie on faces"));
}

TEST_F(InputWarnings, LockingElements) {
  const std::string words = "lock near incompressibility";
  const auto ratio = [](const std::string &nu, const std::string &more = "") {
    return section("Material", "set Poisson ratio = " + nu + more);
  };
  EXPECT_TRUE(warns(ratio("0.495"), words));
  EXPECT_TRUE(warns(ratio("0.495", "\nset Law = neo-hooke"), words));
  EXPECT_TRUE(warns(ratio("0.46"), words));
  EXPECT_FALSE(warns(ratio("0.45"), words));
  EXPECT_FALSE(warns(ratio("0.495", "\nset Plane = stress"), words));
  EXPECT_FALSE(warns(ratio("0.495", "\nset Element = incompatible modes"), words));
  EXPECT_FALSE(warns(ratio("0.495", "\nset Element = mean dilatation"), words));
  EXPECT_TRUE(warns(ratio("0.495"), "take Material/Element = incompatible modes"));
  EXPECT_TRUE(
      warns(ratio("0.495", "\nset Law = neo-hooke"), "take Material/Element = mean dilatation"));
  EXPECT_TRUE(warns(ratio("0.495", "\nset Law = St. Venant-Kirchhoff"), "compare with 0.45"));
  write("block.msh", mesh({"0 0", "1 0", "1 1", "0 1"}, {"1 2 3", "1 3 4"}));
  EXPECT_TRUE(warns(ratio("0.495"), "take Material/Element = macro-cells"));
  EXPECT_FALSE(warns(ratio("0.495", "\nset Element = macro-cells"), words));
}

TEST_F(InputWarnings, LockingInPlasticFlow) {
  const std::string words = "plastic flow keeps the volume",
                    law = "set Law = elastoplastic\nset Yield stress = 1e4\n";
  EXPECT_TRUE(warns(section("Material", law), words));
  EXPECT_TRUE(warns(section("Material", law), "take Material/Element = mean dilatation"));
  EXPECT_FALSE(warns(section("Material", law + "set Element = mean dilatation"), words));
}

TEST_F(InputWarnings, OneTriangleThroughHeight) {
  std::vector<std::string> nodes, cells;
  for (int i = 0; i <= 8; ++i)
    for (int j = 0; j < 2; ++j)
      nodes.push_back(std::to_string(i) + " " + std::to_string(j));
  for (int i = 0; i < 8; ++i) {
    const auto n = [&](int k) { return std::to_string(2 * i + k); };
    cells.push_back(n(1) + " " + n(3) + " " + n(4));
    cells.push_back(n(1) + " " + n(4) + " " + n(2));
  }
  std::string text = mesh(nodes, cells);
  text.replace(text.find("1 1 2 1 1 1 2\n"), 14, "1 1 2 1 1 1 3\n");
  write("block.msh", text);
  EXPECT_TRUE(warns("", "is slender and has one triangle through its height"));
}

/// Two squares apart, of which one or both have an edge on the ground.
TEST_F(InputWarnings, AComponentThatNothingHolds) {
  const std::string words = "the body consists of 2 components without common nodes, and one of "
                            "them has no contact and no prescribed motion";
  std::string text =
      mesh({"0 0", "1 0", "1 1", "0 1", "2 0", "3 0", "3 1", "2 1"}, {"1 2 3 4", "5 6 7 8"});
  write("block.msh", text);
  EXPECT_TRUE(warns("", words + " (to join them, put 'Coherence;' into the geometry"));
  const std::string one_edge = "$Elements\n3\n1 1 2 1 1 1 2\n",
                    two_edges = "$Elements\n4\n1 1 2 1 1 1 2\n4 1 2 1 1 5 6\n";
  text.replace(text.find(one_edge), one_edge.size(), two_edges);
  write("block.msh", text);
  EXPECT_FALSE(warns("", words));
}

/// A file of another program has no geometry of Gmsh that could be joined.
TEST_F(InputWarnings, ComponentsOfOtherProgramsAreJoinedThere) {
  write("block.inp", "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,3,0\n7,3,1\n8,2,1\n"
                     "*ELEMENT, TYPE=CPE4, ELSET=block\n1,1,2,3,4\n2,5,6,7,8\n"
                     "*NSET, NSET=bottom\n1,2\n");
  EXPECT_TRUE(warns("", "(to join them, merge nodes at equal positions in the file)",
                    {"Mesh/File=block.inp"}));
  EXPECT_FALSE(warns("", "Coherence", {"Mesh/File=block.inp"}));
}

// ---- units ----

TEST_F(InputWarnings, UnitsOfNoSolid) {
  const auto is_doubted = [&](const std::string &units, const std::string &young) {
    return warns("", "a dilatational wave travels at",
                 {"Output/Units=" + units, "Material/Young modulus=" + young});
  };
  EXPECT_TRUE(is_doubted("SI", "1e12")); // wave speed for density 1
  EXPECT_TRUE(is_doubted("N, mm, s, t", "1e-6"));
  EXPECT_FALSE(is_doubted("SI", "1e6"));
  EXPECT_FALSE(is_doubted("N, mm, s", "1e12")); // 1e3 m/s
  EXPECT_FALSE(is_doubted("dimensionless", "1e30"));
}

TEST_F(InputWarnings, UnitsOfNoSystem) {
  expect_refused(
      section("Output", "set Units = N, mm, s, kg"),
      "'Output/Units' is 'N, mm, s, kg': the unit of force is not mass x length / time^2");
  expect_refused(section("Output", "set Units = N, m, MPa"), "the unit of stress is not");
  for (const char *system : {"N, mm, ms, g", "t, mm, s, N, MPa, mJ", "SI", "kN, m, s, t"})
    EXPECT_FALSE(warns(section("Output", std::string("set Units = ") + system), "consistent"))
        << system;
}

// ---- rigid bodies ----

std::string disc(const std::string &entries) {
  return "subsection Rigid bodies\nsubsection disc\nset Shape = disc\nset Radius = 0.5\n"
         "set Mass = 2\nset Position = 5, 5\n" +
         entries + "\nend\nend\nsubsection Contact\nsubsection fall\nset Bodies = disc\nend\nend\n";
}

TEST_F(InputWarnings, AngleInDegrees) {
  EXPECT_TRUE(warns(disc("set Angle = 45"),
                    "this is 7.16 turns, for angles are in radians; 45 degrees are 0.7853981634"));
  EXPECT_FALSE(warns(disc("set Angle = 2*pi"), "radians"));
}

TEST_F(InputWarnings, ImpossibleMomentOfInertia) {
  EXPECT_FALSE(
      warns(disc("set Moment of inertia = 0.5"), "Moment")); // the moment of inertia of a hoop
  expect_refused(disc("set Moment of inertia = 0.51"),
                 "'Rigid bodies/disc/Moment of inertia' is '0.51': more than 0.5, its mass 2");
}

// ---- contacts ----

TEST_F(InputWarnings, SurfaceNamedTwice) {
  const std::string words = "region 'bottom' meets the same surface in contact 'ground' already";
  const auto second = [](const std::string &entries) {
    return contact("second", "set Region = bottom\nset Friction coefficient = 0.1\n" + entries);
  };
  expect_refused(second("set Surface = signed distance\nset Signed distance = 2*y + 0*x"), words);
  EXPECT_FALSE(warns(second("set Surface = signed distance\nset Signed distance = y + 0.1*x"),
                     "meets the same"));
  EXPECT_FALSE(
      warns(second("set Surface = outside of circle\nset Point = 0, -1"), "meets the same"));
}

TEST_F(InputWarnings, ObstacleBetweenNodes) {
  const auto peg = [](const std::string &radius) {
    return "subsection Rigid bodies\nsubsection peg\nset Shape = disc\nset Radius = " + radius +
           "\nset Mass = 1\nset Position = 0.5, -0.6\nend\nend\n" +
           contact("peg", "set Region = bottom\nset Surface = rigid bodies\nset Against = peg");
  };
  EXPECT_TRUE(warns(peg("0.2"),
                    "contact 'peg': body 'peg' measures 0.4, and edges of region 'bottom' "
                    "up to 0.5: only the nodes of the region touch it"));
  EXPECT_TRUE(warns(peg("0.2"), "Surface = region and Against = bottom"));
  EXPECT_FALSE(warns(peg("0.3"), "fits between"));
  const auto circle = [](const std::string &radius) {
    return contact("pin", "set Region = right\nset Surface = outside of circle\n"
                          "set Point = 2, 0.5\nset Radius = " +
                              radius);
  };
  EXPECT_TRUE(warns(circle("0.2"), "contact 'pin': the surface measures 0.4"));
  EXPECT_FALSE(warns(circle("0.3"), "fits between"));
}

TEST_F(InputWarnings, RegionsFaceSameWay) {
  std::string above = block_mesh;
  for (const std::string y : {"0", "0.5", "1"}) // 2 above, from the last line on
    for (const std::string x : {"0", "0.5", "1"}) {
      const std::string old = " " + x + " " + y + " 0\n";
      above.replace(above.find(old), old.size(),
                    " " + x + " " + std::to_string(2 + std::stod(y)) + " 0\n");
    }
  write("upper.msh", above);
  const auto two = [&](const std::string &region, const std::string &against) {
    std::string text = case_file;
    text.replace(text.find("block.msh"), 9, "block.msh, upper.msh");
    text.replace(text.find("Region = bottom"), 15, "Region = block:bottom");
    return warnings(
        text + contact("between", "set Region = block:" + region +
                                      "\nset Surface = region\nset Against = upper:" + against));
  };
  const auto faces_away = [](const std::vector<std::string> &all) {
    return std::any_of(all.begin(), all.end(), [](const std::string &text) {
      return has(text,
                 "contact 'between': the regions 'block:top' and 'upper:top' face the same way");
    });
  };
  EXPECT_TRUE(faces_away(two("top", "top")));
  EXPECT_FALSE(faces_away(two("top", "bottom")));
}

TEST_F(InputWarnings, NodesOfCoarserSide) {
  std::string wide = block_mesh;
  for (const std::string y : {"0", "0.5", "1"}) // three times as large and above
    for (const std::string x : {"0", "0.5", "1"}) {
      const std::string old = " " + x + " " + y + " 0\n";
      wide.replace(wide.find(old), old.size(),
                   " " + std::to_string(3 * std::stod(x)) + " " +
                       std::to_string(2 + 3 * std::stod(y)) + " 0\n");
    }
  write("wide.msh", wide);
  const auto warns = [&](const std::string &region, const std::string &against,
                         const std::string &more) {
    std::string text = case_file;
    text.replace(text.find("block.msh"), 9, "block.msh, wide.msh");
    text.replace(text.find("Region = bottom"), 15, "Region = block:bottom");
    const auto all =
        warnings(text + contact("between", "set Region = " + region + "\nset Surface = region\n" +
                                               "set Against = " + against + "\n" + more));
    return std::any_of(all.begin(), all.end(), [](const std::string &found) {
      return has(found, "contact 'between': only the nodes of region 'wide:bottom' are kept out of "
                        "region 'block:top', which is finer (mean edge 0.5 against 1.5)");
    });
  };
  const std::string nodes = "set Discretisation = nodes";
  EXPECT_TRUE(warns("wide:bottom", "block:top", nodes));
  EXPECT_FALSE(warns("block:top", "wide:bottom", nodes));
  EXPECT_FALSE(warns("wide:bottom", "block:top", "set Discretisation = mortar"));
}

TEST_F(InputWarnings, GapCountsAsClosed) {
  expect_refused(section("Contact", "set Gap tolerance = 10"),
                 "'Contact/Gap tolerance' is '10': allowed is a number >= 0 and <= 0.1");
}

// ---- numbers ----

TEST_F(InputWarnings, NumbersNearZero) {
  write("case.prm", case_file);
  for (const char *tiny : {"1e-310", "1e-400", "2e-200*1e-110"})
    expect_refusal(check_with({std::string("Material/Density=") + tiny}),
                   {"a number that is not zero must be at least 2.22507e-308 in magnitude"});
  expect_refused(contact("ground", "set Point = 0, -1e-320"), "'Contact/ground/Point'");
  write("case.prm", case_file);
  EXPECT_EQ(check_with({"Contact/ground/Point=0, -0.0"}).status, 0);
}

// ---- slender bodies ----

/// A bar of five quadrilaterals in a column, with its lower end on the ground.
TEST_F(InputWarnings, BeamOneQuadrilateralThick) {
  const auto write_bar = [&](const std::string &width, bool has_two_rows) {
    std::vector<std::string> nodes, cells;
    for (unsigned int k = 0; k <= 5; ++k)
      for (const std::string &x : {std::string("0"), width})
        nodes.push_back(x + " " + std::to_string(2 * k));
    for (unsigned int k = 0; k <= 5 && has_two_rows; ++k)
      nodes.push_back("-1 " + std::to_string(2 * k));
    const auto name = [](unsigned int node) { return std::to_string(node) + " "; };
    for (unsigned int k = 0; k < 5; ++k) {
      cells.push_back(name(2 * k + 1) + name(2 * k + 2) + name(2 * k + 4) +
                      std::to_string(2 * k + 3));
      if (has_two_rows)
        cells.push_back(name(13 + k) + name(2 * k + 1) + name(2 * k + 3) + std::to_string(14 + k));
    }
    write("block.msh", mesh(nodes, cells));
  };
  const std::string words = "mesh: the body is one quadrilateral thick (1, with edges up to 2";
  const std::vector<std::string> aslant = {"Boundary conditions/Gravity=-1, -1"};
  write_bar("1", false);
  EXPECT_TRUE(warns("", words, aslant));
  EXPECT_TRUE(warns("", "take Material/Element = incompatible modes", aslant));
  EXPECT_FALSE(warns("", "is one quadrilateral thick",
                     {aslant.front(), "Material/Element=incompatible modes"}));
  EXPECT_FALSE(warns("", "is one quadrilateral thick")); // a load along the axis
  EXPECT_TRUE(warns("", words, {"Initial state/Velocity x=y"}));
  EXPECT_TRUE(
      warns(section("Boundary conditions", section("bottom", "set Displacement x = t")), words));
  write_bar("1", true);
  EXPECT_FALSE(warns("", "is one quadrilateral thick", aslant));
  write_bar("5", false); // not slender
  EXPECT_FALSE(warns("", "is one quadrilateral thick", aslant));
}

} // namespace
