// Failures during a run: the message, the exit status 1, and readable files.

#include <nlohmann/json.hpp>

#include "cases/support.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <sys/mount.h>

namespace {

using cases::has;
using cases::Outcome;

class FailingRun : public cases::CaseFolder {
protected:
  /// Runs a line of the shell in the folder.
  Outcome shell(const std::string &line) const {
    const int status =
        std::system(("cd '" + folder.string() + "' && PERCUSSION='" +
                     PERCUSSION_BINARY_DIR "/percussion' && " + line + " >.out 2>.error")
                        .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".error")};
  }

  /// Expects that every row has as many fields as the header.
  void expect_whole_rows(const std::string &table) const {
    std::istringstream lines(read(table));
    std::size_t n_fields = 0, n_rows = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line[0] == '#')
        continue;
      const auto n = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
      n_fields = n_rows == 0 ? n : n_fields;
      EXPECT_EQ(n, n_fields) << line;
      ++n_rows;
    }
    EXPECT_GT(n_rows, 1u);
  }

  /// Expects every step at most once.
  void expect_ascending_steps(const std::string &table) const {
    std::istringstream lines(read(table));
    long last = -1;
    for (std::string line; std::getline(lines, line);)
      if (std::isdigit(static_cast<unsigned char>(line[0]))) {
        EXPECT_GT(std::stol(line), last) << line;
        last = std::stol(line);
        EXPECT_FALSE(has(line, "inf") || has(line, "nan")) << line;
      }
    EXPECT_GT(last, 1);
  }

  void expect_no_temporary_files(const std::string &results) const {
    for (const auto &entry : cases::fs::directory_iterator(folder / results))
      EXPECT_FALSE(has(entry.path().filename().string(), ".tmp")) << entry.path();
  }

  void expect_the_same(const std::string &results, const std::string &reference) const {
    unsigned int n = 0;
    for (const auto &entry : cases::fs::directory_iterator(folder / reference)) {
      const std::string name = entry.path().filename().string();
      if (name == "log.txt" || name == "summary.json" || name == "parameters.prm" ||
          entry.path().extension() == ".bin") // files with wall times
        continue;
      EXPECT_TRUE(read(results + "/" + name) == read(reference + "/" + name)) << name;
      ++n;
    }
    EXPECT_GT(n, 10u);
    EXPECT_EQ(summary_of(results), summary_of(reference));
  }

  static std::string arguments_with(const std::string &step) {
    return "case.prm --set 'Time/Step=" + step + "' --set 'Output/Steps between checkpoints=100' ";
  }
  const std::string arguments = arguments_with("1e-5");
};

/// The limit of the size of a file represents a full disk: it needs no permission.
TEST_F(FailingRun, ReportsTableThatCannotGrow) {
  ASSERT_EQ(shell("\"$PERCUSSION\" " + arguments + "--output reference").status, 0);
  const auto full =
      shell("(ulimit -f 400; exec \"$PERCUSSION\" " + arguments + "--output results)");
  EXPECT_EQ(full.status, 1) << full.error;
  EXPECT_TRUE(has(full.error, "results/energy.csv: cannot be written (File too large)"))
      << full.error;
  EXPECT_TRUE(has(full.error,
                  "The results before the failure are in results. As soon as the folder can be "
                  "written, go on with: percussion case.prm --set Time/Step=1e-5 --set "
                  "'Output/Steps between checkpoints=100' --output results --resume"))
      << full.error;
  expect_whole_rows("results/energy.csv");
  expect_ascending_steps("results/energy.csv");
  expect_no_temporary_files("results");
  EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"failed\""));
  const auto more = shell("\"$PERCUSSION\" " + arguments + "--output results --resume");
  EXPECT_EQ(more.status, 0) << more.error;
  EXPECT_TRUE(has(more.out, "Resumed   after step ")) << more.out;
  expect_the_same("results", "reference");
}

/// Fixture with a separate file system, small at first.
class FullDisk : public FailingRun {
protected:
  FullDisk() {
    cases::fs::create_directories(disk);
    is_mounted = mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=300k") == 0;
  }
  ~FullDisk() override {
    if (is_mounted)
      umount2(disk.c_str(), MNT_DETACH);
  }
  const std::string disk = (folder / "disk").string();
  bool is_mounted = false;
};

TEST_F(FullDisk, ThenMoreSpace) {
  if (!is_mounted)
    GTEST_SKIP() << "this test mounts a file system, which only root may";
  ASSERT_EQ(shell("\"$PERCUSSION\" " + arguments + "--output reference").status, 0);
  const auto full = shell("\"$PERCUSSION\" " + arguments + "--output disk/results");
  EXPECT_EQ(full.status, 1) << full.error;
  EXPECT_TRUE(has(full.error, "cannot be written (No space left on device)")) << full.error;
  expect_whole_rows("disk/results/energy.csv");
  expect_ascending_steps("disk/results/energy.csv");
  expect_no_temporary_files("disk/results");
  const auto still = shell("\"$PERCUSSION\" " + arguments + "--output disk/results --resume");
  EXPECT_EQ(still.status, 1) << still.out;
  EXPECT_TRUE(has(still.error, "(No space left on device)")) << still.error;
  ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=20m"), 0);
  const auto more = shell("\"$PERCUSSION\" " + arguments + "--output disk/results --resume");
  EXPECT_EQ(more.status, 0) << more.error;
  EXPECT_TRUE(has(more.out, "Resumed   after step ")) << more.out;
  expect_the_same("disk/results", "reference");
}

