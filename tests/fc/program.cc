// Whole runs of percussion-fc on small problems.

#include <percussion/cone/method.h>
#include <percussion/cone/residual.h>

#include "fc/support.h"

namespace {
using namespace fc_tests;

using FcProgram = Folder;

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::size_t n_methods() { return percussion::cone_methods().size(); }

TEST_F(FcProgram, Table) {
  put("short.hdf5", one_of_each());
  put("a_problem_whose_name_is_longer_than_what_a_table_can_bear.hdf5", random_problem(1));
  const auto outcome = run({".", "--solver", "newton,nsgs"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  const auto lines = lines_of(outcome.out);
  ASSERT_GE(lines.size(), 8u) << outcome.out;
  EXPECT_TRUE(has(lines[0], "problem"));
  EXPECT_TRUE(has(lines[0], "raw residual    time [s]"));
  for (std::size_t k = 1; k < 5; ++k) {
    EXPECT_EQ(lines[k].size(), lines[0].size()) << lines[k];
    EXPECT_EQ(lines[k].find("converged"), lines[0].find("outcome")) << lines[k];
  }
  EXPECT_TRUE(has(lines[1], "a_problem_whose_nam...t_a_table_can_bear  ")) << lines[1];
  EXPECT_TRUE(has(lines[3], "short  ")) << lines[3];
  EXPECT_TRUE(has(lines[6], "newton  solved 2 of 2, total time ")) << outcome.out;
  EXPECT_TRUE(has(lines[7], "nsgs    solved 2 of 2, total time ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "largest difference in u between two solutions"));
}

TEST_F(FcProgram, ExplainsWhatWasTried) {
  put("p.hdf5", random_problem(2));
  const auto lines = lines_of(run({"p.hdf5", "--explain"}).out);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[1].rfind("p ", 0), 0u) << lines[1];
  EXPECT_EQ(lines[2].rfind("  ", 0), 0u) << lines[2];
  EXPECT_TRUE(has(lines[2], " iterations, residual ")) << lines[2];
  EXPECT_FALSE(has(run({"p.hdf5"}).out, " iterations, residual "));
}

TEST_F(FcProgram, Json) {
  put("p.hdf5", one_of_each());
  const auto all = results_of({"p.hdf5"});
  ASSERT_TRUE(all.is_object());
  EXPECT_TRUE(all["version"].is_string());
  EXPECT_EQ(all["tolerance"], 1e-8);
  EXPECT_TRUE(all["time_limit"].is_null()); // no limit: infinity
  EXPECT_EQ(all["start"], "cold");
  EXPECT_EQ(all["interrupted"], false);
  ASSERT_EQ(all["runs"].size(), 1u);
  const auto &run = all["runs"][0];
  EXPECT_EQ(run["problem"], "p");
  EXPECT_EQ(run["file"], "p.hdf5");
  EXPECT_EQ(run["form"], "reduced");
  EXPECT_EQ(run["dimension"], 2);
  EXPECT_EQ(run["contacts"], 3);
  EXPECT_EQ(run["solver"], "auto");
  EXPECT_EQ(run["solved"], true);
  EXPECT_EQ(run["outcome"], "converged");
  EXPECT_EQ(run["open"], 1);
  EXPECT_EQ(run["stick"], 1);
  EXPECT_EQ(run["slip"], 1);
  EXPECT_LE(run["residual"], 1e-8);
  EXPECT_LE(run["raw_residual"], 1e-8);
  EXPECT_GT(run["time"], 0.);
  EXPECT_LT(run["time"], 10.);
  EXPECT_EQ(all["summary"][0]["solved"], 1);
  EXPECT_TRUE(all["agreement"].empty()); // a single solver has no other to agree with
}

TEST_F(FcProgram, WhatIsNotFiniteIsNull) {
  put("p.hdf5", random_problem(2, 20));
  // No solver meets this tolerance: there is no time of a solved problem.
  const auto all = results_of({"p.hdf5", "--solver", "newton", "--tolerance", "1e-300"}, 1);
  ASSERT_TRUE(all.is_object());
  EXPECT_EQ(all["runs"][0]["solved"], false);
  EXPECT_NE(all["runs"][0]["outcome"], "converged");
  EXPECT_TRUE(all["summary"][0]["median_time"].is_null());
}

TEST_F(FcProgram, AllSolversAgree) {
  for (const unsigned int seed : {3u, 4u})
    put("p" + std::to_string(seed) + ".hdf5", random_problem(seed));
  put("global.hdf5", three_masses());
  const auto all = results_of({".", "--solver", "all", "--tolerance", "1e-9"});
  ASSERT_EQ(all["runs"].size(), 3 * n_methods());
  ASSERT_EQ(all["agreement"].size(), 3u);
  for (const auto &agreement : all["agreement"]) {
    EXPECT_LT(agreement["difference"], 1e-6) << agreement;
    EXPECT_NE(agreement["solvers"][0], agreement["solvers"][1]);
  }
  EXPECT_GE(all["agreement"][0]["difference"], all["agreement"][2]["difference"]);
}

TEST_F(FcProgram, GlobalProblemsAreThoseOfTheirReducedOnes) {
  put("p.hdf5", three_masses());
  const auto all = results_of({"p.hdf5", "--solver", "pdas,newton"});
  for (const auto &run : all["runs"]) {
    EXPECT_EQ(run["form"], "global");
    EXPECT_EQ(run["contacts"], 3);
    EXPECT_EQ(run["open"], 1);
    EXPECT_EQ(run["stick"], 1);
    EXPECT_EQ(run["slip"], 1);
    EXPECT_LE(run["residual"], 1e-8);
  }
}

TEST_F(FcProgram, ThreeDimensions) {
  put("p.hdf5", slip_in_space());
  const auto all = results_of({"p.hdf5", "--solver", "all", "--write"});
  ASSERT_EQ(all["runs"].size(), n_methods());
  for (const auto &run : all["runs"]) {
    EXPECT_EQ(run["dimension"], 3);
    if (run["outcome"] != "not applicable") { // some methods are for 2D only
      EXPECT_EQ(run["slip"], 1) << run;
      EXPECT_EQ(run["outcome"], "converged") << run;
    } else {
      EXPECT_EQ(this->run({"p.hdf5", "--solver", run["solver"]}).status, 1) << run;
    }
  }
  const std::vector<double> p = {1., -0.3, -0.4};
  EXPECT_LT(percussion::sample::distance(get_file("p.hdf5").solution->p, p), 1e-7);
}

TEST_F(FcProgram, ResidualsDoNotKnowTheUnits) {
  put("a.hdf5", random_problem(5));
  put("b.hdf5", rescale(random_problem(5), 1024., 1. / 4096));
  const auto all = results_of({".", "--solver", "nsgs", "--tolerance", "1e-4"});
  const auto &a = all["runs"][0], &b = all["runs"][1];
  const double one = a["residual"], other = b["residual"];
  EXPECT_NEAR(one, other, 1e-12);
  EXPECT_EQ(a["iterations"], b["iterations"]);
  EXPECT_NE(a["raw_residual"], b["raw_residual"]);
}

TEST_F(FcProgram, Csv) {
  put("with, comma.hdf5", one_of_each());
  const auto outcome = run({"with, comma.hdf5", "--csv", "out.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const auto lines = lines_of(read("out.csv"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].rfind("problem,solver,time,solved,outcome,residual,raw_residual,", 0), 0u);
  EXPECT_EQ(lines[1].rfind("\"with, comma\",auto,", 0), 0u) << lines[1];
  EXPECT_TRUE(has(lines[1], ",1,converged,")) << lines[1];
}

TEST_F(FcProgram, FoldersAndNames) {
  for (const char *name : {"b/x.hdf5", "a/x.hdf5", "a/deep/y.hdf5", "a/deep/no_problem.txt"})
    put(name, one_of_each());
  const auto all = results_of({"b", "a", "b/x.hdf5"});
  ASSERT_EQ(all["runs"].size(), 3u); // each file once, only files ending with .hdf5
  EXPECT_EQ(all["runs"][0]["problem"], "b/x");
  EXPECT_EQ(all["runs"][1]["problem"], "y");
  EXPECT_EQ(all["runs"][2]["problem"], "a/x");
}

TEST_F(FcProgram, WrittenSolutionIsThatOfTheFilesUnits) {
  const auto problem = rescale(random_problem(6), 100., 0.01);
  put("p.hdf5", problem);
  const auto outcome = run({"p.hdf5", "--solver", "newton,nsgs", "--write"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const auto file = get_file("p.hdf5");
  ASSERT_TRUE(file.solution.has_value());
  ASSERT_EQ(file.solution->p.size(), problem.q.size());
  EXPECT_LT(percussion::natural_map_residual(problem, file.solution->p), 1e-8);
  for (std::size_t row = 0; row < problem.q.size(); ++row) {
    double u = problem.q[row];
    for (std::size_t k = 0; k < problem.q.size(); ++k)
      u += problem.W[row * problem.q.size() + k] * file.solution->p[k];
    EXPECT_NEAR(file.solution->u[row], u, 1e-12);
  }
}

TEST_F(FcProgram, SolutionsOfGlobalProblemsHaveVelocities) {
  put("p.hdf5", three_masses());
  EXPECT_EQ(run({"p.hdf5", "--write"}).status, 0);
  const auto file = get_file("p.hdf5");
  ASSERT_TRUE(file.solution.has_value());
  const std::vector<double> p = {0, 0, 1, -0.1, 1, -0.5}, v = {1, 0.5, 0, 0, 0, 1.5};
  EXPECT_LT(percussion::sample::distance(file.solution->p, p), 1e-7);
  EXPECT_LT(percussion::sample::distance(file.solution->v, v), 1e-7);
}

TEST_F(FcProgram, BetterSolutionsStay) {
  percussion::FclibFile file;
  file.problem = random_problem(7);
  put_file("p.hdf5", file);
  EXPECT_EQ(run({"p.hdf5", "--solver", "newton", "--tolerance", "1e-13", "--write"}).status, 0);
  const auto before = get_file("p.hdf5").solution;
  const auto loose = run({"p.hdf5", "--solver", "nsgs", "--tolerance", "1e-2", "--write"});
  EXPECT_EQ(loose.status, 0);
  EXPECT_TRUE(has(loose.error, "the solution in the file is better and stays")) << loose.error;
  EXPECT_EQ(get_file("p.hdf5").solution->p, before->p);
  const auto none = run({"p.hdf5", "--tolerance", "1e-300", "--write"});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(has(none.error, "no solution is written")) << none.error;
  EXPECT_EQ(get_file("p.hdf5").solution->p, before->p);
}

TEST_F(FcProgram, Sequence) {
  // A load that increases slowly, and contacts that open and close.
  auto problem = random_problem(9, 20);
  for (const int k : {0, 1, 2, 3}) {
    for (double &q : problem.q)
      q *= 1.01;
    put("s" + std::to_string(k) + ".hdf5", problem);
  }
  put("s4.hdf5", one_of_each());
  put("s5.hdf5", one_of_each());
  const auto all = results_of({".", "--sequence", "--solver", "nsgs", "--csv", "out.csv"});
  EXPECT_EQ(all["start"], "sequence");
  ASSERT_EQ(all["runs"].size(), 12u);
  for (std::size_t k = 0; k < 12; k += 2) {
    const auto &cold = all["runs"][k], &warm = all["runs"][k + 1];
    EXPECT_EQ(cold["solver"], "nsgs");
    EXPECT_EQ(cold["start"], "cold");
    EXPECT_EQ(warm["solver"], "nsgs (warm)");
    EXPECT_EQ(warm["problem"], cold["problem"]);
    const bool is_first_of_its_size = k == 0 || k == 8;
    EXPECT_EQ(warm["start"], is_first_of_its_size ? "cold" : "last") << k;
    if (is_first_of_its_size)
      EXPECT_EQ(warm["iterations"], cold["iterations"]);
    else
      EXPECT_LE(warm["iterations"], cold["iterations"]) << k;
  }
  // A start from a load that differs by 1 % saves sweeps: 2 digits of 8.
  EXPECT_LT(all["runs"][7]["iterations"], all["runs"][6]["iterations"]);
  ASSERT_EQ(all["summary"].size(), 2u);
  EXPECT_LT(all["summary"][1]["iterations"], all["summary"][0]["iterations"]);
  const auto outcome = run({".", "--sequence", "--solver", "nsgs"});
  EXPECT_TRUE(has(outcome.out, "nsgs: from the last solution (4 of 6 problems) ")) << outcome.out;
  EXPECT_TRUE(has(lines_of(read("out.csv"))[4], ",last")) << read("out.csv");
}

TEST_F(FcProgram, SequenceWhoseProblemsHaveUnitsOfTheirOwn) {
  const auto problem = random_problem(11, 20);
  put("a.hdf5", problem);
  percussion::FclibFile other;
  other.problem = rescale(problem, 16., 4.);
  other.percussion_unit = 1. / 16.;
  other.velocity_unit = 0.25;
  put_file("b.hdf5", other);
  put("c.hdf5", problem);
  const auto all = results_of({".", "--sequence", "--solver", "nsgs"});
  EXPECT_GT(all["runs"][0]["iterations"], 5);
  EXPECT_LE(all["runs"][3]["iterations"], 1) << "it was solved before";
  EXPECT_LE(all["runs"][5]["iterations"], 1);
}

TEST_F(FcProgram, SequenceOfGlobalProblemsInTheirUnits) {
  auto problem = three_masses();
  put("a.hdf5", problem);
  for (auto *values : {&problem.q, &problem.b, &problem.M.value})
    for (double &value : *values)
      value *= values == &problem.b ? 4. : values == &problem.q ? 32. : 8.;
  put("b.hdf5", problem); // the same motion, four times as fast, with masses eight times as large
  const auto all = results_of({".", "--sequence", "--solver", "nsgs,pdas"});
  for (const auto &run : all["runs"]) {
    EXPECT_EQ(run["form"], "global");
    EXPECT_EQ(run["solved"], true) << run;
  }
  EXPECT_EQ(all["runs"][5]["start"], "last");
}

TEST_F(FcProgram, Convert) {
  put("p.hdf5", random_problem(10));
  put("global.hdf5", three_masses());
  fs::create_directories(folder / "text");
  for (const std::string name : {"p", "global"}) {
    const auto outcome = run({name + ".hdf5", "--convert", "text/" + name + ".dat"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run({"text/p.dat", "--convert", "back.hdf5"}).status, 0);
  EXPECT_EQ(std::get<0>(get_file("back.hdf5").problem).W,
            std::get<0>(get_file("p.hdf5").problem).W);
  const auto direct = results_of({"p.hdf5", "global.hdf5"}), text = results_of({"text"});
  ASSERT_EQ(text["runs"].size(), 2u);
  EXPECT_EQ(text["runs"][0]["residual"], direct["runs"][1]["residual"]);
  EXPECT_EQ(text["runs"][0]["form"], "global");
  EXPECT_EQ(text["runs"][0]["problem"], "global");
  EXPECT_EQ(text["runs"][1]["residual"], direct["runs"][0]["residual"]);
}

TEST_F(FcProgram, WarmStart) {
  put("p.hdf5", random_problem(8));
  EXPECT_EQ(run({"p.hdf5", "--solver", "newton", "--tolerance", "1e-12", "--write"}).status, 0);
  auto file = get_file("p.hdf5");
  file.guesses = {*file.solution};
  put_file("p.hdf5", file);
  const std::vector<std::string> nsgs = {"p.hdf5", "--solver", "nsgs", "--tolerance", "1e-6"};
  const auto cold = results_of(nsgs);
  auto arguments = nsgs;
  arguments.emplace_back("--warm");
  const auto warm = results_of(arguments);
  EXPECT_EQ(warm["start"], "warm");
  EXPECT_LT(warm["runs"][0]["iterations"], cold["runs"][0]["iterations"]);
}

} // namespace
