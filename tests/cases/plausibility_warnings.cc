#include <percussion/case/case.h>

#include "cases/support.h"
#include <algorithm>

namespace {
using namespace cases;

/// Fixture for runs that succeed but are probably not intended: a warning, and no error.
class PlausibilityWarnings : public CaseFolder {
protected:
  /// Returns the case with additional entries, read and checked.
  percussion::Case<2> built(const std::string &more, const std::string &text = case_file) const {
    write("case.prm", text + more);
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    file.override_with("Output/Directory=" + (folder / "output").string());
    return percussion::build_case<2>(percussion::Parameters(percussion::declare_case(&file), file),
                                     file);
  }
  /// True if one of the texts has these words.
  static bool any_has(const std::vector<std::string> &texts, const std::string &words) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string &text) { return has(text, words); });
  }
  /// True if one warning has these words.
  bool warns(const std::string &more, const std::string &words) const {
    return any_has(built(more).warnings, words);
  }
  /// True if one note has these words, and no warning has.
  bool notes(const std::string &more, const std::string &words) const {
    const auto c = built(more);
    return any_has(c.notes, words) && !any_has(c.warnings, words);
  }
  static std::string section(const std::string &name, const std::string &entries) {
    return "subsection " + name + "\n" + entries + "\nend\n";
  }
  static std::string top_moves(const std::string &formula) {
    return section("Boundary conditions", section("top", "set Displacement y = " + formula));
  }
  Outcome run(const std::string &more) const {
    write("case.prm", std::string(case_file) + more);
    return start("percussion", {"case.prm"});
  }
};

TEST_F(PlausibilityWarnings, MotionJumps) {
  EXPECT_TRUE(warns(top_moves("0.1*(t > 0.01)"),
                    "'Boundary conditions/top/Displacement y' is '0.1*(t > 0.01)': it jumps at "
                    "t = 0.01:"));
  EXPECT_TRUE(warns(section("Contact", section("ground", "set Motion x = t > 0.005 ? 1e-6 : 0")),
                    "it jumps at t = 0.005"));
  for (const char *smooth :
       {"0.1*(t > 0.01)*(t - 0.01)", "1e-3*sin(100*t)", "exp(1000*t)*1e-9", "5"})
    EXPECT_FALSE(warns(top_moves(smooth), "it jumps")) << smooth;
}

TEST_F(PlausibilityWarnings, SpringsRepelLightBody) {
  const std::string hauret = section("Time", "set Scheme = hauret"), words = "can throw so light";
  EXPECT_FALSE(warns(hauret, words));
  std::string stiff = case_file;
  stiff.replace(stiff.find("modulus = 100"), 13, "modulus = 1e14");
  EXPECT_TRUE(any_has(built(hauret, stiff).warnings, words));
  EXPECT_FALSE(any_has(built(section("Time", "set Scheme = penalty"), stiff).warnings, words));
}

TEST_F(PlausibilityWarnings, MotionBetweenSteps) {
  // The step is 1e-3.
  EXPECT_TRUE(warns(top_moves("1e-3*sin(2*pi*t/9e-3)"), "its period is 9 steps"));
  EXPECT_TRUE(warns(top_moves("1e-3*sin(2*pi*t/1e-3)"), "its period is 1 steps"));
  EXPECT_TRUE(
      warns(section("Contact", section("ground", "set Motion y = -1e-3*(1 - cos(2*pi*t/4e-3))")),
            "its period is 4 steps"));
  EXPECT_FALSE(warns(top_moves("1e-3*sin(2*pi*t/11e-3)"), "it swings"));
  EXPECT_FALSE(warns(top_moves("1e-3*abs(t - 0.01)"), "it swings"));
}

TEST_F(PlausibilityWarnings, InconsistentUnits) {
  std::string heavy = case_file;
  heavy.replace(heavy.find("Density = 1"), 11, "Density = 1e9");
  EXPECT_TRUE(any_has(built("", heavy).warnings, "do the units of lengths"));
  EXPECT_FALSE(warns("", "do the units of lengths"));
}

TEST_F(PlausibilityWarnings, DifferentThicknesses) {
  const std::string thin = section("Material", "set Thickness = 0.01");
  const auto plate = [&](const std::string &entry) {
    return section(
               "Rigid bodies",
               section("plate", "set Width = 1\nset Height = 1\nset Position = 5, 5\n" + entry)) +
           section("Contact", section("fall", "set Bodies = plate"));
  };
  EXPECT_TRUE(warns(thin + plate("set Density = 1"), "the body is taken to be 1 thick"));
  EXPECT_FALSE(warns(thin + plate("set Density = 1\nset Thickness = 0.02"), "thick"));
  EXPECT_FALSE(warns(thin + plate("set Mass = 1"), "thick"));
  EXPECT_FALSE(warns(plate("set Density = 1"), "thick"));
}

