// Seeds and findings of fuzzing: the program reads or refuses every file, started as by a user.

#include "cases/support.h"
#include <algorithm>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;

const fs::path inputs = fs::path(PERCUSSION_SOURCE_DIR) / "tests/fuzz";

class FuzzedInput : public cases::CaseFolder {
protected:
  FuzzedInput() {
    write("block.msh", cases::read(inputs / "seeds/mesh/valid/q4-22-ascii.msh"));
    write("base.prm", cases::read(inputs / "seeds/parameters/base.prm"));
    write("mesh.prm", "subsection Mesh\n  set File = fuzz.msh\nend\nsubsection Material\n"
                      "  set Density = 1\n  set Young modulus = 1\nend\n");
  }

  /// Validates a case; the program must report that it is valid, or the reason why it is not,
  /// without side effects.
  int validate(const std::string &parameters) const {
    const auto outcome = start("percussion", {parameters, "--validate"});
    EXPECT_EQ(cases::has(outcome.out, "The case is valid"), outcome.status == 0);
    EXPECT_EQ(outcome.error.empty(), outcome.status == 0) << outcome.error;
    EXPECT_TRUE(outcome.status == 0 || cases::has(outcome.error, ".prm") ||
                cases::has(outcome.error, ".msh"))
        << "no file is named: " << outcome.error;
    EXPECT_FALSE(exists("output"));
    EXPECT_FALSE(fs::remove(folder / "called")) << "a script was run";
    return outcome.status;
  }

  using Statuses = std::vector<int>;

  /// Validates the case with each file of a folder in place of @p name.
  void expect(const Statuses &expected, const fs::path &files, const std::string &name,
              const std::string &parameters) const {
    unsigned int n_files = 0;
    for (const auto &file : fs::directory_iterator(inputs / files)) {
      SCOPED_TRACE(file.path());
      fs::copy_file(file, folder / name, fs::copy_options::overwrite_existing);
      EXPECT_EQ(std::count(expected.begin(), expected.end(), validate(parameters)), 1);
      ++n_files;
    }
    EXPECT_GT(n_files, 0u);
  }
};

TEST_F(FuzzedInput, MeshesInTheFormatsOfGmshAreRead) {
  expect({0}, "seeds/mesh/valid", "fuzz.msh", "mesh.prm");
}

TEST_F(FuzzedInput, WhatIsNoMeshIsRefused) {
  expect({2}, "seeds/mesh/refused", "fuzz.msh", "mesh.prm");
}

TEST_F(FuzzedInput, MeshesThatWereFindingsAreRefused) {
  expect({2}, "findings/mesh", "fuzz.msh", "mesh.prm");
}

TEST_F(FuzzedInput, ParametersAreRead) { expect({0}, "seeds/parameters", "fuzz.prm", "fuzz.prm"); }

TEST_F(FuzzedInput, ParametersThatWereFindingsAreRefused) {
  expect({2}, "findings/parameters", "fuzz.prm", "fuzz.prm");
}

TEST_F(FuzzedInput, PipesAreNotRead) {
  ASSERT_EQ(mkfifo((folder / "fuzz.msh").c_str(), 0600), 0); // no process writes to it
  EXPECT_EQ(validate("mesh.prm"), 2);
  write("include.prm", "include fuzz.msh\n");
  EXPECT_EQ(validate("include.prm"), 2);
  EXPECT_EQ(validate("fuzz.msh"), 2);
}

} // namespace
