// Wrong input of users: the message, the exit status, and no files.

#include "fc/support.h"

namespace {
using namespace fc_tests;

class FcBadInput : public Folder {
protected:
  FcBadInput() { put("p.hdf5", one_of_each()); }

  void refuse(const std::vector<std::string> &arguments, const std::vector<std::string> &words) {
    expect_refusal(run(arguments), words);
  }
};

TEST_F(FcBadInput, TheProblemOfTheseTestsIsSolved) {
  const auto outcome = run({"p.hdf5"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
}

TEST_F(FcBadInput, CommandLine) {
  refuse({}, {"a file or a folder with problems is needed", "--help"});
  refuse({"p.hdf5", "--sovler", "nsgs"}, {"unknown option '--sovler'; did you mean '--solver'?"});
  refuse({"p.hdf5", "--warm", "--cold"}, {"--warm", "--cold"});
  refuse({"p.hdf5", "--with", "other.csv"}, {"--with", "--compare"});
  refuse({"p.hdf5", "--warm", "--sequence"}, {"--warm", "--sequence"});
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_TRUE(has(run({"--help"}).out, "block Gauss-Seidel"));
  EXPECT_EQ(run({"--version"}).status, 0);
}

TEST_F(FcBadInput, Solvers) {
  refuse({"p.hdf5", "--solver", "nsgs,newtn"},
         {"'--solver' is 'nsgs,newtn': there is no solver 'newtn'; did you mean 'newton'?",
          "nsgs         block Gauss-Seidel", "all          each of these"});
  refuse({"p.hdf5", "--solver", "nsgs,"}, {"there is no solver ''"});
}

TEST_F(FcBadInput, Numbers) {
  refuse({"p.hdf5", "--tolerance", "0"}, {"--tolerance: '0': allowed is a number > 0"});
  refuse({"p.hdf5", "--tolerance", "nan"}, {"--tolerance: 'nan'"});
  refuse({"p.hdf5", "--tolerance", "1e-8x"}, {"--tolerance: '1e-8x'"});
  refuse({"p.hdf5", "--max-iterations", "0"}, {"'0': allowed is a whole number > 0"});
  refuse({"p.hdf5", "--max-iterations", "1.5"}, {"'1.5': allowed is a whole number > 0"});
  refuse({"p.hdf5", "--time-limit=-1"}, {"--time-limit: '-1': allowed is a number > 0"});
}

TEST_F(FcBadInput, Places) {
  fs::create_directories(folder / "empty");
  put("contact.hdf5", one_of_each());
  refuse({"contct.hdf5", "empty", "p.hdf5"},
         {"2 problems in the input",
          "contct.hdf5: no such file or folder; did you mean 'contact.hdf5'?",
          "empty: no file in this folder ends with .hdf5 or .dat"});
}

TEST_F(FcBadInput, BrokenFilesAreLeftOut) {
  write("broken.hdf5", "no HDF5");
  const auto outcome = run({"broken.hdf5", "p.hdf5", "--json", "out.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.error, "broken.hdf5")) << outcome.error;
  EXPECT_TRUE(has(outcome.out, "solved 1 of 1")) << outcome.out;
  const auto all = nlohmann::json::parse(read("out.json"), nullptr, false);
  ASSERT_TRUE(all.is_object());
  EXPECT_EQ(all["broken"].size(), 1u);
  EXPECT_EQ(all["broken"][0]["file"], "broken.hdf5");
  EXPECT_EQ(all["runs"].size(), 1u);
}

TEST_F(FcBadInput, DataThatAreNoProblem) {
  auto problem = one_of_each();
  problem.mu[1] = -0.5;
  put("mu.hdf5", problem);
  problem = one_of_each();
  problem.W[3] = NAN;
  put("W.hdf5", problem);
  auto global = three_masses();
  global.q[2] = INFINITY;
  put("q.hdf5", global);
  for (std::vector<std::string> how :
       {std::vector<std::string>{}, {"--solver", "all"}, {"--compare", "d"}, {"--sequence"}}) {
    how.insert(how.begin(), {"mu.hdf5", "W.hdf5", "q.hdf5", "p.hdf5"});
    const auto outcome = run(how);
    EXPECT_EQ(outcome.status, 2) << how.back();
    EXPECT_TRUE(has(outcome.error,
                    "mu.hdf5: frictional contact problem: the friction coefficient of "
                    "contact 1 is negative: -0.5"))
        << outcome.error;
    EXPECT_TRUE(has(outcome.error, "W.hdf5: frictional contact problem: entry 3 of W is nan"))
        << outcome.error;
    EXPECT_TRUE(has(outcome.error, "q.hdf5: frictional contact problem: entry 2 of q is inf"))
        << outcome.error;
    EXPECT_FALSE(has(outcome.out, "mu  ")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "solved 1 of 1")) << outcome.out;
  }
}

TEST_F(FcBadInput, TextFiles) {
  write("p.dat", "2\n1\n0\n2\n2\n2 2\n1 0\n0 x\n");
  const auto outcome = run({"p.dat"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.error, "p.dat:8: found 'x'; needed: an entry of the first matrix"))
      << outcome.error;
  refuse({"p.dat", "--convert", "out.hdf5"}, {"p.dat:8: found 'x'"});
  refuse({"p.dat", "p.hdf5", "--convert", "out.hdf5"},
         {"'--convert' is 'out.hdf5', but there are 2 problems; allowed is one"});
  EXPECT_FALSE(exists("out.hdf5"));
  refuse({"p.dat", "--write"}, {"p.dat cannot store a solution", "--convert FILE.hdf5"});
  refuse({"p.hdf5", "--json", "p.dat"}, {"'--json' is 'p.dat': this file is a problem"});
  EXPECT_EQ(run({"p.hdf5", "--convert", "no_folder/out.dat"}).status, 1);
}

TEST_F(FcBadInput, FilesThatCannotBeWritten) {
  for (const char *option : {"--json", "--csv"}) {
    const auto outcome = run({"p.hdf5", option, "no_folder/out"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(outcome.error, "no_folder/out: cannot be written")) << outcome.error;
    EXPECT_EQ(outcome.out, ""); // detected before a problem is solved
  }
  const auto folder_is_a_file = run({"p.hdf5", "--compare", "p.hdf5"});
  EXPECT_EQ(folder_is_a_file.status, 1);
  EXPECT_TRUE(has(folder_is_a_file.error, "p.hdf5")) << folder_is_a_file.error;
  EXPECT_EQ(folder_is_a_file.out, "");
}

TEST_F(FcBadInput, ResultsDoNotReplaceProblems) {
  // A user who takes --json for a switch writes this.
  refuse({"--json", "p.hdf5", "."}, {"'--json' is 'p.hdf5': this file is a problem"});
  refuse({"p.hdf5", "--json", "out", "--csv", "out"}, {"--json has the same file"});
  EXPECT_EQ(run({"p.hdf5"}).status, 0);
}

TEST_F(FcBadInput, RefusalLeavesNothing) {
  refuse({"p.hdf5", "--json", "out.json", "--solver", "x"}, {"there is no solver 'x'"});
  EXPECT_FALSE(exists("out.json"));
  EXPECT_EQ(run({"p.hdf5", "--json", "out.json", "--csv", "no_folder/out.csv"}).status, 1);
  EXPECT_FALSE(exists("out.json"));
}

TEST_F(FcBadInput, MeasurementsOfOthers) {
  const auto with = [&](const std::string &text, const std::vector<std::string> &words) {
    write("other.csv", text);
    refuse({"p.hdf5", "--compare", "d", "--with", "other.csv"}, words);
    EXPECT_FALSE(exists("d"));
  };
  refuse({"p.hdf5", "--compare", "d", "--with", "none.csv"}, {"none.csv: cannot be read"});
  with("", {"other.csv: there are no rows"});
  with("problem,solver,tim,solved\n", {"other.csv:1: there is no column 'time'", "'tim'"});
  with("problem,solver,time,solved\np,x,1\n", {"other.csv:2: there are 3 values", "names 4"});
  with("problem,solver,time,solved\np,x,0,1\n", {"other.csv:2: 'time' is '0'"});
  with("problem,solver,time,solved\np,x,inf,1\n", {"other.csv:2: 'time' is 'inf'"});
  with("problem,solver,time,solved\n\np,x,1,maybe\n", {"other.csv:3: 'solved' is 'maybe'"});
  with("problem,solver,time,solved\n,x,1,1\n", {"other.csv:2: problem and solver need names"});
}

} // namespace
