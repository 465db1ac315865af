// The text format of Siconos numerics.

#include <percussion/cone/solver.h>
#include <percussion/fclib/problem_file.h>

#include "fclib_files.h"
#include <fstream>

using namespace percussion;
using namespace percussion::sample;

namespace {

class Siconos : public FclibFolder {
protected:
  Siconos() { path = folder / "problem.dat"; }

  FclibFile read(const std::string &text) const {
    std::ofstream(path) << text;
    return read_problem_file(path);
  }
  FrictionContactProblem local(const std::string &text) const {
    return std::get<0>(read(text).problem);
  }
  /// Returns the message for this text after the file's name.
  std::string error(const std::string &text) const {
    std::ofstream(path) << text;
    return message_of([&] { read_problem_file(path); }).substr(path.size());
  }
};

const std::string dense = "2\n1\n0\n2\n2\n2\t2\n 1.0e+00 2.0 \n  3.0 4.0 \n",
                  q = "-1.5e+00 0.25 \n";
const std::string sparse = "2\n1\n2\n2\n2\n";
const std::string version = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis\n";
const Numbers W = {1., 3., 2., 4.};

} // namespace

TEST_F(Siconos, HasDenseMatricesColumnByColumn) {
  const auto problem = local(dense + q + "0.5\n");
  EXPECT_EQ(problem.dimension, 2u);
  EXPECT_EQ(problem.n_contacts, 1u);
  EXPECT_TRUE(same(problem.W, W));
  EXPECT_TRUE(same(problem.q, {-1.5, 0.25}));
  EXPECT_TRUE(same(problem.mu, {0.5}));
  EXPECT_TRUE(same(local(dense + q + "0.5\n0\n").W, W)); // a flag of older versions
}

TEST_F(Siconos, HasSparseMatricesInFourForms) {
  const std::string sizes = "2-by-2, nzmax: 9 nnz: 4";
  EXPECT_TRUE(same(local(sparse + "1\n" + version + "triplet: " + sizes +
                         "\n 1 0 : 2\n 0 0 : 1\n    1 1 : 4\n 0 1 : 3\n" + q + "0.5\n")
                       .W,
                   W));
  EXPECT_TRUE(same(local(sparse + "2\n" + version + sizes +
                         ", 1-norm: 6\n    col 0 : locations 0 to 1\n      1 : 2\n      0 : 1\n"
                         "    col 1 : locations 2 to 3\n      0 : 3\n      1 : 4\n" +
                         q + "0.5\n")
                       .W,
                   W));
  EXPECT_TRUE(same(local(sparse + "3\n" + version + "csr: " + sizes +
                         ", 1-norm: 6\n    row 0 : locations 0 to 1\n      1 : 3\n      0 : 1\n"
                         "    row 1 : locations 2 to 3\n      0 : 2\n      1 : 4\n" +
                         q + "0.5\n")
                       .W,
                   W));
  EXPECT_TRUE(same(local(sparse + "4\n" + version +
                         "triplet: 2-by-2, nzmax: 2 nnz: 2\n 0 0 : 1\n 1 0 : 3\n" + q + "0.5\n")
                       .W,
                   {1., 3., 3., 0.}));
  // Empty columns, including the last one.
  EXPECT_TRUE(same(local("2\n2\n2\n4\n4\n2\n" + version +
                         "4-by-4, nzmax: 1 nnz: 1, 1-norm: 5\n    col 0 : locations 0 to -1\n"
                         "    col 1 : locations 0 to 0\n      2 : 5\n    col 2 : locations 1 to 0\n"
                         "    col 3 : locations 1 to 0\n1 2 3 4\n0.5 0.5\n")
                       .W,
                   {0., 0., 0., 0., 0., 0., 0., 0., 0., 5., 0., 0., 0., 0., 0., 0.}));
}

TEST_F(Siconos, HasBlocksOfAnySize) {
  // Rows 1 + 3, columns 2 + 2; the second block row has two blocks, the first none.
  const auto problem = local("2\n2\n1\n4\n4\n2\n2\n2\n1\t4\t\n2\t4\t\n3\n2\n0\t0\t2\t\n0\t1\t\n"
                             "0\n1\n2\n3\n4\n5\n6\n1\n7\n8\n9\n10\n11\n12\n1 2 3 4\n0.5 0.6\n");
  EXPECT_TRUE(same(problem.W, {0., 0., 0., 0., 1., 4., 7., 10., 2., 5., 8., 11., 3., 6., 9., 12.}));
  EXPECT_TRUE(same(problem.mu, {0.5, 0.6}));
}

TEST_F(Siconos, HasGlobalProblems) {
  // H has as many rows as M and the contact together, which a reduced problem could have, too.
  const auto file =
      read("2\n1\n0\n2\n2\n2\t2\n5 0\n0 7\n0\n2\n2\n2 2\n1 2\n3 4\n10 20\n30 40\n0.5\n");
  const auto &problem = std::get<1>(file.problem);
  expect_same(problem.M, {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {5., 0., 0., 7.}});
  expect_same(problem.H, {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1., 3., 2., 4.}});
  EXPECT_TRUE(same(problem.q, {10., 20.}));
  EXPECT_TRUE(same(problem.b, {30., 40.}));
  EXPECT_TRUE(same(problem.mu, {0.5}));
}

