#include <percussion/cone/residual.h>

#include "fclib_files.h"

using namespace percussion;
using namespace percussion::sample;

using Fclib = FclibFolder;

TEST_F(Fclib, GivesDenseProblemsBackBitByBit) {
  for (const unsigned int d : {2u, 3u}) {
    sample::Random random(d);
    FrictionContactProblem problem = make_local(d, 4, random);
    problem.W[1] = 0.;
    problem.W[2] = -0.;
    problem.W[3] = NAN;
    problem.W[4] = 5e-324;
    problem.q[0] = -INFINITY;
    expect_round_trip(path, make_file(problem, random));
  }
}

TEST_F(Fclib, GivesProblemsByBlocksBack) {
  for (const unsigned int d : {2u, 3u}) {
    sample::Random random(d);
    expect_round_trip(path, make_file(make_chain(d, 60, random), random));
  }
}

TEST_F(Fclib, KeepsFewContactsAndFullMatricesDense) {
  sample::Random random(1);
  expect_round_trip(path, {make_local(2, 60, random), "", "", "", {}, {}});
  write_fclib(path, {make_chain(2, 50, random), "", "", "", {}, {}});
  EXPECT_EQ(std::get<0>(read_fclib(path).problem).W.size(), 100u * 100u);
  EXPECT_TRUE(std::get<0>(read_fclib(path).problem).blocks.row_start.empty());
}

TEST_F(Fclib, GivesGlobalProblemsBack) {
  sample::Random random(1);
  FclibFile file{make_global(random), "Title", "", "", {}, {}};
  expect_round_trip(path, file);
  file.solution = make_solution(3, 4, random);
  file.guesses = {make_solution(3, 4, random)};
  expect_round_trip(path, file);
}

TEST_F(Fclib, GivesProblemsWithoutContactsBack) {
  FclibFile file;
  expect_round_trip(path, file);
  GlobalFrictionContactProblem global;
  global.M.row_start = global.H.row_start = {0};
  file.problem = global;
  expect_round_trip(path, file);
  file.solution.emplace();
  expect_round_trip(path, file);
}

TEST_F(Fclib, ReadsWhatFclibWritesInEveryForm) {
  const Numbers W{4., 1., 0., 2., 1., 3., 0., 0., 0., 0., 5., 0., 8., 0., 0., 6.};
  const std::vector<RawMatrix> forms{
      {4,
       4,
       9,
       {3, 0, 0, 1, 1, 2, 0, 3, 0}, // columns, as in Siconos
       {3, 0, 1, 1, 0, 2, 3, 0, 0},
       {6., 3., 1., 3., 1., 5., 8., 2., 1.}}, // an entry as the sum of two
      {4, 4, -1, {0, 3, 5, 6, 8}, {3, 0, 1, 0, 1, 2, 3, 0}, {8., 4., 1., 1., 3., 5., 6., 2.}},
      {4, 4, -2, {0, 3, 5, 6, 8}, {0, 3, 1, 0, 1, 2, 3, 0}, {4., 2., 1., 1., 3., 5., 6., 8.}}};
  for (const RawMatrix &form : forms) {
    fs::remove(path);
    write_raw(path, form);
    const auto problem = std::get<0>(read_fclib(path).problem);
    EXPECT_TRUE(same(problem.W, W)) << form.nz;
    EXPECT_TRUE(same(problem.q, {-1., 2., -3., 4.}));
    EXPECT_TRUE(same(problem.mu, {0.5, 0.25}));
    EXPECT_EQ(problem.n_contacts, 2u);
    EXPECT_EQ(problem.version, 0u);
  }
}

