#pragma once

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace cases {
namespace fs = std::filesystem;

inline std::string read(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Exit status and output of a program.
struct Outcome {
  int status = -1; ///< -1: ended by a signal
  std::string out, error;
};

inline bool has(const std::string &text, const std::string &words) {
  return text.find(words) != std::string::npos;
}

/// Fixture with a temporary folder with a small mesh and a case that runs; programs are started in
/// it.
class CaseFolder : public testing::Test {
protected:
  CaseFolder() {
    write("block.msh", block_mesh);
    write("case.prm", case_file);
  }

  void write(const std::string &name, const std::string &text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }

  std::string read(const std::string &name) const { return cases::read(folder / name); }

  /// Returns the content of summary.json, except for the times of the run.
  std::string summary_of(const std::string &results) const {
    const std::string text = read(results + "/summary.json");
    return text.substr(0, text.find("\"wall_seconds\""));
  }

  bool exists(const std::string &name) const { return fs::exists(folder / name); }

  Outcome start(const std::string &program, const std::vector<std::string> &arguments) const {
    std::string command =
        "cd '" + folder.string() + "' && '" PERCUSSION_BINARY_DIR "/" + program + "'";
    for (const auto &argument : arguments)
      command += " '" + argument + "'";
    const int status = std::system((command + " >.out 2>.error").c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".error")};
    if (outcome.status > 128) // the shell reports signals in this way
      outcome.status = -1;
    fs::remove(folder / ".out");
    fs::remove(folder / ".error");
    return outcome;
  }

  /// Runs percussion case.prm with other values of parameters.
  Outcome run_with(const std::vector<std::string> &assignments) const {
    std::vector<std::string> arguments = {"case.prm"};
    for (const auto &assignment : assignments) {
      arguments.emplace_back("--set");
      arguments.push_back(assignment);
    }
    return start("percussion", arguments);
  }

  /// Checks case.prm with other values of parameters by the program, which prints warnings.
  Outcome validate_with(const std::vector<std::string> &assignments) const {
    std::vector<std::string> arguments = {"case.prm", "--validate"};
    for (const auto &assignment : assignments)
      arguments.insert(arguments.end(), {"--set", assignment});
    return start("percussion", arguments);
  }

  /// Expects the refusal of wrong input: status 2, the words on stderr, an empty stdout, no written
  /// files.
  void expect_refusal(const Outcome &outcome, const std::vector<std::string> &words) const {
    EXPECT_EQ(outcome.status, 2) << outcome.error;
    for (const auto &word : words)
      EXPECT_TRUE(has(outcome.error, word)) << "missing: " << word << "\nin: " << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(exists("output"));
  }

  const percussion::test::ScratchFolder scratch;
  const fs::path folder = scratch.path;

  /// Mesh of four quadrilaterals on the unit square. Lines 4 to 10 are the physical names.
  static constexpr const char *block_mesh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
6
1 1 "bottom"
1 2 "right"
1 3 "top"
1 4 "left"
1 6 "upper left"
2 5 "block"
$EndPhysicalNames
$Nodes
9
1 0 0 0
2 0.5 0 0
3 1 0 0
4 0 0.5 0
5 0.5 0.5 0
6 1 0.5 0
7 0 1 0
8 0.5 1 0
9 1 1 0
$EndNodes
$Elements
13
1 1 2 1 1 1 2
2 1 2 1 1 2 3
3 1 2 2 2 3 6
4 1 2 2 2 6 9
5 1 2 3 3 9 8
6 1 2 3 3 8 7
7 1 2 4 4 7 4
8 1 2 4 4 4 1
9 1 2 6 6 7 4
10 3 2 5 1 1 2 5 4
11 3 2 5 1 2 3 6 5
12 3 2 5 1 4 5 8 7
13 3 2 5 1 5 6 9 8
$EndElements
)";

  static constexpr const char *case_file = R"(subsection Mesh
  set File = block.msh
end
subsection Material
  set Young modulus = 100
end
subsection Boundary conditions
  set Gravity = 0, -1
end
subsection Contact
  subsection ground
    set Region = bottom
    set Friction coefficient = 0.3
  end
end
subsection Time
  set End = 0.02
  set Step = 1e-3
end
subsection Output
  set Number of instants = 4
end
subsection Material
  set Density = 1
end
)";
};

} // namespace cases
