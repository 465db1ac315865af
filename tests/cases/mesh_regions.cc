// Regions that conditions select, in a whole case.

#include "cases/checked_case.h"

namespace {

class MeshRegions : public cases::CheckedCase {
protected:
  /// Returns the options that make the contact's region the faces that satisfy a condition.
  static std::vector<std::string> selected(const std::string &condition,
                                           const std::string &kind = "Where") {
    return {"Regions/under/" + kind + "=" + condition, "Contact/ground/Region=under"};
  }
};

/// The region of faces is the physical group that it resembles: the same contact.
TEST_F(MeshRegions, ReplaceNamedGroups) {
  const auto name_run = run_with({});
  ASSERT_EQ(name_run.status, 0) << name_run.error;
  const std::string expected = read("output/case/energy.csv");
  const auto condition_run = run_with(selected("y < 1e-9 && ny < -0.9"));
  ASSERT_EQ(condition_run.status, 0) << condition_run.error;
  const auto rows = [](const std::string &table) { return table.substr(table.find("\nstep,")); };
  EXPECT_EQ(rows(read("output/case/energy.csv")), rows(expected));
}

/// A fixed region is held as by zero displacements, and takes no other condition.
TEST_F(MeshRegions, MayBeFixed) {
  const std::string top = "Boundary conditions/top/";
  std::string table[2];
  for (const bool is_fixed : {false, true}) {
    const auto outcome = run_with(
        is_fixed ? std::vector<std::string>{top + "Fixed=true"}
                 : std::vector<std::string>{top + "Displacement x=0", top + "Displacement y=0"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    table[is_fixed] = read("output/case/energy.csv");
  }
  EXPECT_EQ(table[0], table[1]);
  const auto refused = check_with({top + "Fixed=true", top + "Velocity x=1"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(cases::has(refused.error, "'Boundary conditions/top/Velocity x' is '1': this region "
                                        "has a value of Fixed already"))
      << refused.error;
}

TEST_F(MeshRegions, SurfacesGoByTheWordsOfBothDimensions) {
  for (const char *const word : {"half-plane", "half-space", "plane", "inside of sphere"})
    EXPECT_EQ(check_with({std::string("Contact/ground/Surface=") + word}).status, 0) << word;
}

TEST_F(MeshRegions, WrongConditionsAreReportedAlone) {
  const auto expect = [&](const std::vector<std::string> &options, const std::string &words) {
    const auto outcome = check_with(options);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(cases::has(outcome.error, words)) << outcome.error;
    EXPECT_FALSE(cases::has(outcome.error, "no such region")) << outcome.error;
  };
  expect(selected("y <"), "(the variables are: x, y, nx, ny)");
  expect(selected("y < -7"), "no face of the boundary satisfies this condition");
  expect(selected("log(y - 2)"), "not a finite number for x = ");
  expect(selected("x > 9", "Cells"), "no cell satisfies this condition");
  expect(selected("material == 1", "Cells"), "material");
  expect({"Regions/bottom/Where=y < 1e-9"}, "has a region of this name; choose another name");
  expect({"Regions/under/Where="},
         "a region needs either Where, for faces of the boundary, or Cells");
}

} // namespace
