// Runs that are killed, stopped or run out of space continue from their last checkpoint and write
// the same bytes as an uninterrupted run.

#include "cases/rigid_runs.h"
#include "cases/support.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

namespace {

using cases::has;
namespace fs = cases::fs;
using cases::Outcome;

class Resume : public cases::CaseFolder {
protected:
  /// Starts the program without waiting; returns its process number.
  pid_t launch(const std::vector<std::string> &arguments) const {
    std::vector<std::string> words = {PERCUSSION_BINARY_DIR "/percussion"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (auto &word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t pid = fork();
    if (pid != 0)
      return pid;
    for (const int signal : {SIGINT, SIGHUP}) // both are ignored if the tests run in the background
      std::signal(signal, SIG_DFL);
    const int out = open((folder / ".out").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (chdir(folder.c_str()) != 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
      _exit(99);
    execv(argv[0], argv.data());
    _exit(98);
  }

  static int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
  }

  static bool is_running(pid_t pid, int &status) { return waitpid(pid, &status, WNOHANG) == 0; }

  std::string said() const { return read(".out"); }

  /// Returns a text that changes with every checkpoint.
  std::string latest_checkpoint() const {
    std::string text;
    for (const char *name : {"results/checkpoint-1.bin", "results/checkpoint-2.bin"}) {
      std::error_code error;
      const auto time = fs::last_write_time(folder / name, error);
      text += error ? "-" : std::to_string(time.time_since_epoch().count()) + " ";
    }
    return text;
  }

  void wait_for_a_checkpoint(pid_t pid, int &status) const {
    const std::string before = latest_checkpoint();
    while (is_running(pid, status) && latest_checkpoint() == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// Expects every file of the uninterrupted run with the same bytes, and no other file.
  void expect_same_results(const std::string &other) const {
    const auto names = results_in("reference");
    EXPECT_EQ(names, results_in(other));
    EXPECT_GT(names.size(), 10u);
    for (const auto &name : names)
      // HDF5 files contain the time of their creation.
      EXPECT_TRUE(read("reference/" + name) == read(other + "/" + name) || has(name, ".hdf5"))
          << name;
    EXPECT_EQ(summary_of(other), summary_of("reference"));
  }

  std::set<std::string> results_in(const std::string &results) const {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder / results)) {
      const std::string name = entry.path().lexically_relative(folder / results).string();
      if (name != "log.txt" && name != "summary.json" && name != "parameters.prm" &&
          !has(name, "checkpoint-")) // checkpoints alternate, and contain the wall time
        names.insert(name);
    }
    return names;
  }

  /// Kills a run at random moments, resumes it each time, and compares it with an uninterrupted
  /// run.
  void kill_and_resume(const std::vector<std::string> &assignments, unsigned int n_kills,
                       double longest_wait) {
    std::vector<std::string> arguments = {"case.prm"};
    for (const auto &assignment : assignments) {
      arguments.emplace_back("--set");
      arguments.push_back(assignment);
    }
    auto reference = arguments, run = arguments;
    reference.insert(reference.end(), {"--output", "reference"});
    ASSERT_EQ(wait_for(launch(reference)), 0) << said();
    run.insert(run.end(), {"--output", "results", "--set", "Output/Steps between checkpoints=7"});
    std::mt19937 random(1);
    std::uniform_real_distribution<double> wait(0., longest_wait);
    unsigned int killed = 0;
    int status = 0;
    for (bool is_over = false; !is_over; run.emplace_back("--resume")) {
      const pid_t pid = launch(run);
      if (killed < n_kills)
        wait_for_a_checkpoint(pid, status);
      if (killed < n_kills)
        std::this_thread::sleep_for(std::chrono::duration<double>(wait(random)));
      is_over = killed == n_kills || !is_running(pid, status);
      if (is_over && killed == n_kills)
        status = wait_for(pid);
      if (!is_over) {
        kill(pid, SIGKILL);
        wait_for(pid);
        ++killed;
      }
    }
    EXPECT_EQ(status, 0) << said();
    EXPECT_EQ(killed, n_kills);
    expect_same_results("results");
  }
};

/// Returns a block that falls, bounces and slides, for long enough to be killed.
std::vector<std::string> short_slide(const std::string &scheme, const std::string &law,
                                     const std::string &step = "2e-4") {
  return {"Boundary conditions/Gravity=1, -4",
          "Contact/ground/Friction coefficient=0.2",
          "Contact/ground/Point=0, -0.01",
          "Material/Law=" + law,
          "Time/Scheme=" + scheme,
          "Time/Step=" + step,
          "Probes/Interval=3",
          "Probes/foot/Kind=force",
          "Probes/foot/Contact=ground",
          "Probes/done/Kind=work",
          "Probes/done/Contact=ground",
          "Probes/slid/Kind=slip",
          "Probes/slid/Contact=ground",
          "Probes/wrong/Kind=defects",
          "Probes/wrong/Contact=ground",
          "Probes/tip/Kind=acceleration",
          "Probes/tip/Point=1, 1",
          "Output/Number of instants=40"};
}

TEST_F(Resume, KilledRunsOfLinearBodies) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(scheme);
    auto assignments = short_slide(scheme, "linear elastic");
    assignments.emplace_back("Time/End=1");
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfHyperelasticBodies) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(scheme);
    auto assignments = short_slide(scheme, "neo-hooke");
    assignments.emplace_back("Time/End=0.4");
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfMaterialsWithMemory) {
  for (const std::vector<std::string> &law :
       {std::vector<std::string>{"elastoplastic", "Material/Yield stress=0.5",
                                 "Material/Kinematic modulus=5"},
        std::vector<std::string>{
            "elastoplastic", "Material/Yield stress=0.5", "Material/Hardening strains=0.01, 0.1",
            "Material/Hardening stresses=0.6, 0.8", "Material/Heat capacity=20"},
        std::vector<std::string>{"viscoelastic", "Material/Prony moduli=30, 10",
                                 "Material/Prony times=0.1, 0.01"}}) {
    SCOPED_TRACE(law.front());
    auto assignments = short_slide("moreau-jean-fremond", law.front());
    assignments.insert(assignments.end(), law.begin() + 1, law.end());
    assignments.insert(assignments.end(), {"Material/Element=mean dilatation", "Time/End=0.3"});
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfCellsOfSecondOrder) {
  auto assignments = short_slide("moreau-jean-fremond", "neo-hooke");
  assignments.insert(assignments.end(),
                     {"Material/Element=quadratic mean dilatation", "Time/End=0.3"});
  kill_and_resume(assignments, 5, 0.05);
}

TEST_F(Resume, KilledRunsWithFrictionThatDependsOnSpeedPressureAndSlip) {
  auto assignments = short_slide("moreau-jean-fremond", "linear elastic");
  assignments.emplace_back("Time/End=1");
  assignments[1] = "Contact/ground/Friction coefficient=0.1 + 0.1*exp(-slip_speed/0.1) + "
                   "0.2*slip/(slip + 0.01) + 0.1*pressure/(pressure + 1) + 0.05*sin(9*x + t)^2";
  kill_and_resume(assignments, 5, 0.05);
}

TEST_F(Resume, KilledRunsWithAdaptiveStepsAndAMovingGround) {
  auto assignments = short_slide("moreau-jean-fremond", "linear elastic", "2e-3");
  for (const char *more :
       {"Time/Adaptive=true", "Time/Energy error=1e-4", "Time/Theta=0.7", "Time/Grow after=3",
        "Time/End=1", "Contact/ground/Motion y=0.01*sin(20*t)"})
    assignments.emplace_back(more);
  kill_and_resume(assignments, 3, 0.05);
  EXPECT_TRUE(has(read("results/log.txt"), ": cut to 1/2: energy error"));
  EXPECT_TRUE(has(read("results/log.txt"), ": grown to 1/"));
}

constexpr const char *bricks = R"(subsection Rigid bodies
  subsection brick
    set Shape = rectangle
    set Width = 1
    set Height = 0.5
    set Density = 1
    set Copies = 4
    set Offset = 0.1, 0.6
    set Angle = 5
    set Position = 0, 0.5
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection ground
    set Bodies = all
    set Friction coefficient = 0.3
  end
  subsection pile
    set Bodies = all
    set Surface = rigid bodies
    set Friction coefficient = 0.3
  end
end
subsection Time
  set End = 2
  set Step = 1e-3
end
subsection Output
  set Number of instants = 40
end
)";

TEST_F(Resume, KilledRunsOfRigidBodies) {
  write("case.prm", bricks);
  kill_and_resume({"Output/Contact problems=every 100"}, 5, 0.05);
  EXPECT_TRUE(exists("results/rigid_bodies.csv"));
  EXPECT_TRUE(exists("results/problems/step-001900.hdf5"));
}

/// Spheres that roll and spin on each other and on the ground.
TEST_F(Resume, KilledRunsWithRollingFriction) {
  write("case.prm", R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Density = 1000
    set Copies = 5
    set Offset = 0.05, 0.03, 0.21
    set Position = 0, 0, 0.1
    set Initial velocity = 0.5, -0.2, 0
    set Initial angular velocity = 3, 5, 10
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Contact
  subsection ground
    set Bodies = all
    set Friction coefficient = 0.4
    set Rolling friction = 0.004
    set Spinning friction = 0.002
  end
  subsection each other
    set Bodies = all
    set Surface = rigid bodies
    set Friction coefficient = 0.4
    set Rolling friction = 0.004
    set Spinning friction = 0.002
  end
end
subsection Time
  set End = 1
  set Step = 5e-4
end
subsection Output
  set Number of instants = 40
end
)");
  kill_and_resume({"Output/Contact problems=every 500"}, 3, 0.05);
}

TEST_F(Resume, KilledRunsWithEllipticFriction) {
  write("case.prm", rigid_runs::brick_in_a_bowl("", R"(    set Friction coefficient = 0.4
    set Friction ratio = 0.3
    set Friction direction = 1, 2, 0
)") + R"(subsection Time
  set End = 1
  set Step = 2e-4
end
subsection Output
  set Number of instants = 40
end
)");
  kill_and_resume({}, 3, 0.05);
}

/// A cart with a motor, a belt, facets and a turning drum; angles of joints count turns.
TEST_F(Resume, KilledRunsWithJointsAndMovingSurfaces) {
  const std::string source = PERCUSSION_SOURCE_DIR "/tests/processes/";
  for (const std::string name : {"box.geo", "road.csv"})
    write(name, cases::read(source + name));
  write("case.prm", cases::read(source + "machine.prm"));
  kill_and_resume(
      {"Time/End=0.4", "Output/Number of instants=40", "Joints/axle 1/Motor torque=0.5*cos(5*t)"},
      4, 0.05);
}

TEST_F(Resume, StoppedRunsSayHowToGoOn) {
  const std::vector<std::string> reference = {
      "case.prm",
      "--set",
      "Time/Step=1e-6",
      "--set",
      "Output/Energy interval=10",
      "--set",
      "Output/Number of instants=40"}; // the first kill is early in the run
  auto arguments = reference;
  arguments.insert(arguments.end(), {"--output", "reference"});
  ASSERT_EQ(wait_for(launch(arguments)), 0);
  const std::pair<int, std::string> signals[] = {{SIGINT, "Ctrl-C (SIGINT)"},
                                                 {SIGTERM, "SIGTERM"},
                                                 {SIGHUP, "SIGHUP (the terminal is gone)"},
                                                 {SIGXCPU, "SIGXCPU (limit of processor time)"},
                                                 {SIGUSR1, "SIGUSR1"}};
  for (const auto &[signal, name] : signals) {
    fs::remove_all(folder / "results");
    fs::remove(folder / ".out");
    arguments = reference;
    arguments.insert(arguments.end(), {"--output", "results"});
    const pid_t pid = launch(arguments);
    int status = 0;
    while (is_running(pid, status) && !exists("results/solution-000001.vtu"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(pid, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(pid, signal); // like programs that forward the signal
    status = wait_for(pid);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << said();
    EXPECT_TRUE(has(said(), "Stopped by " + name + " after step ")) << said();
    EXPECT_TRUE(has(said(), "percussion case.prm --set Time/Step=1e-6 --set 'Output/Energy "
                            "interval=10' --set 'Output/Number of instants=40' --output results "
                            "--resume"))
        << said();
    EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"stopped\""));
    arguments.emplace_back("--resume");
    ASSERT_EQ(wait_for(launch(arguments)), 0) << said();
    expect_same_results("results");
    EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"completed\""));
  }
}

/// Two runs in one folder would overwrite each other's files.
TEST_F(Resume, AFolderIsForOneRunAtATime) {
  const std::vector<std::string> arguments = {"case.prm",
                                              "--output",
                                              "results",
                                              "--set",
                                              "Time/Step=1e-8",
                                              "--set",
                                              "Output/Number of instants=1000"};
  const pid_t pid = launch(arguments);
  int status = 0;
  while (is_running(pid, status) && !exists("results/solution-000001.vtu"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto second = start("percussion", arguments);
  auto resuming = arguments;
  resuming.emplace_back("--resume");
  for (const auto &outcome : {second, start("percussion", resuming)}) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.error, "results': another run is writing its results there"))
        << outcome.error;
  }
  EXPECT_TRUE(is_running(pid, status));
  kill(pid, SIGKILL);
  wait_for(pid);
  EXPECT_FALSE(exists("results.1"));
}

// ---- runs that cannot be resumed ----

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