TEST_F(PlausibilityWarnings, BodiesWithoutCommonContact) {
  const std::string plates =
      section("Rigid bodies", section("plate", "set Width = 1\nset Height = 1\n"
                                               "set Position = 5, 5\nset Mass = 1\n"
                                               "set Copies = 2\nset Offset = 2, 0"));
  const std::string falls = section("Contact", section("fall", "set Bodies = all"));
  EXPECT_TRUE(notes(plates + falls, "no contact lets the elastic body touch rigid bodies"));
  EXPECT_TRUE(notes(plates + falls, "no contact lets rigid bodies touch each other"));
  const std::string among =
      section("Contact", section("among", "set Bodies = all\nset Surface = rigid bodies"));
  EXPECT_FALSE(notes(plates + falls + among, "rigid bodies touch each other"));
  const std::string on_top =
      section("Contact", section("on top", "set Region = top\nset Surface = rigid bodies"));
  EXPECT_FALSE(notes(plates + falls + on_top, "lets the elastic body touch"));
}

TEST_F(PlausibilityWarnings, BodyWithoutContactOrLoad) {
  write("other.msh", block_mesh);
  std::string two_blocks = case_file;
  for (const auto &[old, now] : {std::pair("block.msh", "block.msh, other.msh"),
                                 std::pair("Region = bottom", "Region = block:bottom")})
    two_blocks.replace(two_blocks.find(old), std::string(old).size(), now);
  const auto names_no_side = [&](const std::string &body, const std::string &more) {
    return any_has(built(more, two_blocks).warnings,
                   "no contact or load names any side of body '" + body + "'");
  };
  EXPECT_TRUE(names_no_side("other", ""));
  EXPECT_FALSE(names_no_side("block", ""));
  EXPECT_FALSE(names_no_side(
      "other", section("Boundary conditions", section("other:left", "set Traction x = 1"))));
  EXPECT_FALSE(
      names_no_side("other", section("Contact", section("floor", "set Region = other:bottom"))));
  const auto plate = [&](const std::string &entry) {
    return section("Rigid bodies", section("plate", "set Width = 1\nset Height = 1\nset Mass = 1\n"
                                                    "set Position = 5, 5\n" +
                                                        entry));
  };
  EXPECT_TRUE(warns(plate(""), "no contact or load names any side of body 'plate'"));
  EXPECT_FALSE(warns(plate("set Force x = 1"), "names any side"));
  EXPECT_FALSE(warns(plate("set Velocity x = 1"), "names any side"));
  EXPECT_FALSE(warns("", "names any side"));
}

TEST_F(PlausibilityWarnings, SurfaceFacesAway) {
  EXPECT_TRUE(warns(section("Contact", section("ground", "set Normal = 0, -1")),
                    "contact 'ground': its surface and region 'bottom' face the same way"));
  EXPECT_FALSE(warns("", "face the same way"));
  EXPECT_FALSE(
      warns(section("Contact", section("ground", "set Normal = -1, 0")), "face the same way"));
}

/// A block that spins about its centre by 0.2 rad, high above the ground.
const char *const spinning = R"(subsection Contact
  subsection ground
    set Point = 0, -10
  end
end
subsection Initial state
  set Velocity x = -10*(y - 0.5)
  set Velocity y = 10*(x - 0.5)
end
)";

TEST_F(PlausibilityWarnings, LinearBodyTurns) {
  const Outcome turned = run(spinning);
  EXPECT_EQ(turned.status, 0) << turned.error;
  EXPECT_TRUE(has(turned.out, "Warning: linear law: at t = 0.01 the cell that began at ("));
  EXPECT_TRUE(has(turned.out, "Warning   linear law: at t = 0.01"));
  EXPECT_TRUE(has(summary_of("output/case"), "linear law: at t = 0.01"));
  const Outcome hyperelastic = run(
      std::string(spinning) + section("Material", "set Law = neo-hooke\nset Poisson ratio = 0.2"));
  EXPECT_EQ(hyperelastic.status, 0) << hyperelastic.error;
  EXPECT_FALSE(has(hyperelastic.out, "linear law:"));
}

/// St. Venant and Kirchhoff's law is valid for the rotation, but not for the tearing of the block.
TEST_F(PlausibilityWarnings, LinearBodyStretches) {
  const std::string law = section("Material", "set Law = St. Venant-Kirchhoff");
  const Outcome turned = run(std::string(spinning) + law);
  EXPECT_EQ(turned.status, 0) << turned.error;
  EXPECT_FALSE(has(turned.out, "linear law:") || has(turned.out, "large strain:"));
  const Outcome torn = run(law + section("Initial state", "set Velocity y = 30*y") +
                           section("Contact", section("ground", "set Point = 0, -10")));
  EXPECT_TRUE(has(torn.out, "Warning: large strain: at t = ")) << torn.out << torn.error;
  EXPECT_TRUE(has(torn.out, "% the law of St. Venant and Kirchhoff softens under compression"));
}

TEST_F(PlausibilityWarnings, BodySinksIn) {
  const std::string above = section("Contact", section("ground", "set Point = 0, -0.01"));
  const Outcome fast = run(above + section("Initial state", "set Velocity y = -300"));
  EXPECT_TRUE(has(fast.out, "Warning: penetration: at t = 0.001 a point of contact 'ground' is"))
      << fast.out << fast.error;
  const Outcome slow = run(above + section("Initial state", "set Velocity y = -1"));
  EXPECT_FALSE(has(slow.out, "penetration:"));
}

} // namespace