TEST_F(Fclib, ReadsRectangularMatricesInEveryFormAndTripletsEitherWay) {
  const CompressedRows H{3, 4, {0, 2, 2, 5}, {0, 3, 0, 1, 2}, {1., 2., 3., 4., 5.}};
  const std::vector<int> rows{2, 0, 2, 2, 0}, columns{2, 3, 0, 1, 0};
  const Numbers values{5., 2., 3., 4., 1.};
  const std::vector<RawMatrix> forms{
      {3, 4, 5, rows, columns, values},
      {3, 4, 5, columns, rows, values},
      {3, 4, -1, {0, 2, 3, 4, 5}, {2, 0, 2, 2, 0}, {3., 1., 4., 5., 2.}},
      {3, 4, -2, {0, 2, 2, 5}, {3, 0, 0, 1, 2}, {2., 1., 3., 4., 5.}}};
  for (const RawMatrix &form : forms) {
    fs::remove(path);
    write_raw_global(path, form, nullptr, nullptr);
    const auto problem = std::get<1>(read_fclib(path).problem);
    expect_same(problem.H, H);
    expect_same(problem.M, {3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1., 1., 1.}});
    EXPECT_TRUE(same(problem.q, {1., 2., 3.}));
    EXPECT_TRUE(same(problem.b, {4., 5., 6., 7.}));
  }
}

TEST_F(Fclib, LetsFclibReadSolutionsAndMeasureThem) {
  sample::Random random(1);
  FrictionContactProblem problem = make_local(3, 5, random);
  problem.mu.assign(5, 0.5);
  FclibFile file = make_file(problem, random);
  for (std::size_t row = 0; row < 15; ++row) {
    file.solution->u[row] = problem.q[row];
    for (std::size_t k = 0; k < 15; ++k)
      file.solution->u[row] += problem.W[15 * row + k] * file.solution->p[k];
  }
  write_fclib(path, file);

  fclib_local *local = fclib_read_local(path.c_str());
  fclib_solution *solution = fclib_read_solution(path.c_str());
  int n_guesses = 0;
  fclib_solution *guesses = fclib_read_guesses(path.c_str(), &n_guesses);
  ASSERT_EQ(n_guesses, 2);
  EXPECT_TRUE(same({guesses[1].r, guesses[1].r + 15}, file.guesses[1].p));
  EXPECT_TRUE(same({solution->u, solution->u + 15}, file.solution->u));
  double square = 0.;
  for (const double x : problem.q)
    square += x * x;
  // The two norms scale the same residual differently.
  EXPECT_NEAR(fclib_merit_local(local, MERIT_1, solution) * (1. + std::sqrt(std::sqrt(square))),
              natural_map_residual(problem, file.solution->p) * (1. + std::sqrt(square)), 1e-14);
  fclib_delete_solutions(solution, 1);
  fclib_delete_solutions(guesses, 2);
  fclib_delete_local(local);
  free(local);
}

TEST_F(Fclib, ReplacesASolutionAndNothingElse) {
  sample::Random random(1);
  FclibFile file = make_file(make_local(3, 20, random), random);
  write_fclib(path, file);
  edit(path, [](hid_t f) { put(f, "more", Numbers{7.}); });
  const auto size = fs::file_size(path);
  for (unsigned int k = 0; k < 5; ++k) {
    file.solution = make_solution(0, 60, random);
    write_fclib_solution(path, *file.solution);
    expect_same(file, read_fclib(path));
  }
  EXPECT_LE(fs::file_size(path), size + 4096);
  edit(path, [](hid_t f) { EXPECT_GT(H5Lexists(f, "more", H5P_DEFAULT), 0); });
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(Fclib, PutsASolutionWhereThereIsNone) {
  sample::Random random(1);
  FclibFile file{make_global(random), "", "", "", {}, {}};
  write_fclib(path, file);
  file.solution = make_solution(3, 4, random);
  write_fclib_solution(path, *file.solution);
  expect_same(file, read_fclib(path));

  // A solution that does not fit and a file that is not FCLib leave everything unchanged.
  EXPECT_EQ(message_of([&] { write_fclib_solution(path, make_solution(3, 6, random)); }),
            path + ": solution/u: found 6 numbers; needed: 4 numbers");
  expect_same(file, read_fclib(path));
  const std::string other = folder / "other";
  EXPECT_EQ(message_of([&] { write_fclib_solution(other, *file.solution); }),
            other + ": found No such file or directory; needed: a readable HDF5 file");
  EXPECT_EQ(n_files(), 1u);
}
