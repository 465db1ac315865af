#pragma once

#include <percussion/fclib/fclib.h>

#include <gtest/gtest.h>

#include "cone/sample_problems.h"
#include <cstring>
#include <filesystem>
#include <functional>
#include <hdf5.h>
#include <unistd.h>

extern "C" {
#include <fclib.h>
}

/// Files of FCLib for tests: problems to write, raw access, bitwise comparison.
namespace percussion::sample {

namespace fs = std::filesystem;

using Numbers = std::vector<double>;

/// Fixture with a new folder for each test, removed at its end.
class FclibFolder : public testing::Test {
protected:
  FclibFolder() {
    std::string name = fs::temp_directory_path() / "percussion-fclib-XXXXXX";
    folder = ::mkdtemp(name.data());
    path = folder / "problem.hdf5";
  }
  ~FclibFolder() override { fs::remove_all(folder); }

  std::size_t n_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder;
  std::string path;
};

inline bool same(const Numbers &x, const Numbers &y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), sizeof(double) * x.size()) == 0);
}

inline void expect_same(const CompressedRows &x, const CompressedRows &y) {
  EXPECT_EQ(x.n_rows, y.n_rows);
  EXPECT_EQ(x.n_columns, y.n_columns);
  EXPECT_EQ(x.row_start, y.row_start);
  EXPECT_EQ(x.column, y.column);
  EXPECT_TRUE(same(x.value, y.value));
}

inline void expect_same(const FrictionContactProblem &x, const FrictionContactProblem &y) {
  EXPECT_EQ(x.dimension, y.dimension);
  EXPECT_EQ(x.n_contacts, y.n_contacts);
  EXPECT_TRUE(same(x.W, y.W));
  EXPECT_EQ(x.blocks.row_start, y.blocks.row_start);
  EXPECT_EQ(x.blocks.column, y.blocks.column);
  EXPECT_TRUE(same(x.blocks.value, y.blocks.value));
  EXPECT_TRUE(same(x.q, y.q));
  EXPECT_TRUE(same(x.mu, y.mu));
}

inline void expect_same(const GlobalFrictionContactProblem &x,
                        const GlobalFrictionContactProblem &y) {
  EXPECT_EQ(x.dimension, y.dimension);
  EXPECT_EQ(x.n_contacts, y.n_contacts);
  expect_same(x.M, y.M);
  expect_same(x.H, y.H);
  EXPECT_TRUE(same(x.q, y.q));
  EXPECT_TRUE(same(x.b, y.b));
  EXPECT_TRUE(same(x.mu, y.mu));
}

inline void expect_same(const GlobalConeSolution &x, const GlobalConeSolution &y) {
  EXPECT_TRUE(same(x.v, y.v));
  EXPECT_TRUE(same(x.u, y.u));
  EXPECT_TRUE(same(x.p, y.p));
}

inline void expect_same(const FclibFile &x, const FclibFile &y) {
  ASSERT_EQ(x.problem.index(), y.problem.index());
  if (x.problem.index() == 0)
    expect_same(std::get<0>(x.problem), std::get<0>(y.problem));
  else
    expect_same(std::get<1>(x.problem), std::get<1>(y.problem));
  EXPECT_EQ(x.title, y.title);
  EXPECT_EQ(x.description, y.description);
  EXPECT_EQ(x.math_info, y.math_info);
  EXPECT_EQ(x.percussion_unit, y.percussion_unit);
  EXPECT_EQ(x.velocity_unit, y.velocity_unit);
  ASSERT_EQ(x.solution.has_value(), y.solution.has_value());
  if (x.solution)
    expect_same(*x.solution, *y.solution);
  ASSERT_EQ(x.guesses.size(), y.guesses.size());
  for (std::size_t k = 0; k < x.guesses.size(); ++k)
    expect_same(x.guesses[k], y.guesses[k]);
}

inline Numbers random_numbers(std::size_t n, sample::Random &random) {
  Numbers x(n);
  for (double &number : x)
    number = random(-1., 1.) / 3.;
  return x;
}

inline GlobalConeSolution make_solution(std::size_t n_velocities, std::size_t n,
                                        sample::Random &random) {
  GlobalConeSolution solution;
  solution.v = random_numbers(n_velocities, random);
  solution.u = random_numbers(n, random);
  solution.p = random_numbers(n, random);
  return solution;
}

inline FrictionContactProblem make_local(unsigned int d, std::size_t n_contacts,
                                         sample::Random &random) {
  FrictionContactProblem problem;
  problem.dimension = d;
  problem.n_contacts = n_contacts;
  const std::size_t n = d * n_contacts;
  problem.W = random_numbers(n * n, random);
  problem.q = random_numbers(n, random);
  problem.mu = random_numbers(n_contacts, random);
  return problem;
}