TEST_F(FailingRun, ReportsVanishedFolder) {
  const auto outcome = shell("(\"$PERCUSSION\" " + arguments_with("1e-7") +
                             "--output results & "
                             "while [ ! -e results/solution-000001.vtu ]; do sleep 0.01; done; "
                             "mv results elsewhere; wait $!)");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.error, "percussion: results")) << outcome.error;
  // The next file to be written, or one that was just written when its checksum is computed.
  EXPECT_TRUE(has(outcome.error, "cannot be written (No such file or directory)") ||
              has(outcome.error, "cannot be read (No such file or directory)"))
      << outcome.error;
  EXPECT_FALSE(exists("results"));
}

TEST_F(FailingRun, ReportsOutputThatFails) {
  for (const std::string what : {"--print-parameters", "case.prm --validate"}) {
    const auto outcome = shell("(\"$PERCUSSION\" " + what + " >/dev/full)");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(outcome.error, "the standard output cannot be written")) << outcome.error;
  }
}

TEST_F(FailingRun, StopsAtNumbersThatAreNotFinite) {
  const auto outcome = run_with({"Boundary conditions/top/Traction y=-1e200*(abs(t-0.01)<0.002)"});
#ifndef NDEBUG // the program ends at the operation with the invalid number
  EXPECT_EQ(outcome.status, -1) << outcome.out;
  EXPECT_TRUE(has(outcome.error, "Floating point exception")) << outcome.error;
  return;
#endif
  EXPECT_EQ(outcome.status, 1) << outcome.out;
  EXPECT_TRUE(has(outcome.error, "step ") &&
              has(outcome.error, "a displacement or velocity is not finite"))
      << outcome.error;
  expect_whole_rows("output/case/energy.csv");
  expect_ascending_steps("output/case/energy.csv");
  EXPECT_FALSE(has(read("output/case/summary.json"), "null"));
}

/// In a step with substeps, the substeps before the failure are recorded as a step.
TEST_F(FailingRun, StopsAtFormulaWithoutValue) {
  const auto outcome = run_with({"Time/Theta=0.75", "Time/Adaptive=true", "Time/Energy error=1e-3",
                                 "Time/Max cuts=6",
                                 "Boundary conditions/top/Traction x=sqrt(-(abs(t-0.0029)<1e-4))"});
  EXPECT_EQ(outcome.status, 1) << outcome.out;
  EXPECT_TRUE(has(outcome.error, "sqrt(-(abs(t-0.0029)<1e-4))")) << outcome.error;
  const std::string rows = read("output/case/energy.csv");
  expect_whole_rows("output/case/energy.csv");
  expect_ascending_steps("output/case/energy.csv");
  EXPECT_TRUE(has(rows, "\n3,0.0027")) << rows;
  EXPECT_TRUE(has(read("output/case/log.txt"), "step 3: cut to 1/")) << read("output/case/log.txt");
  const auto summary = nlohmann::json::parse(read("output/case/summary.json"));
  EXPECT_EQ(summary["time"]["steps"], 3);
  EXPECT_LT(std::abs(double(summary["end_state"]["balance_drift"])),
            1e-12 * double(summary["extremes"]["total_energy_max"]));
}

/// As in `percussion … | head`, and with Ctrl-C on `percussion … | tee`.
TEST_F(FailingRun, SurvivesClosedPipe) {
  shell("(\"$PERCUSSION\" " + arguments + "--output results; echo $? >status) | head -n 1");
  EXPECT_EQ(read("status"), "0\n");
  EXPECT_TRUE(has(read("results/log.txt"), "Energy    ")) << read("results/log.txt");
  EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"completed\""));

  shell("(mkfifo pipe; sleep 100 <pipe & reader=$!; \"$PERCUSSION\" " + arguments_with("1e-7") +
        "--output stopped >pipe 2>error & run=$!; "
        "while [ ! -e stopped/solution-000001.vtu ]; do sleep 0.01; done; "
        "kill $reader; kill $run; wait $run; echo $? >status)");
  EXPECT_EQ(read("status"), "1\n") << read("error");
  EXPECT_TRUE(exists("stopped/checkpoint-1.bin"));
  EXPECT_TRUE(has(read("stopped/log.txt"), "Stopped by SIGTERM after step "));
}

// ---- the same bytes ----

TEST_F(FailingRun, HasSameBytesWithThreads) {
  const std::vector<std::string> cases = {"--set 'Time/Step=1e-4'",
                                          "--set 'Material/Law=neo-hooke' --set 'Time/Step=1e-4'"};
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const int n : {1, 2, 7}) {
      const std::string number = std::to_string(n), name = "with-" + number;
      cases::fs::remove_all(folder / name);
      std::string threads;
      for (const char *variable :
           {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "DEAL_II_NUM_THREADS"})
        threads += std::string(variable) + "=" + number + " ";
      ASSERT_EQ(shell(threads + "\"$PERCUSSION\" case.prm --set 'Output/Number of instants=10' " +
                      cases[i] + " --output " + name)
                    .status,
                0);
      expect_the_same(name, "with-1");
    }
}

} // namespace
