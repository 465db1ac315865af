// percussion-fc solves the problems with rolling friction of Siconos' tests.

#include "fc/support.h"

namespace {
using namespace fc_tests;

using RollingProblems = Folder;

TEST_F(RollingProblems, AreSolvedTo1e8) {
  const auto all = results_of({PERCUSSION_BINARY_DIR "/rolling_problems", "--tolerance", "1e-8"});
  ASSERT_TRUE(all.is_object());
  ASSERT_EQ(all["runs"].size(), 9u);
  for (const auto &run : all["runs"]) {
    EXPECT_EQ(run["solved"], true) << run;
    EXPECT_LE(run["residual"], 1e-8) << run;
  }
}

} // namespace
