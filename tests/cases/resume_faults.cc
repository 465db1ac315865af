// Runs that cannot be resumed, and results that were changed or taken away.

#include "cases/resume.h"

namespace {

using namespace resume;

class ResumeFaults : public Resume {
protected:
  /// Stops a run half-way, with two checkpoints.
  void stop_half_way() {
    // The run fails at the step whose contact problem needs more than one sweep; the tests need the
    // checkpoints written before.
    const auto outcome = run_with(until_failure);
    ASSERT_EQ(outcome.status, 1) << outcome.error;
    ASSERT_TRUE(exists("output/case/checkpoint-1.bin") && exists("output/case/checkpoint-2.bin"));
  }

  Outcome resume(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"case.prm", "--resume"};
    for (const auto &assignment : until_failure) {
      arguments.emplace_back("--set");
      arguments.push_back(assignment);
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return start("percussion", arguments);
  }

  const std::vector<std::string> until_failure = {"Solver/Method=nsgs", "Solver/Max iterations=1",
                                                  "Contact/ground/Point=0, -0.0001",
                                                  "Output/Steps between checkpoints=2"};
};

TEST_F(ResumeFaults, ChangedParametersAreNamed) {
  stop_half_way();
  const std::string before = read("output/case/energy.csv");
  const auto outcome = resume({"--set", "Time/Step=2e-3", "--set", "Material/Density=2", "--set",
                               "Output/Seconds between checkpoints=5"});
  EXPECT_EQ(outcome.status, 2);
  for (const char *words :
       {"--set: 'Time/Step' is '2e-3': the earlier run has '1e-3'",
        "--set: 'Material/Density' is '2': the earlier run has '1",
        "percussion output/case/parameters.prm --output output/case --resume. Or run the case "
        "again "
        "without --resume"})
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
  EXPECT_FALSE(has(outcome.error, "Seconds")) << outcome.error;
  EXPECT_EQ(read("output/case/energy.csv"), before);
}

TEST_F(ResumeFaults, AnotherMeshIsRefused) {
  stop_half_way();
  std::string mesh = block_mesh;
  mesh.replace(mesh.find("5 0.5 0.5 0"), 11, "5 0.5 0.6 0");
  write("block.msh", mesh);
  const auto outcome = resume();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.error,
                  "block.msh: this mesh differs from the mesh of the checkpoint in output/case"))
      << outcome.error;
}

TEST_F(ResumeFaults, DamagedCheckpoints) {
  stop_half_way();
  const std::string first = read("output/case/checkpoint-1.bin");
  write("output/case/checkpoint-1.bin", first.substr(0, first.size() / 2));
  const auto other_run = resume();
  EXPECT_EQ(other_run.status, 1); // the run fails at the same step
  EXPECT_TRUE(has(other_run.out, "checkpoint-1.bin: this checkpoint is damaged")) << other_run.out;
  EXPECT_TRUE(has(other_run.out, "Resumed   after step ")) << other_run.out;

  write("output/case/checkpoint-1.bin", "something else");
  write("output/case/checkpoint-2.bin", first.substr(0, first.size() - 1) + "?");
  const auto without = resume();
  EXPECT_EQ(without.status, 1);
  EXPECT_TRUE(has(without.error, "checkpoint-1.bin: this is no checkpoint of Percussion"))
      << without.error;
  EXPECT_TRUE(has(without.error, "checkpoint-2.bin: this checkpoint is damaged")) << without.error;
}

/// A run that cannot be resumed is left unchanged.
TEST_F(ResumeFaults, AFailedResumeTakesNothingAway) {
  stop_half_way();
  const auto names = results_in("output/case");
  const std::string rows = read("output/case/energy.csv"), list = read("output/case/solution.pvd");
  const auto expect_untouched = [&](const std::string &words) {
    const auto outcome = resume();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
    EXPECT_EQ(results_in("output/case"), names);
    EXPECT_EQ(read("output/case/solution.pvd"), list);
  };
  fs::resize_file(folder / "output/case/energy.csv", rows.size() / 2);
  expect_untouched("energy.csv: it has " + std::to_string(rows.size() / 2) + " bytes, and had ");
  write("output/case/energy.csv", rows);
  fs::rename(folder / "output/case/log.txt", folder / "log.txt");
  fs::create_directory(folder / "output/case/log.txt");
  expect_untouched("log.txt: cannot be written (Is a directory)");
}

TEST_F(ResumeFaults, TheParametersAreWrittenAgainWhereTheyAreGone) {
  stop_half_way();
  const std::string parameters = read("output/case/parameters.prm");
  fs::remove(folder / "output/case/parameters.prm");
  EXPECT_EQ(resume().status, 1); // the run fails at the same step
  EXPECT_EQ(read("output/case/parameters.prm"), parameters);
}

TEST_F(ResumeFaults, ResultsThatWereTakenAway) {
  stop_half_way();
  fs::remove(folder / "output/case/solution-000000.vtu");
  const auto outcome = resume();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.error, "solution-000000.vtu: this file of the earlier run is gone"))
      << outcome.error;
  write("output/case/solution-000000.vtu", "");
  write("output/case/energy.csv", "step\n");
  const auto cut = resume();
  EXPECT_EQ(cut.status, 1);
  EXPECT_TRUE(has(cut.error, "energy.csv: it has 5 bytes, and had ")) << cut.error;
}

