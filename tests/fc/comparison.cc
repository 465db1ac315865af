#include <percussion/fc/comparison.h>

#include "fc/support.h"
#include <limits>

namespace {
using namespace fc_tests;
using namespace percussion::fc;

constexpr double failed = std::numeric_limits<double>::infinity();

Run measured(const std::string &problem, const std::string &solver, bool solved, double time) {
  Run run;
  run.problem = problem;
  run.solver = solver;
  run.solved = solved;
  run.time = time;
  return run;
}

TEST(FcComparison, TableOfTimes) {
  const auto table = time_table(
      {measured("p", "a", true, 1), measured("p", "b", false, 2), measured("q", "a", true, 3)});
  EXPECT_EQ(table.problems, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(table.solvers, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.time, (std::vector<std::vector<double>>{{1, failed}, {3, failed}}));
}

TEST(FcComparison, OthersJoin) {
  auto table = time_table({measured("p", "a", true, 1), measured("q", "a", true, 3)});
  // An equal name; a problem that was not run; two times, of which the shorter counts.
  const auto remarks =
      merge({{"p", "a", 2}, {"r", "a", 4}, {"q", "z", 7}, {"q", "z", 6}}, "theirs", table);
  EXPECT_EQ(table.problems, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(table.solvers, (std::vector<std::string>{"a", "a (theirs)", "z"}));
  EXPECT_EQ(table.time, (std::vector<std::vector<double>>{{1, 2, failed}, {3, failed, 6}}));
  ASSERT_EQ(remarks.size(), 3u);
  EXPECT_EQ(remarks[0], "problems that were not run here are omitted: r");
  EXPECT_EQ(remarks[1], "a (theirs) has no row for 1 problems, which count as not solved: q");
}

using FcFiles = Folder;

TEST_F(FcFiles, TimesInAnyLayout) {
  write("t.csv", "# by hand\nextra,solved, solver ,time,problem\r\n"
                 "1,yes,\"a \"\"b\"\", c\",0.5,folder/p.hdf5\r\n\r\n2,False,d,,q.1\r\n");
  const auto rows = read_times(folder / "t.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].problem, "p");
  EXPECT_EQ(rows[0].solver, "a \"b\", c");
  EXPECT_EQ(rows[0].time, 0.5);
  EXPECT_EQ(rows[1].problem, "q.1");
  EXPECT_EQ(rows[1].time, failed);
}

TEST_F(FcFiles, Comparison) {
  for (const unsigned int seed : {1u, 2u, 3u})
    put("p" + std::to_string(seed) + ".hdf5", random_problem(seed));
  write("lib.csv", "problem,solver,time,solved\np1,nsgs,1e-9,1\np2,nsgs,1e9,1\np3,nsgs,1,0\n");
  const auto outcome = run({".", "--compare", "d", "--solver", "nsgs,newton", "--with", "lib.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  const auto profile = read("d/profile.csv");
  EXPECT_EQ(profile.rfind("tau,nsgs,newton,nsgs (lib)\n1,", 0), 0u) << profile;
  // The second solver solves two of three problems, one of them as the fastest and one as the
  // slowest.
  const auto last = profile.substr(profile.rfind('\n', profile.size() - 2) + 1);
  EXPECT_TRUE(has(last, ",1,1,0.66666666666666663\n")) << last;
  EXPECT_TRUE(has(read("d/results.csv"), "p3,newton,"));
}

TEST_F(FcFiles, FailuresAreResultsOfAComparison) {
  put("p.hdf5", random_problem(4));
  const auto outcome = run({"p.hdf5", "--compare", "d", "--tolerance", "1e-300"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(has(read("d/profile.csv"), "\n1,0,0,0")) << read("d/profile.csv");
  for (const char *solver : {"auto", "nsgs", "newton", "pdas"})
    EXPECT_TRUE(has(outcome.out, std::string("p        ") + "  2")) << solver;
}

} // namespace
