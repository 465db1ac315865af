// Output and warnings of --validate, families of cases, and the reference of parameters.

#include "cases/support.h"
#include <regex>

namespace {

using cases::has;

class Validate : public cases::CaseFolder {
protected:
  std::string text_of(std::vector<std::string> assignments) const {
    std::vector<std::string> arguments = {"case.prm", "--validate"};
    for (const auto &assignment : assignments) {
      arguments.emplace_back("--set");
      arguments.push_back(assignment);
    }
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    EXPECT_FALSE(exists("output"));
    return outcome.out;
  }

  void expect(const std::string &text, const std::vector<std::string> &words) const {
    for (const auto &word : words)
      EXPECT_TRUE(has(text, word)) << "missing: " << word << "\nin: " << text;
  }
};

TEST_F(Validate, SaysWhatWasUnderstood) {
  // E = 100, nu = 0, rho = 1, edges of 1/2, steps of 1e-3.
  const std::string text = text_of({});
  expect(text,
         {"Material  linear elastic, plane strain, density 1",
          "wave speeds 10 (dilatational) and 7.071 (shear)\n", "20 steps of 0.001",
          "a step is 0.02 of the transit time of a dilatational wave through the shortest "
          "edge, 0.5, and 0.0141 of a shear wave's",
          "1/2 <= theta <= 1/(1 + e) = 1 for the largest restitution e = 0 (AC24, eq. 87): "
          "theta = 0.5 is within",
          "Output    about ", " kB in output/case", "Run       ", " of memory, estimated from ",
          "Note: mesh: the case does not name the regions 'left', 'right', 'top', 'upper "
          "left'",
          "The case is valid; nothing was written."});
  EXPECT_FALSE(has(text, "Warning")) << text;
}

TEST_F(Validate, KnowsTheWavesOfEachLaw) {
  // Plane stress: c^2 = E/(rho (1 - nu^2)), shear c^2 = E/(2 rho (1 + nu)).
  expect(text_of({"Material/Plane=stress", "Material/Poisson ratio=0.4"}),
         {"linear elastic, plane stress", "wave speeds 10.91 (dilatational) and 5.976 (shear)"});
  // Neo-Hooke: wave speeds of linear elasticity in plane strain at nu = 0.25: lambda = mu = 40.
  expect(text_of({"Material/Law=neo-hooke", "Material/Poisson ratio=0.25"}),
         {"neo-hooke, plane strain",
          "wave speeds 10.95 (dilatational) and 6.325 (shear) in the undeformed body"});
}

TEST_F(Validate, NeedsNoDensityWithoutInertia) {
  const std::string text = text_of({"Time/Inertia=none", "Time/Theta=1",
                                    "Material/Density=", "Boundary conditions/Gravity=0, 0"});
  expect(text, {"Material  linear elastic, plane strain, no density", "quasi-static: no inertia",
                "The case is valid"});
  EXPECT_FALSE(has(text, "wave")) << text;
}

/// The springs of this scheme conserve energy if gaps are linear: nodes against planes.
TEST_F(Validate, SaysWhereSpringsConserve) {
  expect(text_of({"Time/Scheme=hauret"}),
         {"; springs that conserve the energy of bodies and springs\n"});
  expect(text_of({"Time/Scheme=hauret", "Contact/ground/Surface=outside of circle",
                  "Contact/ground/Point=0.5, -3", "Contact/ground/Radius=2.9"}),
         {"; springs whose gaps are not linear: numerical work changes the energy of bodies and "
          "springs\n"});
}

TEST_F(Validate, TellsOfAThetaOutside) {
  expect(text_of({"Time/Theta=0.75", "Contact/ground/Restitution=0.5"}),
         {"1/(1 + e) = 0.666667 for the largest restitution e = 0.5 (AC24, eq. 87): theta = 0.75 "
          "is outside",
          "Warning: --set: 'Time/Theta' is '0.75': above 1/(1 + e)"});
}

TEST_F(Validate, WarnsOfAStepThatFailsAndIsStillValid) {
  expect(text_of({"Solver/Method=nsgs", "Solver/Max iterations=1", "Solver/Tolerance=1e-30"}),
         {"Warning: a step of the estimate failed: step 1", "The case is valid"});
}

TEST_F(Validate, WarnsOfAStepLongerThanTheRun) {
  expect(text_of({"Time/Step=1"}), {"Warning: --set: 'Time/Step' is '1': one step is longer than "
                                    "the whole run, and Time/End - Time/Start is no whole number"});
}

TEST_F(Validate, FamiliesOfCases) {
  write("family/base.prm",
        "subsection Mesh\n  set File = ../block.msh\nend\n" + std::string(case_file).substr(43));
  write("family/parts/soft.prm",
        "subsection Material\n  set Young modulus = 50\n  set Density = 2\n"
        "end\n");
  write("case.prm", "include family/base.prm\ninclude family/parts/soft.prm\nsubsection Material\n"
                    "  set Density = 3\nend\n");
  const auto printed =
      start("percussion", {"case.prm", "--print-parameters", "--set", "Time/Step=2e-3"});
  EXPECT_EQ(printed.status, 0) << printed.error;
  for (const std::string entry :
       {"Young modulus += 50", "Density += 3", "Step += 2e-3", "Number of instants += 4"})
    EXPECT_TRUE(std::regex_search(printed.out, std::regex("set " + entry + "\n"))) << entry;
}

TEST_F(Validate, TheReferenceIsAPage) {
  const auto page = start("percussion", {"--print-parameters", "--markdown"});
  EXPECT_EQ(page.status, 0) << page.error;
  expect(page.out, {"# Parameters\n", "\n## Time\n", "\n### Step\n\nTime step h [T].",
                    "* Default: `1e-3`\n* Allowed: a number > 0\n", "\n## Contact/\\<name>\n"});
  EXPECT_EQ(page.out, cases::read(PERCUSSION_SOURCE_DIR "/doc/parameters.md"));
}

} // namespace