TEST_F(Siconos, GivesProblemsBack) {
  sample::Random random(1);
  for (const unsigned int d : {2u, 3u}) {
    expect_round_trip(path, {make_local(d, 4, random), "", "", "", {}, {}}, write_problem_file,
                      read_problem_file);
    expect_round_trip(path, {make_chain(d, 60, random), "", "", "", {}, {}}, write_problem_file,
                      read_problem_file);
  }
  expect_round_trip(path, {make_global(random), "", "", "", {}, {}}, write_problem_file,
                    read_problem_file);
  expect_round_trip(path, {}, write_problem_file, read_problem_file);
  GlobalFrictionContactProblem free = make_global(random);
  free.n_contacts = 0;
  free.H = {3, 0, {0, 0, 0, 0}, {}, {}};
  free.b = free.mu = {};
  expect_round_trip(path, {free, "", "", "", {}, {}}, write_problem_file, read_problem_file);
}

TEST_F(Siconos, MayLeaveOutADiagonalBlock) {
  // Contact 1 of 60 has a zero block of W; the solvers need the block nevertheless.
  std::string text =
      "2\n60\n2\n120\n120\n1\n" + version + "triplet: 120-by-120, nzmax: 118 nnz: 118\n";
  for (int k = 0; k < 120; ++k)
    if (k / 2 != 1)
      text += std::to_string(k) + " " + std::to_string(k) + " : 1\n";
  for (int k = 0; k < 180; ++k)
    text += " 0.5";
  const auto problem = local(text);
  EXPECT_EQ(problem.blocks.column.size(), 60u);
  ConeSolution solution;
  ConeSolver().solve(problem, solution);
  EXPECT_TRUE(solution.converged);
}

TEST_F(Siconos, IsToldFromHdf5ByTheContent) {
  sample::Random random(1);
  const FclibFile file{make_local(2, 2, random), "Title", "", "", {}, {}};
  write_fclib(path, file); // also for a name ending with .dat
  expect_same(file, read_problem_file(path));
  const std::string other = folder / "problem.hdf5";
  write_problem_file(other, file);
  expect_same(file, read_fclib(other));
}

TEST_F(Siconos, SaysWhereAFileIsWrong) {
  EXPECT_EQ(error(""), ":1: found the end of the file; needed: the dimension, 2 to 5");
  EXPECT_EQ(error("6\n"), ":1: found '6'; needed: the dimension, 2 to 5");
  EXPECT_EQ(error("4\n"), ":1: found dimension 4; needed: dimension 2 or 3, or 5 with rolling "
                          "friction");
  EXPECT_EQ(
      error("2\n1\n7\n"),
      ":3: found '7'; needed: how the first matrix is stored (dense, blocks, sparse), 0 to 2");
  EXPECT_EQ(error("2\n1\n0\n2.5\n2\n").substr(0, 52),
            ":4: found '2.5'; needed: the number of rows of the f");
  EXPECT_EQ(error("2\n1\n0\n2000000000\n2\n").substr(0, 22), ":4: found '2000000000'");
  EXPECT_EQ(error("2\n1\n0\n2\n2\n3\t2\n1 2 3 4 5 6\n"),
            ":6: found '3'; needed: the rows of the first matrix again, 2");
  EXPECT_EQ(error("2\n1\n0\n2\n2\n2\t2\n1 2\n3 nan\n" + q + "0.5\n"),
            ":8: found 'nan'; needed: an entry of the first matrix, a finite number");
  EXPECT_EQ(error(dense + "-1 x\n0.5\n"), ":9: found 'x'; needed: an entry of q, a finite number");
  EXPECT_EQ(error(dense + q), ":10: found the end of the file; needed: an entry of mu, a number");
  EXPECT_EQ(error(dense + q + "0.5\n7\n"),
            ":11: found '7'; needed: the end of the file or a flag, 0 to 1");
  EXPECT_EQ(error("2\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n0\n3\n1\n3 1\n1 2 3\n1 2 3 4 5\n"),
            ":14: found H of 3 x 1 entries; needed: 3 x 2");
  const std::string triplets = sparse + "1\n" + version + "triplet: 2-by-2, nzmax: 1 nnz: 1\n";
  EXPECT_EQ(error(triplets + " 0 2 : 1\n"), ":9: found '2'; needed: a column, 0 to 1");
  EXPECT_EQ(error(triplets + " 0 1 1\n"), ":9: found '1'; needed: ':'");
  EXPECT_EQ(error(sparse + "1\n" + version + "triplet: 3-by-2, nzmax: 1 nnz: 1\n"),
            ":8: found '3-by-2,'; needed: '2-by-2,'");
  EXPECT_EQ(error(sparse + "2\n" + version +
                  "2-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n"
                  " col 0 : locations 0 to 0\n 1 : 5\n" +
                  q + "0.5\n"),
            ":10: found nnz = 1; needed: nnz = 2");
  EXPECT_EQ(error("2\n1\n1\n2\n2\n1\n1\n1\n2\n3\n2\n1\n0 1\n0\n0\n1 2 3 4\n"),
            ":10: found '3'; needed: the end of a block column, 2");
  EXPECT_EQ(message_of([&] { read_problem_file(folder / "none.dat"); }),
            (folder / "none.dat").string() +
                ": found No such file or directory; needed: a readable file");
}

TEST_F(Siconos, RefusesFilesCutShortAnywhere) {
  sample::Random random(1);
  for (const FclibFile &file : {FclibFile{make_local(2, 3, random), "", "", "", {}, {}},
                                FclibFile{make_global(random), "", "", "", {}, {}}}) {
    write_problem_file(path, file);
    std::string text;
    std::getline(std::ifstream(path), text, '\0');
    const std::size_t last = text.find_last_not_of(" \n");
    for (std::size_t size = text.rfind(' ', last) - 1; size > 0; size = size * 9 / 10)
      EXPECT_NE(error(text.substr(0, size)), "") << size;
  }
}
