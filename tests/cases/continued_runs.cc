// Runs continued after their end, or started from the end of another run; tables and constants in
// whole cases; results behind a link; silence.

#include "cases/support.h"
#include <set>

namespace {

using cases::has;
namespace fs = cases::fs;

class ContinuedRun : public cases::CaseFolder {
protected:
  cases::Outcome run_to(const std::string &end, const std::string &instants,
                        const std::string &results, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"case.prm",
                                          "--output",
                                          results,
                                          "--set",
                                          "Time/End=" + end,
                                          "--set",
                                          "Output/Number of instants=" + instants};
    for (const auto &assignment : common) {
      arguments.emplace_back("--set");
      arguments.push_back(assignment);
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return start("percussion", arguments);
  }

  void expect_same_results(const std::string &a, const std::string &b) const {
    std::set<std::string> names, others;
    const auto is_result = [](const std::string &name) {
      return name != "log.txt" && name != "summary.json" && name != "parameters.prm";
    };
    for (const auto &entry : fs::directory_iterator(folder / a))
      if (is_result(entry.path().filename().string()))
        names.insert(entry.path().filename().string());
    for (const auto &entry : fs::directory_iterator(folder / b))
      if (is_result(entry.path().filename().string()))
        others.insert(entry.path().filename().string());
    for (auto *const set : {&names, &others}) // the two files alternate: either may be the last
      set->erase("checkpoint-1.bin"), set->erase("checkpoint-2.bin");
    EXPECT_EQ(names, others);
    EXPECT_GT(names.size(), 10u);
    for (const auto &name : names)
      EXPECT_TRUE(read(a + "/" + name) == read(b + "/" + name)) << name;
    EXPECT_EQ(summary_of(a), summary_of(b));
  }

  /// Returns the energies of the last rows of energy.csv.
  std::vector<std::string> last_energies(const std::string &results, std::size_t n) const {
    std::istringstream text(read(results + "/energy.csv"));
    std::vector<std::string> rows;
    for (std::string line; std::getline(text, line);) {
      std::istringstream fields(line);
      std::string step, time, kinetic, strain;
      std::getline(fields, step, ','), std::getline(fields, time, ',');
      std::getline(fields, kinetic, ','), std::getline(fields, strain, ',');
      rows.push_back(kinetic + " " + strain);
    }
    return {rows.end() - static_cast<std::ptrdiff_t>(n), rows.end()};
  }