/// A changed bit in each kind of file is detected.
TEST_F(ResumeFaults, ChangedResultsAreNoticed) {
  stop_half_way();
  const auto flip = [&](const std::string &name, std::mt19937 &random) {
    std::string bytes = read(name);
    bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
    write(name, bytes);
  };
  // Both checkpoints contain the beginning of the table and the first files.
  std::mt19937 random(14);
  for (const std::string name : {"solution-000000.vtu", "contacts-000000.vtu"})
    for (unsigned int i = 0; i < 5; ++i) {
      const std::string file = "output/case/" + name, whole = read(file);
      flip(file, random);
      const auto outcome = resume();
      EXPECT_EQ(outcome.status, 1);
      EXPECT_TRUE(has(outcome.error, name + ": its content differs from the content at the "
                                            "checkpoint: the file was changed since"))
          << outcome.error;
      write(file, whole);
    }
  std::string table = read("output/case/energy.csv");
  const auto digit = table.find_first_of("123456789", table.find("step,time") + 600);
  table[digit] = table[digit] == '1' ? '2' : '1';
  write("output/case/energy.csv", table);
  const auto outcome = resume();
  EXPECT_TRUE(has(outcome.error + outcome.out,
                  "energy.csv: its content differs from the content at the checkpoint"))
      << outcome.error << outcome.out;
}

TEST_F(ResumeFaults, ChangedResultsOfACompleteRunAreNoticed) {
  // The last step is neither a regular instant nor a regular row.
  const std::vector<std::string> arguments = {"case.prm", "--set", "Output/Energy interval=7",
                                              "--set", "Time/Stop when=t > 0.0165"};
  auto resuming = arguments;
  resuming.emplace_back("--resume");
  const auto run = start("percussion", arguments);
  ASSERT_EQ(run.status, 0) << run.error;
  EXPECT_EQ(start("percussion", resuming).status, 0);
  std::vector<std::string> names;
  for (const auto &name : results_in("output/case"))
    if (has(name, ".vtu") || has(name, ".csv"))
      names.push_back(name);
  EXPECT_GT(names.size(), 6u);
  std::mt19937 random(50);
  for (unsigned int i = 0; i < 50; ++i) {
    const std::string &name = names[i % names.size()];
    SCOPED_TRACE(name);
    const std::string file = "output/case/" + name, whole = read(file);
    std::string changed = whole;
    // In the first pass, a byte of the last row changes, which only the end of the run has written.
    const std::size_t byte = i < names.size() ? whole.size() - 2 : random() % whole.size();
    changed[byte] ^= static_cast<char>(1u << random() % 8);
    write(file, changed);
    const auto outcome = start("percussion", resuming);
    EXPECT_EQ(outcome.status, 1) << outcome.out;
    EXPECT_TRUE(
        has(outcome.error, name + ": its content differs from the content at the checkpoint"))
        << outcome.error;
    write(file, whole);
  }
  EXPECT_EQ(start("percussion", resuming).status, 0);
}

/// If the later checkpoint refers to missing results, the earlier one may still be usable.
TEST_F(ResumeFaults, ResultsOfTheLastStepsThatWereTakenAwayAreMadeAgain) {
  auto arguments = until_failure; // one row and one instant for each step
  arguments.emplace_back("Output/Number of instants=20");
  ASSERT_EQ(run_with(arguments).status, 1);
  const auto names = results_in("output/case");
  const std::string rows = read("output/case/energy.csv");
  const auto solution = [](unsigned int i) {
    char name[64];
    std::snprintf(name, sizeof name, "output/case/solution-%06u.vtu", i);
    return std::string(name);
  };
  unsigned int n_instants = 0;
  while (exists(solution(n_instants)))
    ++n_instants;
  ASSERT_GT(n_instants, 5u);
  for (const bool cuts_rows : {false, true}) {
    SCOPED_TRACE(cuts_rows);
    bool was_other_taken = false;
    for (unsigned int n_gone = 1; n_gone < 5 && !was_other_taken; ++n_gone) {
      if (cuts_rows)
        fs::resize_file(folder / "output/case/energy.csv",
                        rows.size() -
                            n_gone * (rows.size() - rows.rfind('\n', rows.size() - 2) - 1));
      else
        for (unsigned int i = n_instants - n_gone; i < n_instants; ++i)
          fs::remove(folder / solution(i));
      const auto outcome = resume({"--set", arguments.back()});
      ASSERT_EQ(outcome.status, 1) << outcome.error; // the run fails at the same step
      was_other_taken = has(outcome.out, "; the other checkpoint is taken");
      EXPECT_EQ(read("output/case/energy.csv"), rows);
      EXPECT_EQ(results_in("output/case"), names);
    }
    EXPECT_TRUE(was_other_taken);
  }
}

TEST_F(ResumeFaults, WithoutACheckpointTheRunBeginsAnewAndACompleteOneIsLeftAlone) {
  const auto begun = start("percussion", {"case.prm", "--resume"});
  EXPECT_EQ(begun.status, 0) << begun.error;
  EXPECT_TRUE(has(begun.out, "No checkpoint in output/case: the run begins from the start."))
      << begun.out;
  EXPECT_TRUE(exists("output/case/checkpoint-1.bin")); // checkpoint of its end
  const std::string before = read("output/case/energy.csv");
  const auto again = start("percussion", {"case.prm", "--resume"});
  EXPECT_EQ(again.status, 0) << again.error;
  EXPECT_TRUE(has(again.out, "is complete: there is nothing to resume")) << again.out;
  EXPECT_EQ(read("output/case/energy.csv"), before);
  EXPECT_FALSE(exists("output/case.1"));
  const auto other = start("percussion", {"case.prm", "--resume", "--set", "Material/Density=3"});
  EXPECT_EQ(other.status, 2) << other.out;
  EXPECT_TRUE(has(other.error, "'Material/Density' is '3'")) << other.error;
}

} // namespace
