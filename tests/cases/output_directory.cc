// Existing results are never lost.

#include "cases/support.h"

namespace {

using OutputDirectory = cases::CaseFolder;
using cases::has;

TEST_F(OutputDirectory, ResultsAreMovedAsideOrTheRunIsRefused) {
  ASSERT_EQ(run_with({}).status, 0);
  const std::string first = read("output/case/energy.csv");
  write("output/case/my notes.txt", "seen");
  const auto second = run_with({"Time/End=0.01"});
  ASSERT_EQ(second.status, 0) << second.error;
  EXPECT_TRUE(has(second.out, "Earlier results moved to ")) << second.out;
  EXPECT_EQ(read("output/case.1/energy.csv"), first);
  EXPECT_EQ(read("output/case.1/my notes.txt"), "seen");
  EXPECT_NE(read("output/case/energy.csv"), first);
  ASSERT_EQ(run_with({}).status, 0);
  EXPECT_TRUE(exists("output/case.2"));
  EXPECT_EQ(read("output/case.1/energy.csv"), first);

  const auto refused = run_with({"Output/Existing directory=refuse"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(has(refused.error, "output/case: the folder holds results already")) << refused.error;
  EXPECT_FALSE(exists("output/case.3"));
}

/// An empty name, as from an unset variable of the shell.
TEST_F(OutputDirectory, AFolderWithoutANameIsRefused) {
  expect_refusal(start("percussion", {"case.prm", "--output", ""}),
                 {"--output needs the name of a folder"});
}

TEST_F(OutputDirectory, ForeignFilesAreLeftAlone) {
  write("mine/parameters.prm", "set A = 1"); // a file of another program
  expect_refusal(
      start("percussion", {"case.prm", "--output", "mine"}),
      {"--output: 'Output/Directory' is 'mine': the folder holds other files than results",
       "'parameters.prm'"});
  EXPECT_EQ(read("mine/parameters.prm"), "set A = 1");
  expect_refusal(start("percussion", {"case.prm", "--output", ".", "--validate"}),
                 {"other files than results"});
}

TEST_F(OutputDirectory, UnwritablePlacesAreNamed) {
  expect_refusal(start("percussion", {"case.prm", "--output", "case.prm"}),
                 {"'Output/Directory' is 'case.prm': this is a file, not a folder"});
  expect_refusal(start("percussion", {"case.prm", "--output", "case.prm/a/b"}),
                 {"no folder can be made in", "which is a file"});
  // The name of the inner folder is too long: the outer folder is removed.
  const auto outcome =
      start("percussion", {"case.prm", "--output", "new/" + std::string(300, 'x')});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.error, "cannot be made")) << outcome.error;
  EXPECT_FALSE(exists("new"));
}

TEST_F(OutputDirectory, AnEmptyFolderIsTaken) {
  cases::fs::create_directories(folder / "empty");
  const auto outcome = start("percussion", {"case.prm", "--output", "empty/"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(exists("empty/energy.csv"));
  EXPECT_FALSE(exists("empty.1"));
}

} // namespace