  std::vector<std::string> common = {"Contact/ground/Point=0, -0.00001",
                                     "Boundary conditions/Gravity=1, -4",
                                     "Probes/Interval=3",
                                     "Probes/foot/Kind=force",
                                     "Probes/foot/Contact=ground",
                                     "Probes/tip/Kind=acceleration",
                                     "Probes/tip/Point=1, 1",
                                     "Output/Energy interval=7"};
};

/// Rows and instants written only because the run ended there are removed from a continued run.
TEST_F(ContinuedRun, WithLaterEndHasBytesOfOneRun) {
  for (const std::string law : {"linear elastic", "neo-hooke"}) {
    common.push_back("Material/Law=" + law);
    ASSERT_EQ(run_to("0.04", "8", "whole").status, 0);
    ASSERT_EQ(run_to("0.02", "4", "parts").status, 0);
    ASSERT_TRUE(has(read("parts/energy.csv"), "\n20,")); // not a multiple of 7
    const auto outcome = run_to("0.04", "8", "parts", {"--resume"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_TRUE(has(outcome.out, "Resumed   after step 20")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "Changed   Time/End = 0.04 from here on; it was '0.02'"));
    expect_same_results("whole", "parts");
    EXPECT_TRUE(has(read("parts/parameters.prm"), "= 0.04"));
    const auto again = run_to("0.04", "8", "parts", {"--resume"});
    EXPECT_TRUE(has(again.out, "is complete: there is nothing to resume")) << again.out;
    const auto back = run_to("0.03", "8", "parts", {"--resume"});
    EXPECT_TRUE(has(back.out, "is complete")) << back.error;
    fs::remove_all(folder / "whole");
    fs::remove_all(folder / "parts");
    common.pop_back();
  }
}

TEST_F(ContinuedRun, ContinuesBeyondStopCriterion) {
  ASSERT_EQ(run_to("0.04", "8", "whole").status, 0);
  ASSERT_EQ(run_to("0.04", "8", "parts", {"--set", "Time/Stop when=t > 0.0105"}).status, 0);
  EXPECT_TRUE(has(read("parts/energy.csv"), "\n11,"));
  const auto same =
      run_to("0.05", "8", "parts", {"--set", "Time/Stop when=t > 0.0105", "--resume"});
  EXPECT_TRUE(has(same.out, "is complete")) << same.error;
  ASSERT_EQ(run_to("0.04", "8", "parts", {"--resume"}).status, 0);
  expect_same_results("whole", "parts");
}

TEST_F(ContinuedRun, NeedsCheckpointOfEnd) {
  ASSERT_EQ(run_to("0.02", "4", "parts").status, 0);
  for (const char *name : {"checkpoint-1.bin", "checkpoint-2.bin"})
    fs::remove(folder / "parts" / name);
  const auto outcome = run_to("0.04", "8", "parts", {"--resume"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.error, "parts: the checkpoint at the end of this run is gone"));
}

// ---- from the end of another run ----

TEST_F(ContinuedRun, FromEndTakesSameSteps) {
  for (const std::string law : {"linear elastic", "neo-hooke"}) {
    common.push_back("Material/Law=" + law);
    ASSERT_EQ(run_to("0.04", "8", "whole").status, 0);
    ASSERT_EQ(run_to("0.021", "4", "first").status, 0);
    const auto second = run_to("0.04", "4", "second",
                               {"--set", "Time/Start=0.021", "--set", "Initial state/From=first"});
    ASSERT_EQ(second.status, 0) << second.error;
    // Rows of the whole run at steps 28, 35 and 40.
    const auto rows = last_energies("whole", 3), same = last_energies("second", 3);
    EXPECT_EQ(rows, same);
    for (const char *results : {"whole", "first", "second"})
      fs::remove_all(folder / results);
    common.pop_back();
  }
}

TEST_F(ContinuedRun, FromEndUnderOtherLoads) {
  ASSERT_EQ(run_to("0.02", "1", "first").status, 0);
  const auto outcome =
      run_to("0.01", "1", "second",
             {"--set", "Initial state/From=first", "--set", "Contact/ground/Friction coefficient=0",
              "--set", "Boundary conditions/top/Traction y=3*t"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const std::string end = last_energies("first", 1).front();
  const std::string begin = last_energies("second", 3).front();
  const auto energy_of = [](const std::string &row) {
    std::istringstream in(row);
    double kinetic = 0, strain = 0;
    in >> kinetic >> strain;
    return kinetic + strain;
  };
  EXPECT_NEAR(energy_of(begin), energy_of(end), 1e-13 * energy_of(end));
  EXPECT_TRUE(has(read("second/parameters.prm"), (folder / "first").string()));
}

TEST_F(ContinuedRun, RefusesUnsuitableRuns) {
  ASSERT_EQ(run_to("0.02", "1", "first").status, 0);
  const auto expect = [&](const std::vector<std::string> &more, const std::string &words) {
    const auto outcome = run_to("0.02", "1", "second", more);
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
  };
  expect({"--set", "Initial state/From=nowhere"}, "there is no such folder");
  expect({"--set", "Initial state/From=."}, "the folder has no checkpoint-1.bin");
  expect({"--set", "Initial state/From=first", "--set", "Initial state/Velocity x=1"},
         "'Initial state/Velocity x' is '1': this has no effect with Initial state/From");
  std::string mesh = block_mesh;
  mesh.replace(mesh.find("5 0.5 0.5 0"), 11, "5 0.5 0.6 0");
  write("block.msh", mesh);
  expect({"--set", "Initial state/From=first"}, "its mesh is different");
}

// ---- tables, constants, units ----

TEST_F(ContinuedRun, TableEqualsSampledFormula) {
  write("load.csv", "time, load\n0, 0\n0.01, 2\n0.05, 2\n");
  common.push_back("Boundary conditions/top/Traction y=if(t < 0.01, 200*t, 2)");
  ASSERT_EQ(run_to("0.02", "1", "formula").status, 0);
  common.back() = "Boundary conditions/top/Traction y=table(\"load.csv\", t)";
  const auto outcome = run_to("0.02", "1", "table");
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto a = last_energies("formula", 1).front(), b = last_energies("table", 1).front();
  std::istringstream first(a), second(b);
  double x = 0, y = 0;
  first >> x, second >> y;
  EXPECT_NEAR(x, y, 1e-12 * x);
  EXPECT_TRUE(has(read("table/parameters.prm"), "table(\"" + (folder / "load.csv").string()));
  // The parameters in the folder of the results give the same run.
  const auto resumed = start("percussion", {"table/parameters.prm", "--output", "table", "--resume",
                                            "--set", "Time/End=0.03"});
  EXPECT_EQ(resumed.status, 0) << resumed.error;
  write("load.csv", "time, load\n0, 0\n0.01, 3\n0.05, 2\n");
  const auto changed = run_to("0.04", "1", "table", {"--resume"});
  EXPECT_EQ(changed.status, 2);
  EXPECT_TRUE(has(changed.error, "table load.csv differs from the earlier run")) << changed.error;
}

TEST_F(ContinuedRun, RefusesBadTables) {
  const std::string set = "Boundary conditions/top/Traction y=table(\"load.csv\", t)";
  write("load.csv", "0, 1\n1, one\n");
  expect_refusal(run_with({set}), {"load.csv:2: 'one' is not a finite number"});
  write("load.csv", "0, 1\n0.01, 1\n");
  expect_refusal(run_with({set}),
                 {"'Boundary conditions/top/Traction y'",
                  "table \"load.csv\" has no value at 0.02: it goes from 0 to 0.01"});
  fs::remove(folder / "load.csv");
  expect_refusal(run_with({set}), {"cannot read the table 'load.csv': no such file"});
}

TEST_F(ContinuedRun, ConstantsInNumbersAndFormulas) {
  const std::vector<std::string> words = {"Constants/ms=1e-3", "Constants/g=9.81", "Time/Step=2*ms",
                                          "Boundary conditions/Gravity=0, -g",
                                          "Boundary conditions/top/Traction y=g*t"};
  ASSERT_EQ(run_with(words).status, 0);
  const auto energies = last_energies("output/case", 5);
  ASSERT_EQ(run_with({"Time/Step=2e-3", "Boundary conditions/Gravity=0, -9.81",
                      "Boundary conditions/top/Traction y=9.81*t"})
                .status,
            0);
  EXPECT_EQ(last_energies("output/case", 5), energies);
  fs::remove_all(folder / "output");
  expect_refusal(run_with({"Constants/t=1"}), {"'Constants/t' is '1': formulas have a t already"});
  expect_refusal(run_with({"Time/Step=2*ms"}), {"'Time/Step' is '2*ms' (not a formula: 'ms'"});
}

TEST_F(ContinuedRun, RefusesUnknownUnits) {
  ASSERT_EQ(run_with({"Output/Units=SI"}).status, 0);
  EXPECT_TRUE(has(read("output/case/energy.csv"), "# units: kg, m, s\n"));
  ASSERT_EQ(run_with({"Output/Units=tonnes mm sec", "Output/Directory=two"}).status, 0);
  EXPECT_TRUE(has(read("two/energy.csv"), "# units: t, mm, s\n"));
  fs::remove_all(folder / "output");
  expect_refusal(
      run_with({"Output/Units=kg, m, sek"}),
      {"'sek' is not a known unit", "known units are SI, dimensionless, and of mass: kg"});
  expect_refusal(run_with({"Output/Units=kg, m, mm"}), {"two units of length"});
}

// ---- folders and silence ----

TEST_F(ContinuedRun, KeepsResultsBehindLink) {
  fs::create_directory(folder / "disk");
  fs::create_directory(folder / "disk/results");
  fs::create_directory_symlink("disk/results", folder / "results");
  for (int k = 0; k < 2; ++k)
    ASSERT_EQ(start("percussion", {"case.prm", "--output", "results"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "results"));
  EXPECT_TRUE(exists("disk/results/energy.csv"));
  EXPECT_TRUE(exists("disk/results.1/energy.csv"));
  EXPECT_FALSE(exists("results.1"));
  fs::create_directory_symlink("disk/new", folder / "dangling");
  const auto outcome = start("percussion", {"case.prm", "--output", "dangling"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(exists("disk/new/energy.csv"));
}

TEST_F(ContinuedRun, QuietRunPrintsErrorsOnly) {
  const auto outcome = start("percussion", {"case.prm", "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(has(read("output/case/log.txt"), "Results   output/case"));
  const auto doubtful = start("percussion", {"case.prm", "--quiet", "--set", "Time/Step=3e-3"});
  EXPECT_TRUE(has(doubtful.error, "warning: --set: 'Time/Step' is '3e-3'")) << doubtful.error;
}

} // namespace