/// Returns a chain of contacts, each coupled with its neighbours. One block is partly zero, one is
/// entirely zero.
inline FrictionContactProblem make_chain(unsigned int d, std::size_t n_contacts,
                                         sample::Random &random) {
  FrictionContactProblem problem = make_local(d, n_contacts, random);
  problem.W.clear();
  problem.blocks.row_start = {0};
  for (std::size_t i = 0; i < n_contacts; ++i) {
    for (std::size_t j = i == 0 ? 0 : i - 1; j <= i + 1 && j < n_contacts; ++j)
      problem.blocks.column.push_back(j);
    problem.blocks.row_start.push_back(problem.blocks.column.size());
  }
  problem.blocks.value = random_numbers(d * d * problem.blocks.column.size(), random);
  problem.blocks.value[1] = problem.blocks.value[2] = 0.;
  std::fill_n(problem.blocks.value.end() - d * d, d * d, 0.);
  return problem;
}

/// Returns a problem of three velocities and two contacts in 2D; M has a zero entry.
inline GlobalFrictionContactProblem make_global(sample::Random &random) {
  GlobalFrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.M = {3, 3, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {2., 0., 0., 2. / 3., 4.}};
  problem.H = {3, 4, {0, 2, 2, 5}, {0, 3, 0, 1, 2}, random_numbers(5, random)};
  problem.q = random_numbers(3, random);
  problem.b = random_numbers(4, random);
  problem.mu = random_numbers(2, random);
  return problem;
}

inline FclibFile make_file(const FrictionContactProblem &problem, sample::Random &random) {
  FclibFile file{problem, "Title", "What it is: μ ≥ 0", "Unique", {}, {}};
  file.percussion_unit = 1. / 3.;
  const std::size_t n = problem.dimension * problem.n_contacts;
  file.solution = make_solution(0, n, random);
  file.guesses = {make_solution(0, n, random), make_solution(0, n, random)};
  return file;
}

inline void expect_round_trip(const std::string &path, const FclibFile &file,
                              void (*write)(const std::string &, const FclibFile &) = write_fclib,
                              FclibFile (*read)(const std::string &) = read_fclib) {
  write(path, file);
  expect_same(file, read(path));
}

inline std::string message_of(const std::function<void()> &action) {
  testing::internal::CaptureStderr();
  std::string message = "no error";
  try {
    action();
  } catch (const std::exception &error) {
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return message;
}

inline std::string reading_error(const std::string &path) {
  return message_of([&] { read_fclib(path); });
}

// Raw access to FCLib and HDF5.

struct RawMatrix {
  int m, n, nz;
  std::vector<int> p, i;
  Numbers x;
  fclib_matrix get() {
    return {static_cast<int>(x.size()), m, n, p.data(), i.data(), x.data(), nz, nullptr};
  }
};

inline fclib_local raw_local(fclib_matrix &W, Numbers &q, Numbers &mu) {
  fclib_local problem{};
  problem.W = &W;
  problem.q = q.data();
  problem.mu = mu.data();
  problem.spacedim = 2;
  return problem;
}

/// Writes a local problem of two contacts in 2D with this W.
inline void write_raw(const std::string &path, RawMatrix W) {
  Numbers q{-1., 2., -3., 4.}, mu{0.5, 0.25};
  fclib_matrix matrix = W.get();
  fclib_local problem = raw_local(matrix, q, mu);
  ASSERT_EQ(fclib_write_local(&problem, path.c_str()), 1);
}

/// Writes a global problem with H of 3 rows and 4 columns and M = I.
inline void write_raw_global(const std::string &path, RawMatrix H, fclib_matrix *G, double *b) {
  RawMatrix identity{3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1., 1., 1.}};
  Numbers f{1., 2., 3.}, w{4., 5., 6., 7.}, mu{0.5, 0.25};
  fclib_matrix M = identity.get(), matrix = H.get();
  fclib_global problem{};
  problem.M = &M;
  problem.H = &matrix;
  problem.G = G;
  problem.b = b;
  problem.f = f.data();
  problem.w = w.data();
  problem.mu = mu.data();
  problem.spacedim = 2;
  ASSERT_EQ(fclib_write_global(&problem, path.c_str()), 1);
}

inline void edit(const std::string &path, const std::function<void(hid_t)> &change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  change(file);
  H5Fclose(file);
}

inline void remove(hid_t file, const char *name) {
  EXPECT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0) << name;
}

inline void put(hid_t file, const char *name, hid_t type, const void *data, hsize_t length) {
  if (H5Lexists(file, name, H5P_DEFAULT) > 0)
    remove(file, name);
  const hid_t space = H5Screate_simple(1, &length, nullptr);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0) << name;
  H5Dclose(set);
  H5Sclose(space);
}

inline void put(hid_t file, const char *name, const std::vector<int> &x) {
  put(file, name, H5T_NATIVE_INT, x.data(), x.size());
}

inline void put(hid_t file, const char *name, const Numbers &x) {
  put(file, name, H5T_NATIVE_DOUBLE, x.data(), x.size());
}

} // namespace percussion::sample
