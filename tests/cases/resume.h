// Runs that are killed and resumed.

#pragma once

#include "cases/rigid_runs.h"
#include "cases/support.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

namespace resume {

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

} // namespace resume
